#compdef rigscope
# Completes rigscope in zsh. Source it, source <(rigscope completion zsh), or name it _rigscope in a folder of fpath.

_rigscope() {
    local line text
    local -a lines head given whole parts whole_shown parts_shown rows
    given=("${(@Q)words[2,-1]}")
    given[CURRENT-1]=$PREFIX
    [[ -z $QIPREFIX ]] || given[CURRENT-1]="$QIPREFIX$PREFIX"
    lines=("${(@f)$("${(Q)words[1]}" completion zsh -- $((CURRENT - 1)) "${given[@]}" 2>/dev/null)}")
    head=(${=lines[1]})
    for line in "${(@)lines[2,-1]}"; do
        text=${line%%$'\t'*}
        line=${line#*$'\t'}
        [[ -z $line ]] || rows=(-l)
        line="$text${line:+  -- $line}"
        if [[ $text == *[=/] ]]; then
            parts+=("$text") parts_shown+=("$line")
        else
            whole+=("$text") whole_shown+=("$line")
        fi
    done
    (( $#parts )) && compadd $rows -S '' -d parts_shown -a parts
    (( $#whole )) && compadd $rows -d whole_shown -a whole
    case $head[1] in
        files) compset -p $head[2]; _files ;;
        folders) compset -p $head[2]; _files -/ ;;
    esac
    (( compstate[nmatches] ))
}

if [[ $funcstack[1] == _rigscope ]]; then
    _rigscope "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
    compdef _rigscope rigscope
fi

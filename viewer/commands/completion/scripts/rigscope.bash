# Completes rigscope in bash. Source it: source <(rigscope completion bash)

_rigscope() {
    local kind= front word
    COMPREPLY=()
    {
        read -r kind front
        while IFS= read -r word; do COMPREPLY+=("$word"); done
    } < <("$1" completion bash -- "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" 2>/dev/null)
    case $kind in
        files) # without words, bash lists the files itself
            if ((${#COMPREPLY[@]})); then
                compopt -o filenames
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
            fi
            ;;
        folders) compopt +o default -o dirnames ;;
        part) compopt +o default -o nospace ;;
        words) compopt +o default ;;
    esac 2>/dev/null
}

complete -o default -F _rigscope rigscope

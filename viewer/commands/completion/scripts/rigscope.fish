# Completes rigscope in fish. Source it: rigscope completion fish | source

function __rigscope_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l after (commandline -op)
    for word in $before $current
        set -e after[1]
    end 2>/dev/null
    set -l words $before "$current" $after
    set -e words[1]
    set -l lines ($before[1] completion fish -- (count $before) $words 2>/dev/null)
    test (count $lines) -gt 0; or return
    set -l head (string split ' ' -- $lines[1])
    set -e lines[1]
    test (count $lines) -gt 0; and printf '%s\n' $lines
    contains -- $head[1] files folders; and complete -C "'' $current"
end

complete -c rigscope -f -a '(__rigscope_complete)'

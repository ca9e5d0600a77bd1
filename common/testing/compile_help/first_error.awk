# Writes the first error, how many more there are, and one line of help: for the first error that a
# rule fits, which is shown, too. With `all`, which has shown all of them, the help alone.

END {
    for (m = 1; m <= messages; ++m) {
        if (kind[m] != "error") continue
        if (!first) first = m
        ++errors
        if (!helped && (words = helpOf(m)) != "") helped = m
    }
    if (!first) exit 1
    if (!all) show(first)
    if (!all && helped && helped != first) show(helped)
    more = errors - 1 - (helped && helped != first)
    if (!all && more) print "and " more " more; EXPLAIN=all shows " (more == 1 ? "it" : "them")
    if (helped) printf "%s", helpLine(lineHelped, helpOf(helped))
}

function helpOf(m,    quoted, loop, n) {
    lineHelped = line[m]
    # for (int k = 0; ...); { ... k ... }
    if (text[m] ~ /not declared in this scope|undeclared identifier/) {
        split(text[m], quoted, "'")
        loop = "^ *for *\\(.*[^A-Za-z_0-9]" quoted[2] "[^A-Za-z_0-9].*\\) *;"
        for (n = line[m]; n > line[m] - 4 && n > 0; --n) if (lineOf(file[m], n) ~ loop) {
            lineHelped = n
            return "the ; behind for (...) ends the loop; take it away."
        }
    }
    return helpFor(m)
}

# Writes the lines of state.awk as a table for people, at most 80 columns wide. With details, the
# items of the first unfinished part follow. Needs fold.awk of testing/compile_help, and `columns`.

$1 == "part" {
    key = $2 "\t" $3
    order[++parts] = key
    further[key] = $4
    source[key] = $5
    is[key] = $6
    complete[key] = $7 == "done"
    if (!complete[key] && (first == "" || (further[first] == "yes" && $4 == "no"))) first = key
}
$1 == "next" { next_one[$2 "\t" $3] = $4 }
$1 == "item" {
    key = $2 "\t" $3
    kind = $5
    if (key == first && $4 == next_one[key]) kind = "next"
    add(key, kind, $4)
    lines[key] = lines[key] cut(sprintf("  %s  %s", kind, $7)) "\n"
}
$1 == "other" {
    key = $2 "\t" $3
    ++failing[key]
    lines[key] = lines[key] cut("  open  " $5) "\n"
}

END {
    printf "%-15s%-12s%s\n", "lab", "part", "TODOs, questions"
    for (p = 1; p <= parts; ++p) {
        key = order[p]
        split(key, names, "\t")
        printf "%s", fold(sprintf("%-15s%-12s%s", names[1] == shown ? "" : names[1], names[2],
            summary(key)), sprintf("%27s", ""))
        shown = names[1]
    }
    if (details && lines[first] != "") printf "\n%s:\n%s", source[first], lines[first]
}

function cut(text) { return length(text) <= 80 ? text : substr(text, 1, 77) "..." }

# Of TODO(1), TODO(2), TODO(3) and TODO(5): "1-3, 5". Questions are numbers, too.
function add(key, kind, name) {
    gsub(/[^0-9]/, "", name)
    if ((key, kind) in last && last[key, kind] == name - 1) {
        sub(/(-[0-9]+)?$/, "-" name, list[key, kind])
    } else {
        list[key, kind] = list[key, kind] ((key, kind) in last ? ", " : " ") name
    }
    last[key, kind] = name
}

function summary(key,    text, kinds, k) {
    if (complete[key]) return "done"
    text = ""
    split("done next open", kinds, " ")
    for (k = 1; k <= 3; ++k) {
        if ((key, kinds[k]) in last)
            text = text (text == "" ? "" : "; ") kinds[k] list[key, kinds[k]]
    }
    if (failing[key] > 0)
        text = text "; " failing[key] (failing[key] == 1 ? " more test fails" : " more tests fail")
    if (is[key] == "not-built") text = "does not compile"
    if (is[key] == "missing") text = "file is missing: make reset"
    if (is[key] == "stopped") text = "tests ended early; " text
    if (is[key] == "changed") {
        split(key, names, "\t")
        text = "not tested: build/progress/" names[1] "/" names[2] ".log says why"
    }
    if (further[key] == "yes") text = text " (goes further)"
    return text
}

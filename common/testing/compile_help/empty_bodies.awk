# Warns of if (...); and of for (...); or while (...); above a block or a line that is indented as
# its body: g++ does not see these in what the translator has made of a file, clang++ not all of
# them. In the form of a compiler's warning; `name` is the file's.

/^[ \t]*$|^[ \t]*\/\// { next }
loop != "" && (indent($0) > indent(loop) || /^[ \t]*\{/) { warn("loop", loop, at) }
{ loop = "" }
match($0, /^[ \t]*(if|for|while)[ \t]*\(/) {
    rest = behindParentheses($0)
    if (rest !~ /^[ \t]*;[ \t]*(\{.*|return.*|\/\/.*|\r)?$/) next
    at = FNR
    if ($0 ~ /^[ \t]*if/) warn("if", $0, at)
    else if (rest ~ /\{/) warn("loop", $0, at)
    else loop = $0
}

function indent(text) { match(text, /^[ \t]*/); return RLENGTH }
# What follows the first pair; nothing where it is not closed on its line.
function behindParentheses(text,    i, c, depth) {
    for (i = index(text, "("); i <= length(text); ++i) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0) return substr(text, i + 1)
    }
    return ""
}
function warn(what, text, line) {
    printf "%s:%d: warning: the body of the %s is empty\n%5d | %s\n", name, line, what, line, text
}

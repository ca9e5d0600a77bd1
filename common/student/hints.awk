# The hints for `item` in a hints.md: the list under its heading '## TODO(1)' or '## Q1'. Writes
# their lines, the number of each line within its hint in front; of the hint `wanted` alone where
# that is given.

/^## / { inside = substr($0, 4) == item; hint = 0; next }
/^```/ { next }
inside && /^[0-9]+\. / {
    ++hint
    line = 0
    sub(/^[0-9]+\. +/, "")
}
inside && hint && NF && (wanted == "" || hint == wanted) {
    sub(/^ +/, "")
    print ++line " " $0
}

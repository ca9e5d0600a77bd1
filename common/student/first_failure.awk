# Of a results file (see testing/results_file.h): the first test that fails, with its explanation,
# and how many more fail. Needs fold.awk of testing/compile_help, and `columns` where there is one.

/"status":"failed"/ && ++failed == 1 {
    printf "%s", fold("FAIL  " text("test"), "      ")
    n = split(text("explanation"), lines, "\n")
    for (i = 1; i <= n; ++i) if (i < n || lines[i] != "") print "      " (lines[i] == "" ? "" : " ") lines[i]
}
/"status":"passed"/ { ++passed }
END {
    printf "\n%d passed, ", passed
    if ($0 !~ /"end":true/) print "then the tests ended early"
    else if (failed == 1) print "1 failed"
    else print "and " failed - 1 " more failed, perhaps of the same cause"
}

# A member's value, out of the JSON of the line.
function text(name,    rest, result) {
    rest = substr($0, index($0, "\"" name "\":\"") + length(name) + 4)
    result = ""
    while (match(rest, /^([^"\\]|\\u....|\\[^u])/)) {
        result = result plain(substr(rest, 1, RLENGTH))
        rest = substr(rest, RLENGTH + 1)
    }
    return result
}
function plain(piece) {
    if (piece == "\\n") return "\n"
    if (piece == "\\t") return "\t"
    if (piece ~ /^\\u/) return "?"
    return piece ~ /^\\/ ? substr(piece, 2) : piece
}

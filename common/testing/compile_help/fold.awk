# A line for a terminal of so many `columns`, where that is set; broken at blanks. What follows the
# first line begins with a margin, two blanks where none is given.
function fold(words, margin,    result, end, least) {
    if (margin == "") margin = "  "
    least = length(margin) + 2
    while (columns && length(words) > columns) {
        for (end = columns; end > least && substr(words, end + 1, 1) != " "; --end) {}
        if (end <= least) break
        result = result substr(words, 1, end) "\n"
        words = margin substr(words, end + 2)
    }
    return result words "\n"
}

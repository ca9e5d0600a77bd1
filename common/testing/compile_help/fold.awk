# A line for a terminal of so many `columns`, where that is set; broken at blanks.
function fold(words,    result, end) {
    while (columns && length(words) > columns) {
        for (end = columns; end > 4 && substr(words, end + 1, 1) != " "; --end) {}
        if (end <= 4) break
        result = result substr(words, 1, end) "\n"
        words = "  " substr(words, end + 2)
    }
    return result words "\n"
}

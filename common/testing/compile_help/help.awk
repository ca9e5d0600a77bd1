# Reads rules.txt, then what a compiler has said, and prints one line of help for the first error
# that a rule fits (see rules.txt).
FNR == NR {
    at = index($0, " => ")
    if (/^[^#]/ && at) { pattern[++rules] = substr($0, 1, at - 1); help[rules] = substr($0, at + 4) }
    next
}
{
    gsub(/\033\[[0-9;]*[mK]/, "")
    gsub(/\342\200\230|\342\200\231|`/, "'")
}
match($0, /: (fatal )?error: /) {
    place = substr($0, 1, RSTART - 1)
    message = substr($0, RSTART + RLENGTH)
    for (i = 1; i <= rules; i++) if (message ~ pattern[i]) {
        split(message, quoted, "'")
        gsub(/%1/, quoted[2], help[i])
        gsub(/%2/, quoted[4], help[i])
        n = split(place, of, ":")
        line = n > 2 ? of[n - 1] : of[n]
        print "help: line " line ": " help[i]
        exit
    }
}

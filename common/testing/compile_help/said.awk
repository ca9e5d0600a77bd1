# Takes what a compiler has said apart: messages 1 to `messages`, each with kind[], file[], line[],
# text[], and picture[], which is its line of the source and what is drawn below. Reads the rules
# first, and of a note only what tells more about the message above it.

FNR == NR {
    at = index($0, " => ")
    if (/^[^#]/ && at) {
        pattern[++rules] = substr($0, 1, at - 1)
        help[rules] = substr($0, at + 4)
    }
    next
}
{
    gsub(/\033\[[0-9;]*[mK]/, "")
    gsub(/\342\200\230|\342\200\231|`/, "'")
}
# An error in a template of a header is shown where the file uses it.
/required from( here)?$/ {
    if (!/^(common|\/usr)\//) split($0, user, ":")
    drawing = 0
    next
}
match($0, /: (fatal error|error|warning|note): /) {
    what = substr($0, RSTART + 2, RLENGTH - 4)
    said = substr($0, RSTART + RLENGTH)
    split(substr($0, 1, RSTART - 1), place, ":")
    if (what == "note") note()
    else if (!(($0) in seen)) message()
    seen[$0]
    next
}
drawing && /^ / { if (length($0) <= 100) picture[messages] = picture[messages] $0 "\n"; next }
{ drawing = 0 }

function message() {
    kind[++messages] = what == "warning" ? what : "error"
    text[messages] = said
    drawing = 1
    others = 0
    put(place)
    if (inHeader(place[1]) && user[1] != "") {
        put(user)
        drawing = 0
    }
    user[1] = ""
}
function inHeader(name) { return name ~ /^common\/simulator\/include/ }
function put(place) {
    file[messages] = place[1]
    sub(/^\.\//, "", file[messages])
    line[messages] = place[2] ~ /^[0-9]+$/ ? place[2] : ""
    picture[messages] = ""
}
function note() {
    drawing = 0
    if (!messages) return
    # A message about a macro stands where the macro is defined. Other notes have such notes, too.
    if (said ~ /^in expansion of macro/) {
        if (!others) put(place)
        drawing = !others
        return
    }
    others = 1
    if (said ~ /requested here$/ && inHeader(file[messages])) {
        put(place)
        drawing = 1
    } else if (said ~ /was declared here|^initialize the variable/ && !declaredAt[messages]) {
        declaredAt[messages] = place[2]
    }
}

# The help of the first rule that fits message m; empty where none does.
function helpFor(m,    i, result, quoted) {
    for (i = 1; i <= rules; ++i) if (text[m] ~ pattern[i]) {
        result = help[i]
        split(text[m], quoted, "'")
        gsub(/%1/, quoted[2], result)
        gsub(/%2/, quoted[4], result)
        return result
    }
    return ""
}
function helpLine(number, words) { return fold("help: line " number ": " words) }

function lineOf(name, number,    n, result) {
    for (n = 1; (getline result <name) > 0; ++n) if (n == number) break
    close(name)
    return n == number ? result : ""
}

function show(m,    place, words) {
    place = file[m] (line[m] == "" ? "" : ":" line[m])
    words = text[m]
    if (length(words) > 150) words = substr(words, 1, 146) " ..."
    printf "%s%s", fold(place ": " kind[m] ": " words), picture[m]
}

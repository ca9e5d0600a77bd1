# Joins what is known of each part: from its tests' names, which TODOs and questions it has; from
# the digests, whether its stored results speak of the files that are there; from the results, what
# passed. Reads the lines of state() in labs.sh. Writes, with tabs between:
#   part  LAB PART FURTHER SOURCE CONDITION done|open   CONDITION: see condition() below
#   next  LAB PART TODO(n)|Qn                           with which to go on, where one is open
#   item  LAB PART TODO(n)|Qn done|open FINDINGS TITLE  in the order of their numbers
#   other LAB PART FINDINGS TITLE                       a failing test that belongs to none of them

$1 == "part" {
    key = $2 "\t" $3
    order[++parts] = key
    further[key] = $4
    source[key] = $5
    judged[key] = $6
}
$1 == "tests-of" { readTests($2 "\t" $3, $4) }
$1 == "tests" { testsOf[$2] = $3 }
$1 == "skeleton" { skeleton[$3] = $2 }
$1 == "now" { now[$3] = $2 }

END {
    for (p = 1; p <= parts; ++p) {
        key = order[p]
        readResults(key)
        write(key)
    }
}

# "TODO(1) and TODO(2): ..." belongs to two of them.
function itemsOf(name, into,    n, head) {
    n = 0
    if (match(name, /^(TODO\([0-9]+\)|Q[0-9]+)( and (TODO\([0-9]+\)|Q[0-9]+))*: /)) {
        head = substr(name, 1, RLENGTH)
        while (match(head, /TODO\([0-9]+\)|Q[0-9]+/)) {
            into[++n] = substr(head, RSTART, RLENGTH)
            head = substr(head, RSTART + RLENGTH)
        }
    }
    return n
}
function number(item) {
    gsub(/[^0-9]/, "", item)
    return item + 0
}

function readTests(key, file,    line, name, n, i, found) {
    while ((getline line < file) > 0) {
        if (line ~ /^TEST_CASE\($/ && (getline name < file) > 0) line = line name
        if (!match(line, /^TEST_CASE\( *"/)) continue
        name = substr(line, RLENGTH + 1)
        sub(/"[,)].*/, "", name)
        n = itemsOf(name, found)
        if (!(key in firstTested)) firstTested[key] = n > 0 ? found[1] : ""
        for (i = 1; i <= n; ++i) {
            if (!((key, number(found[i])) in item)) {
                item[key, number(found[i])] = found[i]
                title[key, found[i]] = name
                if (number(found[i]) > last[key]) last[key] = number(found[i])
            }
        }
    }
    close(file)
}

function valueOf(line, name,    at, rest) {
    at = index(line, "\"" name "\":\"")
    if (!at) return ""
    rest = substr(line, at + length(name) + 4)
    return substr(rest, 1, index(rest, "\"") - 1)
}

# What does not begin and end as it must is as good as not there.
function readResults(key,    file, parted, line, first, end, name, status, at, begin, kinds, n, i, found) {
    split(key, parted, "\t")
    file = progress "/" parted[1] "/" parted[2] ".jsonl"
    first = ""
    end = ""
    while ((getline line < file) > 0) {
        end = line
        if (first == "") first = line
        at = index(line, "\",\"status\":\"")
        if (!at) continue
        name = substr(line, 1, at - 1)
        sub(/.*"test":"/, "", name)
        gsub(/\\"/, "\"", name)
        gsub(/\\\\/, "\\", name)
        status = substr(line, at + 12)
        status = substr(status, 1, index(status, "\"") - 1)
        begin = valueOf(substr(line, at), "begin")
        kinds = substr(line, at)
        sub(/^.*"findings":\[/, "", kinds)
        kinds = substr(kinds, 1, index(kinds, "]") - 1)
        gsub(/"/, "", kinds)
        n = itemsOf(name, found)
        for (i = 1; i <= n; ++i) note(key, found[i], name, status, kinds, begin)
        # A test of another TODO, or of the whole part, has found what is wrong there.
        if (status == "failed" && (key, number(begin)) in item) blamed[key, begin] = 1
        if (n == 0 && status == "failed")
            others[key] = others[key] "other\t" key "\t" (kinds == "" ? "-" : kinds) "\t" name "\n"
        if (status == "failed") ++failures[key]
    }
    close(file)
    digest[key] = ""
    if (first ~ /^\{"judged":/ && end ~ /^\{"end":(true|false)/) {
        digest[key] = valueOf(first, "judged")
        digestOfTests[key] = valueOf(first, "tests")
        built[key] = first !~ /"built":false/
        ended[key] = end ~ /^\{"end":true/
    }
}
function note(key, name, test, status, kinds, begin) {
    seen[key, name] = 1
    if (status == "failed" && !((key, name) in failed)) {
        failed[key, name] = 1
        title[key, name] = test
        findings[key, name] = kinds
        if ((key, number(begin)) in item && begin != name) waitsFor[key, name] = begin
    }
}

# skeleton: untouched, so that nothing needs to be run; changed: since the last test, or never
# tested; tested; not-built; stopped: the tests did not come to their end; missing.
function condition(key,    files, parted, n, i, digests) {
    split(key, parted, "\t")
    if (!(source[key] in now)) return "missing"
    if (now[source[key]] == skeleton[source[key]]) return "skeleton"
    n = split(judged[key], files, "+")
    for (i = 1; i <= n; ++i) digests = digests (i > 1 ? "+" : "") now[files[i]]
    if (digest[key] != digests || digestOfTests[key] != testsOf[parted[1]]) return "changed"
    return !built[key] ? "not-built" : ended[key] ? "tested" : "stopped"
}

function isDone(key, name, is) {
    return (is == "tested" || is == "stopped") && (key, name) in seen && !((key, name) in failed) && \
        !((key, name) in blamed)
}

# The first that is open; but one that can only be judged after another comes after it. Of an
# untouched skeleton that is the one whose test stands in front of all others, if there is one.
function nextOf(key, is,    i, name, steps) {
    if (is == "skeleton" && firstTested[key] != "") return firstTested[key]
    for (i = 1; i <= last[key]; ++i) {
        if (!((key, i) in item) || isDone(key, item[key, i], is)) continue
        name = item[key, i]
        while ((is == "tested" || is == "stopped") && (key, name) in waitsFor && ++steps <= last[key])
            name = waitsFor[key, name]
        return name
    }
    return ""
}

function write(key,    is, done, all, i, name) {
    is = condition(key)
    all = is == "tested" && failures[key] == 0
    print "part\t" key "\t" further[key] "\t" source[key] "\t" is "\t" (all ? "done" : "open")
    name = nextOf(key, is)
    if (name != "") print "next\t" key "\t" name
    for (i = 1; i <= last[key]; ++i) {
        if (!((key, i) in item)) continue
        name = item[key, i]
        done = isDone(key, name, is)
        print "item\t" key "\t" name "\t" (done ? "done" : "open") "\t" \
            (!done && is != "skeleton" && findings[key, name] != "" ? findings[key, name] : "-") \
            "\t" title[key, name]
    }
    if (is == "tested" || is == "stopped") printf "%s", others[key]
}

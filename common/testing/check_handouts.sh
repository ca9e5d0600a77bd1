#!/bin/bash
# Checks the handouts: those of all labs have the same sections in the same order; each part has
# one; none is long or wide; what they and the hints and tests point to is there. Prints 'ok ...'
# or 'FAIL ...' for check_all.sh. usage: check_handouts.sh LAB...
set -u
. "${BASH_SOURCE[0]%/*}/../student/bridge.sh"
SECTIONS=$'Why\nWhat you build\nSteps\nWhat the tests prove\nQuestions\nGoing further'
# Two screens; what comes from runs, between markers, and pictures stand aside.
LINES_OF_LAB=100
LINES_OF_PART=65

status=0
bad() {
    status=1
    echo "FAIL $1"
}
headings() { # file
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print }' "$1"
}
sections() { # file
    awk '/^```/ { code = !code } !code && /^## / { print substr($0, 4) }' "$1"
}
written_lines() { # file
    awk '/^<!-- [a-z]+:begin -->$/ { run = 1 } !run && !/^!\[/ && !/^<!--/ { ++n }
        /^<!-- [a-z]+:end -->$/ { run = 0 } END { print n }' "$1"
}

check_form() { # handout, most lines
    local file=$1 lines link
    lines=$(written_lines "$file")
    [ "$lines" -le "$2" ] || bad "$file has $lines lines; at most $2 beside figures"
    # A table and a link cannot be broken.
    awk -v file="$file" 'length > 80 && !/^\|/ && !/\]\([^)]*\)/ {
            print "FAIL " file ":" FNR ": wider than 80 columns"; bad = 1
        } END { exit bad }' "$file" || status=1
    while read -r link; do
        case $link in *://* | mailto:*) continue ;; esac
        [ -e "$(dirname "$file")/${link%%#*}" ] || bad "$file links to $link, which is not there"
    done < <(tr '\n' ' ' <"$file" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//')
}

# See "Steps", step 2; See hazards/README.md.
check_pointers() { # file, its lab, handouts it may mean...
    local file=$1 lab=$2 pointer found
    shift 2
    while IFS= read -r pointer; do
        case $pointer in
            \"*) found=$(for handout; do headings "$handout"; done | grep -cxF -- "${pointer//\"/}") ;;
            *) found=$(find "$lab/$pointer" 2>/dev/null | wc -l) ;;
        esac
        [ "$found" != 0 ] || bad "$file says 'See $pointer', which is not there"
    done < <(sed 's|[\\]||g' "$file" | grep -oE '[Ss]ee ("[^"]+"|[a-z_]+/README\.md)' | cut -c5-)
}

for lab; do
    handout=$lab/README.md
    [ "$(sections "$handout")" = "$SECTIONS" ] ||
        bad "$handout: its sections must be: ${SECTIONS//$'\n'/, }"
    check_form "$handout" $LINES_OF_LAB
    check_pointers "$lab/hints.md" "$lab" "$handout"
    while read -r _ part _; do
        grep -qF "PART=$part" "$handout" || bad "$handout does not name PART=$part"
        case $part in
            kernel) continue ;;
            answers)
                for file in "$lab"/answers/*.cpp "$lab/answers/hints.md"; do
                    check_pointers "$file" "$lab" "$handout"
                done
                continue
                ;;
        esac
        own=$lab/$part/README.md
        if [ ! -e "$own" ]; then
            bad "$own, the handout of that part, is missing"
            continue
        fi
        check_form "$own" $LINES_OF_PART
        grep -qF "]($part/README.md)" "$handout" || bad "$handout does not link to $own"
        # Of the same sections, in the same order.
        [ "$(sections "$own")" = "$(grep -xF -e "$(sections "$own")" <<<"$SECTIONS")" ] ||
            bad "$own: sections other than the lab's, or in another order"
        for section in Steps 'What the tests prove'; do
            sections "$own" | grep -qxF "$section" || bad "$own has no section '$section'"
        done
        check_pointers "$lab/$part/hints.md" "$lab" "$own" "$handout"
    done < <(parts "$lab")
done
check_form README.md 400
[ ! -e solutions/README.md ] || check_form solutions/README.md 280
[ $status != 0 ] || echo "ok the handouts: the same sections, two screens at most, and no dead pointer"

#!/bin/bash
# Runs a test program on a card, and goes on in a new process where one cannot: a kernel that
# failed leaves the card unusable to its process, and a crash ends it. The report is that of a
# single run, the exit status too: 0 all passed, 1 a test failed, 2 there is no card to use.
#   run_on_card.sh PROGRAM
set -u
program=$1

# As Catch2 3.x has it; 2.x understands that too, but ends with another status.
names=$("$program" --list-tests --verbosity quiet 2>/dev/null) ||
    names=$("$program" --list-test-names-only)
mapfile -t names < <(grep . <<<"$names")

# A comma or a bracket in a name means something to Catch2.
# shellcheck disable=SC2001 # what is found is part of what replaces it
quoted() { sed -e 's/[][,\\"]/\\&/g' <<<"$1"; }

total=${#names[@]} ended=0 passed=0 failed=0
notes=$(mktemp -d)
trap 'rm -rf "$notes"' EXIT
export LAB_FINDINGS=$notes/findings
while [ $ended -lt "$total" ]; do
    rest=''
    for name in "${names[@]:ended}"; do rest+=$(quoted "$name"),; done
    "$program" "${rest%,}" >"$notes/report" 2>"$notes/errors"
    status=$?
    good=$(grep -c '^  ok  ' "$notes/report") bad=$(grep -c '^FAIL  ' "$notes/report")
    grep -vE '^$|^Findings: |^[0-9]+ passed, [0-9]+ failed$' "$notes/report"
    # The first failure is explained, whichever process it is in.
    [ "$bad" = 0 ] || export LAB_EXPLAINED=1
    passed=$((passed + good)) failed=$((failed + bad)) ended=$((ended + good + bad))
    # Between two tests the program ends of itself, with one of these.
    if [ $status -le 2 ] || { [ $status = 3 ] && [ $((good + bad)) != 0 ]; }; then
        cat "$notes/errors" >&2
        [ $status = 3 ] || break
        continue
    fi
    echo "FAIL  ${names[ended]}"
    echo '       The code under test ended the program in this test.'
    sed 's/^/       /' "$notes/errors"
    echo early-end >>"$LAB_FINDINGS"
    failed=$((failed + 1)) ended=$((ended + 1))
done
if [ -s "$LAB_FINDINGS" ]; then
    printf '\nFindings: %s\n' "$(sort -u "$LAB_FINDINGS" | paste -sd, | sed 's/,/, /g')"
fi
[ "$status" != 2 ] || exit 2
printf '\n%d passed, %d failed\n' $passed $failed
[ $failed = 0 ]

#!/bin/bash
# Runs the tests of a part of the student's own, keeps their results for `make progress` (see
# labs.sh), and says what is next. The exit status is that of the tests.
#   keep_results.sh LAB PART DIGESTS PROGRAM...   DIGESTS: a file; of the sources that were built
set -u
. common/student/labs.sh
lab=$1 part=$2 digests=$3
shift 3
# Somebody else asks for the results.
[ -z "${LAB_RESULTS:-}" ] || exec "$@"

kept=$PROGRESS/$lab/$part.jsonl
mkdir -p "$PROGRESS/$lab" || say_and_exit 2 "$PROGRESS/$lab cannot be made; see its permissions."
# Another run of the same part may be under way.
mine=$kept.$$
trap 'rm -f "$mine" "$mine.run" "$mine.run.new"' EXIT

LAB_RESULTS=$mine.run "$@"
status=$?
# Wrong usage, or stopped from outside: that says nothing of the student's file.
case $status in 2 | 129 | 130 | 137 | 143) exit $status ;; esac

keep() {
    printf '{"judged":"%s","tests":"%s"}\n' "$(cut -d' ' -f1 "$digests" | paste -sd+)" \
        "$(tests_digest "$lab")" || return
    # Where the tests ended before their time, what they had found till then is in FILE.new; awk
    # ends a last line that was cut off.
    awk 1 "$mine.run" 2>/dev/null || awk 1 "$mine.run.new" 2>/dev/null
    [ -e "$mine.run" ] || echo '{"end":false}'
}
{ keep >"$mine" && mv "$mine" "$kept"; } ||
    echo "$kept cannot be written, so make progress knows nothing of this test." >&2
[ "${ADVICE:-}" = no ] || $HERE/next.sh "$lab" "$part"
exit $status

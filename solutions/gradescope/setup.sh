#!/bin/bash
# Gradescope runs this once, when it makes the image from the zip: the packages, and all that can be
# built before there is a submission.
set -euo pipefail
cd "${AUTOGRADER:-/autograder}/source"
# shellcheck source=/dev/null # written when the zip is made
. ./settings.sh
if [ -z "${AUTOGRADER:-}" ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        make python3 bubblewrap
fi
cd course
common/setup/install.sh

# Grading the untouched skeletons builds the course's own programs, and shows here, while the teacher
# looks on, whether the grader works on this machine.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
chmod 755 "$trial"
for lab in $LABS; do
    mkdir -p "$trial/submissions/student/$lab"
    cp "$lab"/*.cu "$trial/submissions/student/$lab"
done
SEED="$SEED" make --no-print-directory grade SUBMISSIONS="$trial/submissions" OUT="$trial/out" \
    LABS="$LABS" || true
if [ ! -f "$trial/out/students/student/result.json" ]; then
    echo 'The grader has given no result for the untouched skeletons; see above.' >&2
    exit 1
fi

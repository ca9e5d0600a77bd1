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
make --no-print-directory -j"$(nproc)" libraries
for lab in $LABS; do
    for file in "$lab"/*.cu "$lab"/answers.h; do
        [ -f "$file" ] || continue
        part=$(basename "${file%.*}")
        make --no-print-directory -f common/lab_rules.mk LAB="$lab" PART="$part" \
            HIDDEN=solutions/hidden replay
    done
done

#!/bin/bash
# One or two lines: what is next after a test of a lab or of one of its parts, or in the whole
# course. Reads the stored results alone.
#   next.sh [LAB [PART]]
set -u
. common/student/labs.sh
mapfile -t labs < <(all_labs)
state "${labs[@]}" | advise "${1:-}" "${2:-}"

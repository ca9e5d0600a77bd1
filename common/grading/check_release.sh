#!/bin/bash
# Checks `make release`: what a release holds, that its goals work, and that the check for leftovers
# sees them. Objects that are built are taken over, as make finds their sources no newer. Prints 'ok ...',
# 'FAIL ...' and 'left out: ...' for check_all.sh.
set -u
unset MAKEFLAGS MAKEOVERRIDES LABS OUT
release=build/check/release
log=build/check/release.log
mkdir -p build/check
if ! command -v python3 >/dev/null 2>&1; then
    echo 'left out: make release (python3 is not installed)'
    exit
fi
rm -rf build/check/release build/check/release_of_lab1 build/check/.release*

said() { # what, wanted status, pattern, command...
    local what=$1 wanted=$2 pattern=$3 status
    shift 3
    "$@" >"$log" 2>&1
    status=$?
    if [ $status = "$wanted" ] && grep -qE -- "$pattern" "$log"; then
        echo "ok $what"
    else
        echo "FAIL $what: status $status, said: $(tail -n 3 "$log" | tr '\n' ' ')"
    fi
}
quiet_make() { make --no-print-directory "$@"; }
in_release() { (cd $release && "$@"); }

said 'a release of all labs is made' 0 'nothing of a solution found' \
    quiet_make release OUT=$release
[ -f $release/Makefile ] || exit
said 'a folder that holds something is not written to' 2 'is not empty' \
    quiet_make release OUT=$release
said 'a release into the course itself is refused' 2 'lies in the course' \
    quiet_make release OUT=lab1_naive/release
said 'a release of a lab that there is not is refused' 2 'no such lab' \
    quiet_make release OUT=build/check/release_of_lab1 LABS=lab9
said 'a release without OUT says what is missing' 2 'OUT is missing' quiet_make release
mkdir build/check/release_of_lab1
unknown=lab1_naive/not_known_to_git.txt
touch $unknown
said 'a release of lab 1 goes into an empty folder' 0 'Left out: lab2_tiled' \
    quiet_make release OUT=build/check/release_of_lab1 LABS=lab1
rm $unknown
if [ ! -e .git ] || grep -qx "  $unknown" "$log"; then
    echo 'ok a release names a file that git does not know'
else
    echo "FAIL a release does not name $unknown, which git does not know ($log)"
fi
if [ -d build/check/release_of_lab1/lab2_tiled ] ||
    ! make -C build/check/release_of_lab1 | grep 'there are lab1$' >/dev/null; then
    echo 'FAIL a release of lab 1 holds lab 1 alone'
else
    echo 'ok a release of lab 1 holds lab 1 alone'
fi
if compgen -G 'build/check/.release*' >/dev/null || [ -e lab1_naive/release ]; then
    echo 'FAIL a refused release leaves something behind'
else
    echo 'ok a refused release leaves nothing behind'
fi

labs=(lab*/Makefile)
top=$(cd $release && LC_ALL=C bash -c 'echo *')
if [ "$top" = "LICENSE Makefile README.md common datasets ${labs[*]%/Makefile}" ] &&
    [ ! -e $release/.git ]; then
    echo "ok a release's top level is the course's, without solutions"
else
    echo "FAIL a release's top level: $top"
fi

common/grading/copy_build.sh $release
said 'in a release: make prints help without goals for teachers' 0 '^make demo' in_release make
! grep -v ' directory ' "$log" | grep -qiE 'teacher|release|SOLUTION' ||
    echo "FAIL a release's help names the teacher's goals"
said 'in a release: make doctor' 0 '^Needed:' in_release make doctor
said 'in a release: make lab1 fails with its TODOs' 2 'TODO\(1\): ' in_release quiet_make lab1
said 'in a release: SOLUTION=1 says that there is none' 2 'solutions/lab1_naive/.*no such file' \
    in_release quiet_make -C lab1_naive test SOLUTION=1
said 'in a release: make bench says that it comes with the solutions' 2 'comes with the solutions' \
    in_release make bench
said 'in a release: make test knows its units and skeletons' 0 'check_copy.sh lab1_naive' \
    in_release make -n test
commands=$PWD/common/testing/check_commands.sh
in_release "$commands" | sed "s|FAIL |FAIL in a release: |"
handouts=$PWD/common/testing/check_handouts.sh
in_release "$handouts" lab1_naive lab2_tiled lab3_boundary lab4_memtypes |
    sed "s|FAIL |FAIL in a release: |; s|ok |ok in a release: |"
rm -rf $release/build

PYTHONPATH=common/grading PYTHONDONTWRITEBYTECODE=1 python3 -m release.tests $release
rm -rf build/check/release_of_lab1

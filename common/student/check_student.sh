#!/bin/bash
# Checks make progress, hint, reset and watch in a copy of the course, as a student would use them.
# Needs what `make test` has built. Prints 'ok ...', 'left out: ...' or 'FAIL ...' for check_all.sh.
set -u
. common/student/bridge.sh

common/student/check_hints.sh

mistakes=$PWD/build/mistakes
# Not with the system's temporary files, which may have little room.
mkdir -p build/check
copy=$(mktemp -d "$PWD/build/check/student.XXXXXX")
watcher=''
cleanup() {
    [ -z "$watcher" ] || kill -INT "$watcher" 2>/dev/null
    rm -rf "$copy"
}
trap cleanup EXIT
# The store of a release, so that the copy needs no git.
mapfile -t labs < <(all_labs)
while read -r lab part _; do
    source=$(source_of "$lab" "$part")
    mkdir -p "$copy/$HERE/skeletons/${source%/*}"
    ask '[skeleton.Skeletons().text(words[0]).decode().removesuffix("\n")]' "$source" \
        >"$copy/$HERE/skeletons/$source"
    if [ "$(wc -l <"$copy/$HERE/skeletons/$source")" -lt 2 ]; then
        echo "left out: progress, hint, reset and watch ($source is not in git's history)"
        exit
    fi
done < <(parts "${labs[@]}")
cp -a Makefile common lab*/ "$copy/"
[ ! -d solutions ] || cp -a solutions "$copy/"
common/grading/copy_build.sh "$copy"
cp -r "$copy/$HERE"/skeletons/* "$copy/"
cd "$copy" || exit
export GIT_CEILING_DIRECTORIES=${copy%/*}
unset MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL PART TODO AGAIN YES LAB_RESULTS ADVICE

out='' status=0
try() { # command...: sets out and status
    out=$("$@" 2>&1 </dev/null)
    status=$?
}
title=''
is() { # sentence; what follows until the next one belongs to it
    [ -z "$title" ] || echo "ok $title"
    title=$1
}
want() { # command that must succeed...; of a sentence, the first that does not is told
    "$@" && return
    [ -z "$title" ] ||
        echo "FAIL $title: not so: $(head -c 200 <<<"$*" | tr '\n' '|') (status $status; $(
            head -c 400 <<<"$out" | tr '\n' '|'))"
    title=''
}
says() { grep -qF -- "$1" <<<"$out"; }
silent_on() { ! says "$1"; }
row() { awk -v lab="$1" -v part="$2" -v text="$3" '
    /^lab[0-9]/ { here = $1; $1 = "" }
    here == lab && $0 ~ "^ +" part " " && index($0, text) { found = 1 }
    END { exit !found }' <<<"$out"; }
# Less what make says of its folder, which may be as long as a path is.
fits_a_screen() {
    grep -v "^make: .* directory '" <<<"$out" | awk 'length > 80 { bad = 1 } END { exit bad || NR > 24 }'
}
same() { cmp -s "$1" "$2"; }
status_is() { [ "$status" = "$1" ]; }
# Results as a test writes them, of the files that are there.
pretend() { # lab, part, lines
    mkdir -p "$PROGRESS/$1"
    printf '{"judged":"%s","tests":"%s"}\n%s\n' "$(judged_digest "$1" "$2")" \
        "$(tests_digest "$1")" "$3" >"$PROGRESS/$1/$2.jsonl"
}
ADD=lab1_naive/matrix_add.cu
RIGHT=solutions/$ADD

is 'lab.toml names every part of every lab once, and nothing else'
for makefile in lab*/Makefile; do
    lab=${makefile%/*}
    out=$(make -s -f common/lab_rules.mk LAB="$lab" help)
    want test "$(sed -n 's/.*; here: //p' <<<"$out" | tr ' ' '\n' | sort)" = \
        "$(parts "$lab" | cut -d' ' -f2 | sort)"
    want test "$(parts "$lab" | tail -n 1 | cut -d' ' -f2)" = answers
done

is 'make progress shows every TODO of the untouched skeletons, in one screen, and runs nothing'
try make progress
want status_is 0
want fits_a_screen
want test ! -e $PROGRESS
want row lab1_naive matrix_add 'next 1; open 2-5'
while read -r lab part _; do
    last=$(grep -oE 'TODO\([0-9]+\)|Q[0-9]+\.' "$(source_of "$lab" "$part")" | tr -dc '0-9\n' |
        sort -n | tail -n 1)
    want row "$lab" "$part" "-$last"
done < <(parts "${labs[@]}")

is 'a test that is not of the own file, as it ships, leaves no results'
for variable in SOLUTION=1 SCHEDULE=reverse PROFILE=h200; do
    try make -f common/lab_rules.mk LAB=lab1_naive PART=matrix_add "$variable" test
    want test ! -e $PROGRESS
    want silent_on 'Next:'
done

is 'a file that has changed is tested by make progress, which says so first'
cp "$RIGHT" $ADD
try make progress
want says 'No test has seen lab1_naive/matrix_add.cu as it is now; testing it ...'
want row lab1_naive matrix_add 'done'
want row lab1_naive kernel 'next 1; open 2-10'
try make progress
want silent_on 'testing'

is 'a part of which half is right has its TODOs done and open'
sed 's/ + B\[/ - B[/' "$RIGHT" >$ADD
try make -C lab1_naive test PART=matrix_add
want says 'Next: TODO(3) in lab1_naive/matrix_add.cu; make hint helps.'
want silent_on 'make[1]'
try make progress
want silent_on 'testing'
want row lab1_naive matrix_add 'done 1-2, 4-5; next 3'
try make -C lab1_naive progress
want fits_a_screen
want says '  next  TODO(3): an element of C'

is 'two tests of one part, as make test beside make watch, come one after the other'
lock=build/sim/lab1_naive/matrix_add/lock
# Holds the lock until the other one says that it waits, a minute at most.
: >waits
flock $lock bash -c 'for n in {1..600}; do ! grep -q Another waits || exit; sleep 0.1; done' &
while flock --nonblock $lock true; do sleep 0.05; done
make -C lab1_naive test PART=matrix_add >waits 2>&1 </dev/null
wait
out=$(cat waits)
want says 'Another test of this part is running'
want says 'Next: TODO(3)'

is 'a file that does not compile hides nothing of the others, and is not built again'
echo 'int broken' >>lab1_naive/kernel.cu
cp "$RIGHT" $ADD
try make progress
want row lab1_naive matrix_add 'done'
want row lab1_naive kernel 'does not compile'
want row lab4_memtypes kernel 'open 1-8'
want says 'make -C lab1_naive test PART=kernel shows why.'
try make progress
want silent_on 'testing'
cp "$HERE/skeletons/lab1_naive/kernel.cu" lab1_naive/kernel.cu

is 'a broken or half-written results file counts as not tested'
head -n 3 $PROGRESS/lab1_naive/matrix_add.jsonl >"$copy/half" && mv "$copy/half" $PROGRESS/lab1_naive/matrix_add.jsonl
try make progress
want says 'testing it'
want row lab1_naive matrix_add 'done'
head -c 100 /dev/urandom >$PROGRESS/lab1_naive/matrix_add.jsonl
try make progress
want says 'testing it'
want row lab1_naive matrix_add 'done'

is 'a finding that every test meets makes the TODO next to which its line belongs'
cp "$mistakes/lab1_naive/kernel/copy_direction_wrong.cu" lab1_naive/kernel.cu
try make -C lab1_naive test PART=kernel
want says 'FAIL  TODO(5)'
want says 'Next: TODO(9) in lab1_naive/kernel.cu; make hint helps.'
try make progress
want row lab1_naive kernel 'done 1-4; next 9; open 5-8, 10'
try make hint
want says 'TODO(9) of lab1_naive/kernel.cu, hint 1 of 3:'
cp "$HERE/skeletons/lab1_naive/kernel.cu" lab1_naive/kernel.cu
rm $PROGRESS/hints

is 'a test that waits for another TODO makes that one next, whatever its number'
cp "$mistakes/lab3_boundary/kernel/grid_from_k.cu" lab3_boundary/kernel.cu
try make -C lab3_boundary test PART=kernel
want says 'FAIL  TODO(2)'
want says 'Next: TODO(6) in lab3_boundary/kernel.cu; make hint helps.'
cp "$HERE/skeletons/lab3_boundary/kernel.cu" lab3_boundary/kernel.cu

is 'where only a test of the whole part fails, that is next, as make hint says it'
LAB4=lab4_memtypes/kernel.cu
echo '// mine' >>$LAB4
grep -ho 'TEST_CASE("[^"]*"' lab4_memtypes/test_*.cpp | cut -d'"' -f2 | grep ^TODO |
    sed 's/.*/{"test":"&","status":"passed","findings":[],"explanation":""}/' >passing
printf '{"test":"%s","status":"failed","findings":["unset-read"],"explanation":""}\n' \
    'the product is right for every tile width, also where it does not divide Width, ever' >failing
pretend lab4_memtypes kernel "$(cat passing failing && echo '{"end":true}')"
try "${STUDENT[@]}" advice lab4_memtypes kernel
want says "Next: every TODO of $LAB4 is done, but another test fails:"
want says '  Width, ever'
want fits_a_screen
try make -C lab4_memtypes hint PART=kernel
want says "Every TODO of $LAB4 is done, but another test fails:"
want says '  Width, ever'
want fits_a_screen
pretend lab4_memtypes kernel "$(cat passing && echo '{"end":false}')"
try make -C lab4_memtypes hint PART=kernel
want says 'the tests do not come to their end.'
cp "$HERE/skeletons/$LAB4" $LAB4
rm -r $PROGRESS/lab4_memtypes

is 'a line of make progress that is too wide goes on below'
out=$(ask 'progress.table([state.PartState("lab4_memtypes", "qualifiers", True,
    "lab4_memtypes/qualifiers.cu", "changed", False, "", [], [])], False).splitlines()')
want says 'build/progress/lab4_memtypes/qualifiers.log says why'
want says '(goes further)'
want fits_a_screen

is 'answers that do not compile are said not to, and use up no hint'
sed -i '0,/= UNANSWERED/s//= "yes"/' lab1_naive/answers.h
try make -C lab1_naive progress
want row lab1_naive answers 'does not compile'
try make -C lab1_naive hint PART=answers
want says 'lab1_naive/answers.h does not compile'
cp "$HERE/skeletons/lab1_naive/answers.h" lab1_naive/answers.h

is 'answers that wait for the kernel on which they are measured make the kernel next'
cp solutions/lab1_naive/answers.h lab1_naive/answers.h
try make -C lab1_naive test PART=answers
want says 'Next: lab1_naive/kernel.cu, on which Q1 of lab1_naive/answers.h is measured.'
cp "$HERE/skeletons/lab1_naive/answers.h" lab1_naive/answers.h

is 'a finished part names the next, a finished lab the next lab, the last one the end'
try "${STUDENT[@]}" advice lab1_naive matrix_add
want says 'Next: TODO(1) in lab1_naive/kernel.cu'
all='{"end":true,"passed":1,"failed":0,"left_out":0}'
for part in kernel answers; do
    echo '//' >>"$(source_of lab1_naive $part)"
done
for part in kernel answers; do pretend lab1_naive $part "$all"; done
try "${STUDENT[@]}" advice lab1_naive answers
want says 'and with it lab1_naive.'
want says 'Next: lab2_tiled; its handout is lab2_tiled/README.md.'
while read -r lab part further; do
    echo '//' >>"$(source_of "$lab" "$part")"
    [ "$further" = yes ] || pretend "$lab" "$part" "$all"
done < <(parts "${labs[@]:1}")
try "${STUDENT[@]}" advice lab4_memtypes
want says 'That was the whole course'
want says 'To go further: lab3_boundary/submatrix.cu'
cp -r "$HERE"/skeletons/* .
rm -r $PROGRESS

is 'a barrier that not all threads reach is next itself where the handout has a section on barriers'
for lab in lab2_tiled lab3_boundary; do
    echo '//' >>$lab/kernel.cu
    pretend $lab kernel '{"part":"'$lab'/kernel","test":"TODO(1): a","status":"failed","findings":["barrier-divergence"],"explanation":""}
{"end":true,"passed":0,"failed":1,"left_out":0}'
done
try "${STUDENT[@]}" advice lab3_boundary kernel
want says 'Next: the barriers of lab3_boundary/kernel.cu'
try make -C lab3_boundary hint PART=kernel
want says 'Read lab3_boundary/README.md, section Barriers;'
try "${STUDENT[@]}" advice lab2_tiled kernel
want says 'Next: TODO(1) in lab2_tiled/kernel.cu'
cp -r "$HERE"/skeletons/* .
rm -r $PROGRESS

is 'make hint gives three hints in turn, remembers them, and says which was the last'
for n in 1 2 3 3; do
    try make hint
    want status_is 0
    want says "TODO(1) of $ADD, hint $n of 3:"
done
want says 'That was the last hint.'
try make -C lab2_tiled hint TODO=4
want says 'TODO(4) of lab2_tiled/kernel.cu, hint 1 of 3:'
try make -C lab2_tiled hint TODO=4 AGAIN=1
want says 'hint 1 of 3:'
try make -C lab2_tiled hint TODO=4 PART=hazards
want says 'TODO(4) of lab2_tiled/hazards.cu, hint 1 of 3:'
try make hint TODO=four
want test $status != 0
want says 'TODO=four: write the number'
try make hint TODOS=3
want says 'TODOS: did you mean TODO?'
try make -C lab2_tiled hint TODO=99
want says 'lab2_tiled/kernel.cu has no TODO(99).'

is 'make hint knows the questions, by their number too'
try make -C lab2_tiled hint TODO=Q4
want says 'Q4 of lab2_tiled/answers.h, hint 1 of 2:'
try make -C lab2_tiled hint PART=answers TODO=4
want says 'Q4 of lab2_tiled/answers.h, hint 2 of 2:'
want says 'read lab2_tiled/README.md, Steps, step 2 again,'
try make -C lab2_tiled hint TODO=Q99
want says 'lab2_tiled/answers.h has no Q99.'

is 'make reset asks, keeps a copy and restores what ships, without git'
echo '// mine' >>$ADD
cp $ADD mine
try make -C lab1_naive reset
want test $status != 0
want says 'YES=1 answers'
want same $ADD mine
mkdir -p build && : >build/kept
try make -C lab1_naive reset YES=1
want says 'can be kept'
want same $ADD mine
rm build/kept
try make -C lab1_naive reset YES=1
want status_is 0
want same $ADD "$HERE/skeletons/$ADD"
want same "$(sed -n 's|^build/kept|&|p' <<<"$out")" mine
want test -z "$(find lab* -name '*.skeleton')"

if command -v git >/dev/null 2>&1; then
    is 'make reset finds every skeleton in git, where a student has committed other work'
    mkdir clone
    cp -r Makefile common lab*/ clone/
    rm -r clone/$HERE/skeletons
    cd clone || exit
    git=(git -c user.name=student -c user.email=student@example.org -c commit.gpgsign=false)
    try git init -q .
    "${git[@]}" add . && "${git[@]}" commit -qm 'As it came'
    for file in lab*/*.cu lab*/answers.h; do echo '// mine' >>"$file"; done
    "${git[@]}" commit -qam 'My work'
    for lab in lab*/; do try make -C "$lab" reset YES=1; done
    for file in lab*/*.cu lab*/answers.h; do want same "$file" "../$HERE/skeletons/$file"; done
    cd ..
else
    echo "left out: skeletons in git's history (git is not installed)"
fi

# --- watch ---
: >watched
# Without job control, what runs in the background would not hear SIGINT.
set -m
# Whoever started this check in the background has it ignore SIGINT, and a script cannot undo that.
env --default-signal=INT "${STUDENT[@]}" watch lab1_naive >>watched 2>&1 </dev/null &
watcher=$!
set +m
comes() { # text: it appears within two minutes, which only a busy machine takes
    local n
    for ((n = 0; n < 1200; ++n)); do
        out=$(cat watched)
        ! says "$1" || return 0
        sleep 0.1
    done
    return 1
}
is 'make watch shows the first failing fact of what was saved, and how many more'
want comes 'FAIL  TODO(1)'
: >watched
sed 's/ + B\[/ - B[/' "$RIGHT" >new && mv new $ADD
want comes 'more failed'
want says 'FAIL  TODO(3): an element of C'
want test "$(grep -c FAIL <<<"$out")" = 1
is 'make watch shows the first compiler error'
: >watched
sed 's/int Row/int Rov/; s/int Col/int Kol/' "$RIGHT" >$ADD
want comes 'error: '
want test "$(grep -c 'error: ' <<<"$out")" = 1
want says 'help: line '
is 'make watch shows what the compiler warns of, with a line of help'
: >watched
sed 's/^    if (/    if (Row = 0) return;\n&/' "$RIGHT" >$ADD
want comes 'help: line'
want says '== compares, = stores.'
want comes 'more failed'
is 'make watch survives a missing file, and a save while it builds starts anew'
: >watched
rm $ADD
sleep 1.5
want test ! -s watched
sed 's/ + B\[/ - B[/' "$RIGHT" >$ADD
want comes 'Testing'
cp "$RIGHT" $ADD
want comes 'all tests pass'
want silent_on FAIL
is 'make watch ends on Ctrl-C with status 0, and leaves no process behind'
echo '//' >>$ADD
: >watched
want comes 'Testing'
kill -INT $watcher
for ((n = 0; n < 300; ++n)); do
    kill -0 $watcher 2>/dev/null || break
    sleep 0.1
done
kill -KILL $watcher 2>/dev/null
wait $watcher
status=$? watcher=''
want status_is 0
# What was stopped may still be ending.
for ((n = 0; n < 100; ++n)); do
    out=''
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd" 2>/dev/null)" != "$PWD" ] || [ "${process##*/}" = $$ ] ||
            out="$out $(tr '\0' ' ' <"$process/cmdline")"
    done 2>/dev/null
    grep -qE 'make|cc1plus|tests|watch' <<<"$out" || break
    sleep 0.1
done
want test -z "$(grep -E 'make|cc1plus|tests|watch' <<<"$out")"
is ''

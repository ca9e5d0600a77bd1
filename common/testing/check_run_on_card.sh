#!/bin/bash
# Checks run_on_card.sh where there is no card, on a program that plays a test program's part: of
# its four tests the first passes, the second fails and leaves the card unusable, the third crashes,
# the last passes. Prints 'ok ...' or 'FAIL ...' for check_all.sh.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/program" <<'END'
#!/bin/bash
tests=('a comma, in a name' 'a kernel fails' 'a host side crashes' '[brackets] in a name')
if [ "$1" = --list-tests ]; then
    printf '%s\n' "${tests[@]}"
    exit
fi
for test in "${tests[@]}"; do
    spec=$(sed 's/[][,]/\\&/g' <<<"$test")
    [[ ,$1, == *",$spec,"* ]] || continue
    case $test in
        *fails)
            printf 'FAIL  %s\n       why\n' "$test"
            echo cudaErrorIllegalAddress >>"$LAB_FINDINGS"
            exit 3
            ;;
        *crashes)
            echo 'its last words' >&2
            exit 4
            ;;
        *) echo "  ok  $test" ;;
    esac
done
END
cat >"$folder/wanted" <<'END'
  ok  a comma, in a name
FAIL  a kernel fails
       why
FAIL  a host side crashes
       The code under test ended the program in this test.
       its last words
  ok  [brackets] in a name

Findings: cudaErrorIllegalAddress, early-end

2 passed, 2 failed
status 1
END
chmod +x "$folder/program"
{
    common/testing/run_on_card.sh "$folder/program"
    echo "status $?"
} >"$folder/got" 2>&1
if diff "$folder/wanted" "$folder/got" >&2; then
    echo 'ok on a card, the tests go on behind a kernel that failed'
else
    echo 'FAIL run_on_card.sh: the report is not the wanted one (the difference is shown above)'
fi

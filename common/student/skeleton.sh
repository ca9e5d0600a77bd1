#!/bin/bash
# Finds skeletons as they ship; sourced, behind labs.sh, in the repository's root.

shipped_digest() { sed -n "s|^\([0-9a-f]*\)  $1\$|\1|p" common/testing/skeletons.sha256; }
digest_of() { sha256sum 2>/dev/null <"$1" | cut -d' ' -f1; }

# Writes the skeleton that has the shipped digest into a file. A release holds a copy of each in
# student/skeletons/, so that it needs no git; a clone finds it in git's history, in which it stays
# however much of their work students commit.
find_skeleton() { # file, where to
    local wanted commit
    wanted=$(shipped_digest "$1")
    [ -n "$wanted" ] || return
    cp "$HERE/skeletons/$1" "$2" 2>/dev/null && [ "$(digest_of "$2")" = "$wanted" ] && return
    while read -r commit; do
        git cat-file blob "$commit:./$1" >"$2" 2>/dev/null &&
            [ "$(digest_of "$2")" = "$wanted" ] && return
    done < <(git log --all --format=%H -- "$1" 2>/dev/null)
    return 1
}

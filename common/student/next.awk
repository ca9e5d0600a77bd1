# Writes what is next, from the lines of state.awk: after a test of `part` of `lab`, of the whole
# `lab`, or, where both are empty, in the course. Needs fold.awk of testing/compile_help, and
# `columns`, the width of its lines.

$1 == "part" {
    key = $2 "\t" $3
    order[++parts] = key
    further[key] = $4
    source[key] = $5
    is[key] = $6
    complete[key] = $7 == "done"
}
$1 == "next" { item[$2 "\t" $3] = $4 }
$1 == "item" && ($2 "\t" $3) in item && $4 == item[$2 "\t" $3] { findings[$2 "\t" $3] = $6 }
$1 == "other" && !(($2 "\t" $3) in other) { other[$2 "\t" $3] = $5 }

END {
    tested = lab "\t" part
    if (part != "") {
        if (!complete[tested]) {
            advise(tested)
            exit
        }
        printf "%s is done", source[tested]
    }
    if (lab != "") {
        key = firstOpen(lab, "no")
        if (key != "") {
            if (part != "") print "."
            advise(key)
            exit
        }
        print part == "" ? lab " is done." : ", and with it " lab "."
    }
    key = firstOpen("", "no")
    if (key != "" && lab != "") {
        print "Next: " labOf(key) "; its handout is " labOf(key) "/README.md."
    } else if (key != "") {
        advise(key)
    } else {
        print "That was the whole course: all of its labs are done."
        key = firstOpen("", "yes")
        if (key != "") print "To go further: " source[key] "; see " labOf(key) "/README.md."
    }
}

function say(words) { printf "%s", fold(words) }
function labOf(key) { return substr(key, 1, index(key, "\t") - 1) }
function partOf(key) { return substr(key, index(key, "\t") + 1) }
function command(key, goal) { return "make -C " labOf(key) " " goal " PART=" partOf(key) }

function firstOpen(inLab, goesFurther,    p, key) {
    for (p = 1; p <= parts; ++p) {
        key = order[p]
        if (!complete[key] && further[key] == goesFurther && (inLab == "" || labOf(key) == inLab))
            return key
    }
    return ""
}

function advise(key) {
    if (is[key] == "missing") {
        say("Next: " source[key] " is missing.")
        say(command(key, "reset") " puts the skeleton there.")
    } else if (is[key] == "not-built") {
        say("Next: " source[key] " does not compile.")
        say(command(key, "test") " shows why.")
    } else if (is[key] == "changed") {
        say("Next: " source[key] " has not been tested as it is now:")
        say(command(key, "test"))
    } else if (findings[key] ~ /kernel-first/) {
        say("Next: " labOf(key) "/kernel.cu, on which " item[key] " of " source[key] " is measured.")
    } else if (findings[key] ~ /barrier-divergence/ && index(" " barriers " ", " " labOf(key) " ")) {
        say("Next: the barriers of " source[key] ": not all threads come to each.")
        say("See " labOf(key) "/README.md, section Barriers.")
    } else if (key in item) {
        say("Next: " item[key] " in " source[key] "; make hint helps.")
    } else if (key in other) {
        # As hint.sh says it.
        say("Next: every " (partOf(key) == "answers" ? "question" : "TODO") " of " source[key] \
            " is done, but another test fails:")
        say("  " other[key])
    } else {
        say("Next: " source[key])
        say(command(key, "test"))
    }
}

# Writes the first warnings, each with a line of help where a rule fits.

END {
    for (m = 1; m <= messages; ++m) {
        words = helpOf(m)
        # clang++ and empty_bodies.awk see the same.
        if ((line[m] SUBSEP words) in told) continue
        told[line[m], words]
        if (++shown > 3) continue
        show(m)
        if (words != "") printf "%s", helpLine(lineHelped, words)
    }
    if (shown > 3) print "and " shown - 3 " more"
    if (shown) print ""
}

function helpOf(m,    quoted) {
    lineHelped = line[m]
    if (text[m] ~ /as truth value|as a condition/ && lineOf(file[m], line[m]) ~ /for *\(/)
        return "= stores; a loop goes on while k < n."
    if (text[m] ~ /result unused/ && lineOf(file[m], line[m]) ~ /^ *__[a-z]+ *;/)
        return "a call needs ( ), as in __syncthreads();"
    if (!declaredAt[m]) return helpFor(m)
    lineHelped = declaredAt[m]
    split(text[m], quoted, "'")
    if (lineOf(file[m], lineHelped) ~ "cudaDeviceProp *\\* *" quoted[2])
        return "declare cudaDeviceProp " quoted[2] "; and pass its address, &" quoted[2] "."
    if (lineOf(file[m], lineHelped) ~ ("[*] *" quoted[2] "([^A-Za-z_0-9]|$)"))
        return quoted[2] " begins with no value; has cudaMalloc set it?"
    return quoted[2] " begins with no value; give it one, as in " quoted[2] " = " \
        (lineOf(file[m], lineHelped) ~ /float|double/ ? "0.0f" : "0") ";"
}

# Of what make has said where a build failed: the compiler's first error with its picture of the
# line, or what else was the first to be said, and the line of help that ends it. Needs fold.awk of
# testing/compile_help.

/^make/ { helping = 0; next }
/^help: / { helping = 1 }
helping { printf "%s", fold($0); next }
/^  (compile|nvcc|link|archive) / || (!shown && /: In |^In file|^ +from /) { next }
shown && /(error|warning): / { next_one = 1 }
!next_one && ++shown <= 12 {
    printf "%s", fold($0)
    next_one = /undefined reference/
}

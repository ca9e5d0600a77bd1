# Lines as they are, for a terminal; needs fold.awk.
{ printf "%s", fold($0) }

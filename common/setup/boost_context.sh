#!/bin/sh
# Prints the path of Boost.Context's library; nothing, with a status, if the library or its
# header is not there. The headers alone come with other packages of Boost too.
set -eu
[ -e /usr/include/boost/context/fiber.hpp ] || [ -e /usr/local/include/boost/context/fiber.hpp ]
for name in libboost_context.so libboost_context.a; do
    # g++ prints the bare name if it finds no such file.
    file=$(g++ -print-file-name=$name)
    [ "$file" = "$name" ] || { realpath "$file" && exit 0; }
done
exit 1

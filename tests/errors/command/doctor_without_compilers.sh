CC=no-such-cc SOLWAY_CLANG=no-such-clang solway doctor | grep -A1 MISSING | grep -v -e matplotlib -e rich

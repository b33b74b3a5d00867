CC=no-such-cc SOLWAY_CLANG=no-such-clang solway doctor | grep --no-group-separator -A1 MISSING | grep -v -e matplotlib -e rich -e x86-64-v4 -e 'leave cpu'

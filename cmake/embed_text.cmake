# cmake -DFILE=<text> -DNAME=<variable> -DOUT=<file.cpp> -P embed_text.cmake
#
# Writes a C++ source with the text of a file as `extern const char <variable>[]`.
file(READ "${FILE}" text)
file(WRITE "${OUT}"
     "extern const char ${NAME}[];\nconst char ${NAME}[] = R\"~~text~~(${text})~~text~~\";\n")

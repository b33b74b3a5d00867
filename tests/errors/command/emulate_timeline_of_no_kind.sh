solway emulate "$KERNELS/saxpy" --mode timed --timeline saxpy.txt

solway emulate "$KERNELS/saxpy" --timeline saxpy.html

solway emulate "$KERNELS/saxpy" --size N=many

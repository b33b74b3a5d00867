solway emulate "$KERNELS/saxpy" --seed -1

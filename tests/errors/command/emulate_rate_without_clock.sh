solway emulate "$KERNELS/saxpy" --operations 1000

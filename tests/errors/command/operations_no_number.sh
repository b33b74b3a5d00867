solway emulate "$KERNELS/saxpy" --operations none

solway emulate "$KERNELS/saxpy" --outputs no_such_folder/out.npz

echo 1 2 3 > inputs.npz
solway emulate "$KERNELS/saxpy" --inputs inputs.npz

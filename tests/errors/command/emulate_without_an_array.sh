cat > save.py <<END
import numpy as np

np.savez("inputs.npz", x=np.zeros(32768, "float32"))
END
python3 save.py
solway emulate "$KERNELS/saxpy" --inputs inputs.npz

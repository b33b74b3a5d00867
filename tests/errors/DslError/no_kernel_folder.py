import solway as sw

sw.hand_kernel("saxpy")

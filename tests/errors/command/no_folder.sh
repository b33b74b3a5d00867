solway emulate saxpy

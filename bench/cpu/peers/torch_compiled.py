"""PyTorch's compiler with frozen weights, which it brings into oneDNN's layouts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from operations import Convolution, Operation, Pool

from peers import Way, torch_eager

__all__ = ["require", "versions", "ways"]

require, versions = torch_eager.require, torch_eager.versions


def ways(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Way]:
    """One compiled module; images have their channels last."""
    import torch
    import torch._dynamo
    import torch._inductor.config as config

    torch._dynamo.reset()
    module, given = (
        torch_eager.module_of(operation, arrays),
        torch_eager.inputs_of(operation, arrays),
    )
    if isinstance(operation, Convolution | Pool):
        module = module.to(memory_format=torch.channels_last)
        given = [x.contiguous(memory_format=torch.channels_last) for x in given]
    config.freezing = True
    compiled = torch.compile(module, dynamic=False)
    prepared = torch_eager.way("torch, compiled", compiled, given)
    prepared.run()
    return [prepared]

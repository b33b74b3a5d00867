"""PyTorch as it runs without a compiler: its own layouts, and oneDNN with prepared weights."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from operations import (
    EPSILON,
    Attention,
    Convolution,
    FullyConnected,
    Gelu,
    LayerNorm,
    Operation,
    Pool,
    Product,
    Softmax,
)

from peers import Missing, Way

__all__ = ["inputs_of", "module_of", "require", "versions", "way", "ways"]


def require() -> None:
    """Raises where the library is not installed."""
    try:
        import torch
    except ImportError as error:
        raise Missing(str(error)) from None
    torch.set_num_threads(1)


def versions() -> str:
    """Of PyTorch and the oneDNN inside it."""
    import torch

    found = re.search(r"MKL-DNN (v\S+)", torch.__config__.show())
    return f"PyTorch {torch.__version__}, oneDNN {found[1] if found else 'not there'}"


def ways(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Way]:
    """Row-major; for images also channels last; with weights in oneDNN's layout where there are."""
    import torch

    module, given = module_of(operation, arrays), inputs_of(operation, arrays)
    out = [way("torch", module, given)]
    if isinstance(operation, Convolution | Pool):
        last = module_of(operation, arrays).to(memory_format=torch.channels_last)
        image = given[0].contiguous(memory_format=torch.channels_last)
        out.append(way("torch, channels last", last, [image]))
    if isinstance(operation, Convolution | FullyConnected | Product):
        out.append(_prepared(operation, module, given))
    return out


def way(name: str, module: Callable[..., Any], given: Sequence[Any]) -> Way:
    """A call of a module with these tensors."""
    import torch

    last: list[Any] = [None]
    inference = torch.inference_mode

    def run() -> None:
        with inference():
            last[0] = module(*given)

    def result() -> np.ndarray:
        value = last[0]
        dense = value.to_dense() if value.is_mkldnn else value
        return np.ascontiguousarray(dense[0].detach().numpy())

    return Way(name, run, result)


def inputs_of(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Any]:
    """The tensors of a call, with a batch of 1."""
    import torch

    return [torch.from_numpy(np.ascontiguousarray(a))[None] for a in arrays[: operation.given]]


def module_of(operation: Operation, arrays: Sequence[np.ndarray]) -> Any:
    """The operation as a module that has its parameters."""
    import torch
    from torch import nn

    parameters = [torch.from_numpy(np.array(a)) for a in arrays[operation.given :]]
    match operation:
        case Convolution():
            module: Any = nn.Conv2d(
                *(operation.channels, operation.filters, operation.kernel, operation.stride),
                *(operation.border, 1, operation.groups, False),
            )
            module.weight = nn.Parameter(parameters[0])
        case Product():
            module = nn.Linear(operation.depth, operation.n, bias=False)
            module.weight = nn.Parameter(parameters[0].T.contiguous())
        case FullyConnected():
            module = nn.Linear(operation.inputs, operation.outputs, bias=False)
            module.weight = nn.Parameter(parameters[0])
        case Pool(kind="largest"):
            module = nn.MaxPool2d(operation.kernel, operation.stride)
        case Pool():
            module = nn.AvgPool2d(operation.kernel, operation.stride)
        case Softmax():
            module = nn.Softmax(-1)
        case Gelu():
            module = nn.GELU()
        case LayerNorm():
            module = _norm(operation, parameters)
        case Attention():
            module = _attention()
        case _:
            raise NotImplementedError(type(operation).__name__)
    return module.eval()


def _norm(operation: LayerNorm, parameters: Sequence[Any]) -> Any:
    from torch import nn

    norm = nn.LayerNorm(operation.columns, eps=EPSILON)
    norm.weight, norm.bias = (nn.Parameter(p) for p in parameters)

    class Sum(nn.Module):
        """A norm of a sum."""

        def __init__(self) -> None:
            super().__init__()
            self.norm = norm

        def forward(self, x: Any, r: Any) -> Any:
            return self.norm(x + r)

    return Sum() if operation.residual else norm


def _attention() -> Any:
    from torch import nn

    class Heads(nn.Module):
        """Scaled products of all heads."""

        def forward(self, q: Any, k: Any, v: Any) -> Any:
            return nn.functional.scaled_dot_product_attention(q, k, v)

    return Heads()


def _prepared(
    operation: Convolution | FullyConnected | Product, module: Any, given: Sequence[Any]
) -> Way:
    """The primitive of oneDNN on weights in the layout that it prefers."""
    import torch

    weights, (x,) = module.weight.detach(), given
    one_dnn = torch.ops.mkldnn
    rows = 1 if isinstance(operation, FullyConnected) else x.shape[1]
    if not isinstance(operation, Convolution):
        packed = one_dnn._reorder_linear_weight(weights, rows)

        def product(x: Any) -> Any:
            return one_dnn._linear_pointwise(x, packed, None, "none", [], "")

        return way("torch, oneDNN prepared", product, [x])
    geometry = [[n, n] for n in (operation.border, operation.stride, 1)]
    x = x.contiguous(memory_format=torch.channels_last)
    packed = torch._C._nn.mkldnn_reorder_conv2d_weight(
        weights.to_mkldnn(), *geometry, operation.groups, list(x.shape)
    )

    def convolve(x: Any) -> Any:
        groups = operation.groups
        return one_dnn._convolution_pointwise(x, packed, None, *geometry, groups, "none", [], "")

    return way("torch, oneDNN prepared", convolve, [x])

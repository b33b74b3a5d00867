"""Operations as ONNX models of one node or a few, for the libraries that read such."""

from __future__ import annotations

import math
from collections.abc import Sequence
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

__all__ = ["inputs_of", "model"]

OPSET, IR_VERSION = 20, 9


def inputs_of(operation: Operation, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The arrays of a call, with a batch of 1."""
    return [np.ascontiguousarray(a)[None] for a in arrays[: operation.given]]


def model(operation: Operation, arrays: Sequence[np.ndarray]) -> Any:
    """Inputs are `x0`, `x1`, ..., the output is `y`; parameters are constants."""
    from onnx import TensorProto, helper, numpy_helper

    given = inputs_of(operation, arrays)
    inputs = [
        helper.make_tensor_value_info(f"x{n}", TensorProto.FLOAT, a.shape)
        for n, a in enumerate(given)
    ]
    nodes, constants = _nodes(operation, arrays[operation.given :])
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(
        nodes,
        "layer",
        inputs,
        [output],
        [numpy_helper.from_array(np.ascontiguousarray(a), name) for name, a in constants.items()],
    )
    imports = [helper.make_opsetid("", OPSET)]
    return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION)


def _nodes(
    operation: Operation, parameters: Sequence[np.ndarray]
) -> tuple[list[Any], dict[str, np.ndarray]]:
    """The nodes, and the constants that they read."""
    from onnx import helper

    node = helper.make_node
    match operation:
        case Convolution():
            attributes = {
                "group": operation.groups,
                "strides": [operation.stride] * 2,
                "pads": [operation.border] * 4,
            }
            return [node("Conv", ["x0", "w"], ["y"], **attributes)], {"w": parameters[0]}
        case Product():
            return [node("MatMul", ["x0", "w"], ["y"])], {"w": parameters[0]}
        case FullyConnected():
            return [node("MatMul", ["x0", "w"], ["y"])], {"w": parameters[0].T}
        case Pool():
            window = {"kernel_shape": [operation.kernel] * 2, "strides": [operation.stride] * 2}
            name = "MaxPool" if operation.kind == "largest" else "AveragePool"
            return [node(name, ["x0"], ["y"], **window)], {}
        case Softmax():
            return [node("Softmax", ["x0"], ["y"], axis=-1)], {}
        case Gelu():
            return [node("Gelu", ["x0"], ["y"])], {}
        case LayerNorm():
            read = "sum" if operation.residual else "x0"
            norm = node(
                "LayerNormalization", [read, "scale", "shift"], ["y"], axis=-1, epsilon=EPSILON
            )
            total = [node("Add", ["x0", "x1"], ["sum"])] if operation.residual else []
            return [*total, norm], {"scale": parameters[0], "shift": parameters[1]}
        case Attention():
            return _attention(operation)
    raise NotImplementedError(type(operation).__name__)


def _attention(operation: Attention) -> tuple[list[Any], dict[str, np.ndarray]]:
    """Products and a softmax, which libraries find again."""
    from onnx import helper

    node = helper.make_node
    nodes = [
        node("Transpose", ["x1"], ["t"], perm=[0, 1, 3, 2]),
        node("MatMul", ["x0", "t"], ["s"]),
        node("Mul", ["s", "scale"], ["z"]),
        node("Softmax", ["z"], ["p"], axis=-1),
        node("MatMul", ["p", "x2"], ["y"]),
    ]
    return nodes, {"scale": np.float32(1 / math.sqrt(operation.width))}

"""ONNX Runtime, with inputs and outputs bound, and images in the blocks that it works in."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from operations import Attention, Convolution, Operation, Pool

from peers import Missing, Way, onnx_models

__all__ = ["require", "versions", "ways"]

BLOCKED = "com.microsoft.nchwc"  # operators on blocks of channels
TO_BLOCKS, FROM_BLOCKS = "ReorderInput", "ReorderOutput"


def require() -> None:
    """Raises where a library is not installed."""
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise Missing(str(error)) from None


def versions() -> str:
    """Of the library."""
    import onnxruntime

    return f"ONNX Runtime {onnxruntime.__version__}"


def ways(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Way]:
    """The operation's own layout; of images also blocks; attention also by its own operator."""
    model = onnx_models.model(operation, arrays)
    given = onnx_models.inputs_of(operation, arrays)
    out = [_way("ONNX Runtime", model, given)]
    if isinstance(operation, Convolution | Pool):
        out += _in_blocks(model, given)
    if isinstance(operation, Attention):
        out.append(_own_attention(operation, given))
    return out


def _options() -> Any:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return options


def _way(name: str, model: Any, given: Sequence[np.ndarray], channels: int = 0) -> Way:
    """A session; `channels`: of a result in blocks, which are taken apart when it is asked for."""
    import onnxruntime as ort

    options = _options()
    session = ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    binding = session.io_binding()
    values = [ort.OrtValue.ortvalue_from_numpy(a) for a in given]
    for n, value in enumerate(values):
        binding.bind_ortvalue_input(f"x{n}", value)
    binding.bind_output("y", "cpu")
    session.run_with_iobinding(binding)
    binding.bind_ortvalue_output("y", binding.get_outputs()[0])

    def result() -> np.ndarray:
        found = binding.get_outputs()[0].numpy()[0]
        return _rows(found) if channels else found

    return Way(name, lambda: session.run_with_iobinding(binding), result)


def _in_blocks(model: Any, given: Sequence[np.ndarray]) -> list[Way]:
    """The node that the library's optimizer makes, without the copies before and behind it."""
    import onnx
    import onnxruntime as ort

    with tempfile.TemporaryDirectory() as folder:
        options, path = _options(), Path(folder, "blocked.onnx")
        options.optimized_model_filepath = str(path)
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        ort.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        blocked = onnx.load(str(path))
    nodes = {node.op_type: node for node in blocked.graph.node if node.domain == BLOCKED}
    before, after = nodes.pop(TO_BLOCKS, None), nodes.pop(FROM_BLOCKS, None)
    if not nodes or after is None:
        return []
    (node,) = nodes.values()
    node.output[0] = "y"
    if before is not None:
        node.input[0] = "x0"
        given = [_blocks(given[0])]
    del blocked.graph.node[:]
    blocked.graph.node.append(node)
    blocked.graph.output[0].type.tensor_type.ClearField("shape")
    del blocked.graph.value_info[:]
    return [_way("ONNX Runtime, blocks", blocked, given, channels=1)]


@functools.cache
def _block() -> int:
    """Channels of a block: lanes of a vector here, which the library does not say but shows."""
    import onnxruntime as ort
    from onnx import TensorProto, helper

    shape = (1, 32, 1, 2)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node(TO_BLOCKS, ["x"], ["y"], domain=BLOCKED)
    model = helper.make_model(
        helper.make_graph([node], "blocks", [x], [y]),
        opset_imports=[
            helper.make_opsetid("", onnx_models.OPSET),
            helper.make_opsetid(BLOCKED, 1),
        ],
        ir_version=onnx_models.IR_VERSION,
    )
    session = ort.InferenceSession(model.SerializeToString(), _options(), ["CPUExecutionProvider"])
    channels = np.repeat(np.arange(shape[1], dtype=np.float32), shape[3]).reshape(shape)
    (found,) = session.run(None, {"x": channels})
    return int(np.flatnonzero(np.diff(found.ravel()) < 0)[0]) + 1


def _blocks(image: np.ndarray) -> np.ndarray:
    """Blocks of channels with the channels of a block innermost, of the same shape."""
    _, channels, rows, columns = image.shape
    block = _block()
    parts = image.reshape(channels // block, block, rows, columns).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(parts).reshape(image.shape)


def _rows(blocks: np.ndarray) -> np.ndarray:
    """The inverse, without a batch."""
    channels, rows, columns = blocks.shape
    block = _block()
    parts = blocks.reshape(channels // block, rows, columns, block).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(parts).reshape(blocks.shape)


def _own_attention(operation: Attention, given: Sequence[np.ndarray]) -> Way:
    """Its operator of several heads, which takes rows of all heads side by side."""
    from onnx import TensorProto, helper

    rows = (1, operation.length, operation.heads * operation.width)
    sides = [np.ascontiguousarray(a.transpose(0, 2, 1, 3)).reshape(rows) for a in given]
    node = helper.make_node(
        "MultiHeadAttention",
        ["x0", "x1", "x2"],
        ["y"],
        domain="com.microsoft",
        num_heads=operation.heads,
    )
    values = [helper.make_tensor_value_info(x, TensorProto.FLOAT, rows) for x in ("x0", "x1", "x2")]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, rows)
    graph = helper.make_graph([node], "attention", values, [output])
    imports = [
        helper.make_opsetid("", onnx_models.OPSET),
        helper.make_opsetid("com.microsoft", 1),
    ]
    model = helper.make_model(graph, opset_imports=imports, ir_version=onnx_models.IR_VERSION)
    way = _way("ONNX Runtime, heads", model, sides)

    def result() -> np.ndarray:
        heads = way.result().reshape(operation.length, operation.heads, operation.width)
        return np.ascontiguousarray(heads.transpose(1, 0, 2))

    return way._replace(result=result)

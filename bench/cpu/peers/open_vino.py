"""OpenVINO, in float32, with images that have their channels last or first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from operations import Attention, Convolution, Operation, Pool

from peers import Missing, Way, onnx_models

__all__ = ["require", "versions", "ways"]

# Machines with bfloat16 would use it by default.
SETTINGS = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}


def require() -> None:
    """Raises where a library is not installed."""
    try:
        import onnx  # noqa: F401
        import openvino  # noqa: F401
    except ImportError as error:
        raise Missing(str(error)) from None


def versions() -> str:
    """Of the library."""
    import openvino

    return f"OpenVINO {openvino.__version__.split('-')[0]}"


def ways(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Way]:
    """The operation's own layout; of images also channels last; attention also by its operator."""
    given = onnx_models.inputs_of(operation, arrays)
    out = [_way("OpenVINO", _read(operation, arrays), given)]
    if isinstance(operation, Convolution | Pool):
        out.append(_channels_last(_read(operation, arrays), given))
    if isinstance(operation, Attention):
        out.append(_way("OpenVINO, attention", _own_attention(given), given))
    return out


def _read(operation: Operation, arrays: Sequence[np.ndarray]) -> Any:
    import openvino

    bytes_of_model = onnx_models.model(operation, arrays).SerializeToString()
    return openvino.Core().read_model(bytes_of_model)


def _way(name: str, model: Any, given: Sequence[np.ndarray]) -> Way:
    """A request whose tensors are the arrays themselves."""
    import openvino

    request = openvino.Core().compile_model(model, "CPU", SETTINGS).create_infer_request()
    tensors = [openvino.Tensor(array, shared_memory=True) for array in given]
    for n, tensor in enumerate(tensors):
        request.set_input_tensor(n, tensor)

    def run(kept: Sequence[np.ndarray] = given) -> None:
        request.infer(share_outputs=True)

    return Way(name, run, lambda: np.array(request.get_output_tensor(0).data[0]))


def _channels_last(model: Any, given: Sequence[np.ndarray]) -> Way:
    """The same for an image whose channels lie innermost, and a result of this kind."""
    from openvino import Layout
    from openvino.preprocess import PrePostProcessor

    steps = PrePostProcessor(model)
    for end in (steps.input(), steps.output()):
        end.tensor().set_layout(Layout("NHWC"))
        end.model().set_layout(Layout("NCHW"))
    image = np.ascontiguousarray(given[0].transpose(0, 2, 3, 1))
    way = _way("OpenVINO, channels last", steps.build(), [image])
    return way._replace(result=lambda: np.ascontiguousarray(way.result().transpose(2, 0, 1)))


def _own_attention(given: Sequence[np.ndarray]) -> Any:
    """A model of its operator for attention."""
    import openvino
    from openvino import opset13

    inputs = [opset13.parameter(a.shape, np.float32) for a in given]
    heads = opset13.scaled_dot_product_attention(*inputs)
    return openvino.Model([heads], inputs, "attention")

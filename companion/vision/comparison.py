"""A plain convolutional network as large as YOLO11n, with random weights, to compare speeds with.

It is made on the spot and never shipped. ONNX files are protocol buffers; the few fields a chain of
convolutions needs are written here directly, so that no further package is needed to measure.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

SIDE = 640
LAYERS = (
    (3, 16, 2),
    (16, 32, 2),
    (32, 32, 1),
    (32, 64, 2),
    *((64, 64, 1),) * 4,
    (64, 128, 2),
    *((128, 128, 1),) * 4,
    (128, 256, 2),
    *((256, 256, 1),) * 2,
    (256, 144, 1),
)
"""Channels in, channels out and stride of each 3×3 convolution."""
_FLOAT, _INTS = 1, 7


def parameters() -> int:
    """How many weights it has."""
    return sum(9 * inward * outward + outward for inward, outward, _ in LAYERS)


def operations() -> int:
    """Floating-point operations for one picture (a multiplication and an addition are two)."""
    total, side = 0, SIDE
    for inward, outward, stride in LAYERS:
        side //= stride
        total += 2 * 9 * inward * outward * side * side
    return total


def network(seed: int = 0) -> bytes:
    """The network as an ONNX file."""
    rng = np.random.default_rng(seed)
    nodes, weights = [], []
    name = "image"
    for i, (inward, outward, stride) in enumerate(LAYERS):
        scale = np.sqrt(2 / (9 * inward))
        weights.append(_tensor(f"w{i}", rng.normal(0, scale, (outward, inward, 3, 3)).astype(np.float32)))
        weights.append(_tensor(f"b{i}", np.zeros(outward, np.float32)))
        attributes = (("strides", (stride, stride)), ("pads", (1, 1, 1, 1)), ("kernel_shape", (3, 3)))
        nodes.append(_node("Conv", (name, f"w{i}", f"b{i}"), f"c{i}", attributes))
        nodes.append(_node("Relu", (f"c{i}",), f"r{i}"))
        name = f"r{i}"
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"comparison")
    graph += b"".join(_field(5, weight) for weight in weights)
    graph += _field(11, _value("image", (1, 3, SIDE, SIDE))) + _field(12, _value(name, None))
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 17))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _node(
    operator: str, inputs: Iterable[str], output: str, attributes: Iterable[tuple[str, tuple[int, ...]]] = ()
) -> bytes:
    content = b"".join(_field(1, name.encode()) for name in inputs)
    content += _field(2, output.encode()) + _field(4, operator.encode())
    for name, values in attributes:
        numbers = b"".join(_number(8, value) for value in values)
        content += _field(5, _field(1, name.encode()) + numbers + _number(20, _INTS))
    return content


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    sizes = b"".join(_number(1, size) for size in values.shape)
    return sizes + _number(2, _FLOAT) + _field(8, name.encode()) + _field(9, values.tobytes())


def _value(name: str, shape: tuple[int, ...] | None) -> bytes:
    tensor = _number(1, _FLOAT)
    if shape is not None:
        tensor += _field(2, b"".join(_field(1, _number(1, size)) for size in shape))
    return _field(1, name.encode()) + _field(2, _field(1, tensor))

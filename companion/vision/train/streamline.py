"""The finished detector made fast: what onnxruntime does slowly around convolutions is put another way.

The picture comes as bytes, pixel by pixel as OpenCV has them, so that nothing is converted or put into
planes. The first convolution reckons with bytes, too, on four pixels side by side that count as one of twelve
channels: three channels alone are gathered one by one. Maps are doubled by joining each row of bytes with
itself. The last convolution, numbers of a cell from that cell alone, is one product of matrices. All but the
first is the same to the last bit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bytes = NDArray[np.int8]

SIDE_BY_SIDE = 4
"""Pixels that count as one."""
MOST = 63
"""The largest weight: seven bits, as in the other layers."""
PIXELS = "pixels"
"""Name of the new input, so that nobody takes an older network for one of these."""
_ROWS, _PLANES = [0, 2, 3, 1], [0, 3, 1, 2]


def streamline(path: Path) -> None:
    """Rewrite the detector in a file; it reckons in whole numbers but for its first and last convolution."""
    import onnx

    model = onnx.load(str(path))
    graph = _Graph(model.graph)
    _take_bytes(graph)
    for number, node in enumerate(graph.all("Resize")):
        _join_rows(graph, node, f"grown{number}")
    _multiply(graph)
    graph.write(("n", "h", "w", 3), ("cells", graph.outputs))
    onnx.save(model, str(path))


def rounded(weights: Floats) -> tuple[Bytes, Floats]:
    """Weights [out, colour, row, column] in seven bits, and their scales. Those of a colour add up as before:
    on a plain surface the network sees nothing but their sum."""
    scales = np.maximum(np.abs(weights).max(axis=(1, 2, 3)), 1e-9) / MOST
    exact = weights / scales[:, None, None, None]
    whole = np.round(exact)
    for wanted, got in zip(exact.reshape(-1, 9), whole.reshape(-1, 9), strict=True):
        while abs(off := float((wanted - got).sum())) > 0.5:
            got[((wanted - got) * np.sign(off)).argmax()] += np.sign(off)
    return whole.astype(np.int8), scales.astype(np.float32)


def folded(weights: Bytes) -> Bytes:
    """Weights [out, colour, row, column] of a 3×3 convolution that goes two pixels at a time, as those of one
    over four pixels side by side: it makes two cells at once, and sees the four before for the first."""
    outs, colours = weights.shape[:2]
    wide = np.zeros((2, outs, 2, SIDE_BY_SIDE, colours, 3), np.int8)
    for cell in range(2):
        for column in range(3):
            block, pixel = divmod(SIDE_BY_SIDE + 2 * cell + column - 1, SIDE_BY_SIDE)
            wide[cell, :, block, pixel] = weights[..., column]
    return wide.reshape(2 * outs, 2, SIDE_BY_SIDE * colours, 3).transpose(0, 2, 3, 1).copy()


class _Graph:
    """A graph in which nodes are taken out and put in, in any order."""

    def __init__(self, graph: Any) -> None:
        from onnx import helper, numpy_helper

        self._graph, self._helper, self._arrays = graph, helper, numpy_helper
        self._nodes: list[Any] = list(graph.node)
        self._values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
        self.input, self.output = graph.input[0].name, graph.output[0].name
        self.outputs = 0

    def all(self, kind: str) -> list[Any]:
        """The nodes of a kind, in order."""
        return [node for node in self._nodes if node.op_type == kind]

    def value(self, name: str) -> Any:
        """A constant of the graph."""
        return self._values[name]

    def constant(self, name: str, value: Any) -> str:
        """Put in a constant."""
        self._values[name] = np.asarray(value)
        return name

    def maker(self, name: str) -> Any:
        """The node that makes a value."""
        return next(node for node in self._nodes if name in node.output)

    def user(self, name: str) -> Any:
        """The one node that takes a value."""
        (node,) = (node for node in self._nodes if name in node.input)
        return node

    def put(self, kind: str, takes: list[str], makes: str, **how: Any) -> str:
        """Put in a node."""
        self._nodes.append(self._helper.make_node(kind, takes, [makes], **how))
        return makes

    def out(self, *nodes: Any) -> None:
        """Take out nodes."""
        self._nodes = [node for node in self._nodes if not any(node is each for each in nodes)]

    def write(self, takes: tuple[Any, ...], makes: tuple[Any, ...]) -> None:
        """Put nodes and constants back, in an order that can be run, with the shapes of input and output."""
        from onnx import TensorProto

        known, todo, done = {*self._values, self.input, ""}, self._nodes, []
        while todo:
            ready = [node for node in todo if known.issuperset(node.input)]
            if not ready:
                raise ValueError(f"nothing makes {sorted({*todo[0].input} - known)}")
            todo = [node for node in todo if not known.issuperset(node.input)]
            done += ready
            known.update(name for node in ready for name in node.output)
        used = {name for node in done for name in node.input}
        graph = self._graph
        del graph.node[:], graph.initializer[:], graph.value_info[:]
        graph.node.extend(done)
        graph.initializer.extend(
            self._arrays.from_array(value, name) for name, value in self._values.items() if name in used
        )
        describe = self._helper.make_tensor_value_info
        graph.input[0].CopyFrom(describe(self.input, TensorProto.UINT8, takes))
        graph.output[0].CopyFrom(describe(self.output, TensorProto.FLOAT, makes))


def _take_bytes(graph: _Graph) -> None:
    """Let the first convolution reckon with the bytes of the picture, blue first."""
    first = graph.user(graph.input)
    graph.input = PIXELS
    weights, bias = (graph.value(name) for name in first.input[1:3])
    whole, scales = rounded(weights[:, ::-1])
    outs, byte = len(whole), np.float32(1 / 255)
    pixel = [
        graph.constant("pixel_scale", byte),
        graph.constant("pixel_zero", np.uint8(0)),
    ]
    graph.put(
        "Reshape", [graph.input, graph.constant("abreast", [0, 0, -1, 3 * SIDE_BY_SIDE])], "picture_abreast"
    )
    graph.put("Transpose", ["picture_abreast"], "picture_planes", perm=_PLANES)
    graph.put("DequantizeLinear", ["picture_planes", *pixel], "picture")
    twice = np.tile(scales, 2)
    told = {
        "weights": (folded(whole), twice, np.int8(0)),
        "bias": (np.round(np.tile(bias / (scales * byte), 2)).astype(np.int32), twice * byte, np.int32(0)),
    }
    for name, (values, scale, zero) in told.items():
        parts = {"": values, "_scale": scale, "_zero": np.full(2 * outs, zero)}
        takes = [graph.constant(f"first_{name}{part}_bytes", value) for part, value in parts.items()]
        graph.put("DequantizeLinear", takes, f"first_{name}", axis=0)
    graph.put(
        "Conv",
        ["picture", "first_weights", "first_bias"],
        first.output[0],
        kernel_shape=[3, 2],
        strides=[2, 1],
        pads=[1, 1, 1, 0],
    )
    graph.out(first)
    quantized = graph.user(graph.user(first.output[0]).output[0])
    (cells,) = quantized.output
    after = graph.user(cells)
    graph.put("Transpose", [cells], "cells_abreast", perm=_ROWS)
    graph.put("Reshape", ["cells_abreast", graph.constant("apart", [0, 0, -1, outs])], "cells_apart")
    after.input[0] = graph.put("Transpose", ["cells_apart"], "first_cells", perm=_PLANES)


def _join_rows(graph: _Graph, resize: Any, name: str) -> None:
    """Double a map of bytes by joining its cells, then its rows, with themselves."""
    before = graph.maker(resize.input[0])
    after = graph.user(resize.output[0])
    last = graph.user(after.output[0])
    (total,) = last.output
    pairs = zip(before.input[1:], last.input[1:], strict=True)
    if any(graph.value(one) != graph.value(other) for one, other in pairs):
        raise ValueError(f"the bytes of {resize.name} stand for other values after it than before")
    beside = next(each for each in graph.user(total).input if each != total)
    rows = graph.put("Transpose", [before.input[0]], f"{name}_rows", perm=_ROWS)
    wide = graph.put("Concat", [rows, rows], f"{name}_wide", axis=3)
    lines = graph.put("Reshape", [wide, graph.constant(f"{name}_line", [0, 0, -1])], f"{name}_lines")
    high = graph.put("Concat", [lines, lines], f"{name}_high", axis=2)
    like = graph.put("Transpose", [graph.maker(beside).input[0]], f"{name}_beside", perm=_ROWS)
    shape = graph.put("Shape", [like], f"{name}_shape")
    grown = graph.put("Reshape", [high, shape], f"{name}_grown")
    last.input[0] = graph.put("Transpose", [grown], f"{name}_planes", perm=_PLANES)
    graph.out(before, resize, after)


def _multiply(graph: _Graph) -> None:
    """Let the last convolution be a product of all cells, one after the other, with its weights."""
    last = graph.maker(graph.output)
    weights, bias = (graph.value(name) for name in last.input[1:3])
    before = graph.maker(last.input[0])
    graph.out(before, last)
    graph.outputs, inward = weights.shape[:2]
    rows = graph.put("Transpose", [before.input[0]], "last_rows", perm=_ROWS)
    cells = graph.put("Reshape", [rows, graph.constant("cells", [-1, inward])], "last_cells")
    graph.put("DequantizeLinear", [cells, *before.input[1:]], "last_values")
    takes = [
        "last_values",
        graph.constant("last_weights", weights[:, :, 0, 0].T.copy()),
        graph.constant("last_bias", bias),
    ]
    graph.put("Gemm", takes, graph.output)

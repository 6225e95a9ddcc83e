"""Networks in whole numbers: the convolutions of a finished network reckon with bytes, three times as fast.

Which range each layer's bytes stand for is measured on pictures that the network learnt from. The first
convolution reads the picture itself and the last places or scores, so these stay in floating point. Weights
take seven bits instead of eight: processors without the newest instructions overflow otherwise.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def in_integers(path: Path, samples: Iterable[NDArray[np.float32]]) -> None:
    """Replace the network in a file by one in whole numbers, with ranges as these inputs need them."""
    import onnx
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as folder, _quiet():
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
        graph = onnx.load(str(plain)).graph
        ends = {each.name for each in (*graph.input, *graph.output)}
        outer = [
            node.name
            for node in graph.node
            if node.op_type == "Conv" and ends & {node.input[0], *node.output}
        ]
        quantization.quantize_static(
            str(plain),
            str(path),
            _Samples(graph.input[0].name, samples),
            op_types_to_quantize=["Conv", "Relu", "Add", "Resize"],
            nodes_to_exclude=outer,
            per_channel=True,
            reduce_range=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )


class _Samples:
    """Inputs one by one, as the calibration asks for them."""

    def __init__(self, name: str, samples: Iterable[NDArray[np.float32]]) -> None:
        self._name, self._samples = name, iter(samples)

    def get_next(self) -> dict[str, Any] | None:
        """The next input, None after the last."""
        sample = next(self._samples, None)
        return None if sample is None else {self._name: sample}


@contextlib.contextmanager
def _quiet() -> Any:
    """Without the advice that is logged on every use."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)

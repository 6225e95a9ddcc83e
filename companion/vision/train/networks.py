"""The four networks that look at a crop, and how they leave for onnxruntime."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from companion.vision.aim import FINE_SIZE
from companion.vision.faces import BODIES, COLOUR_SIZE, FACES, INKS, SIZE


def _block(inward: int, outward: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU(inplace=True)
    )


class _Pooled(nn.Module):  # type: ignore[misc]
    """The mean and the maximum of every channel."""

    def forward(self, x: Tensor) -> Tensor:
        """Both, side by side."""
        return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class Faces(nn.Module):  # type: ignore[misc]
    """Which face a crop shows."""

    outputs = len(FACES)
    size = SIZE

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 32, 2),
            _block(32, 48),
            _block(48, 64, 2),
            _block(64, 96),
            _block(96, 128, 2),
            _block(128, 160),
        )
        self.head = nn.Sequential(_Pooled(), nn.Dropout(0.1), nn.Linear(320, self.outputs))

    def forward(self, crops: Tensor) -> Tensor:
        """Scores of all faces."""
        scores: Tensor = self.head(self.body(crops))
        return scores


class Colours(nn.Module):  # type: ignore[misc]
    """Which colour the body has, and which a cross on it."""

    outputs = len(BODIES) + len(INKS)
    size = COLOUR_SIZE

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(_block(3, 24), _block(24, 40, 2), _block(40, 56, 2), _block(56, 80))
        self.head = nn.Sequential(_Pooled(), nn.Dropout(0.1), nn.Linear(160, self.outputs))

    def forward(self, crops: Tensor) -> Tensor:
        """Scores of all bodies, then of all inks."""
        scores: Tensor = self.head(self.body(crops))
        return scores


class Corners(nn.Module):  # type: ignore[misc]
    """Where the four corners of the face in a crop are, in units of half an edge from its middle, and the way
    from the middle of the die's box to the middle of the face."""

    outputs = 10
    size = SIZE
    last, hidden = 64, 96
    """Channels of the last convolution, and how many numbers are made of them all before the places."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 32, 2),
            _block(32, 48),
            _block(48, 64, 2),
            _block(64, 64),
            _block(64, 96, 2),
            _block(96, self.last),
        )
        everywhere = self.last * (self.size // 8) ** 2
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(everywhere, self.hidden), nn.ReLU(), nn.Linear(self.hidden, self.outputs)
        )

    def forward(self, crops: Tensor) -> Tensor:
        """x and y of each corner, then of the way."""
        places: Tensor = self.head(self.body(crops))
        return places


class Slants(Corners):
    """The same, more exactly, of a face that is aimed at already."""

    size = FINE_SIZE
    last, hidden = 48, 64


Network = Faces | Colours | Corners


def export(network: Network, path: Path) -> None:
    """Write the network for onnxruntime, any number of crops at once."""
    network.eval()
    example = torch.zeros(2, 3, network.size, network.size)
    batch = torch.export.Dim("n", min=1, max=4096)
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=["crops"],
        output_names=["scores"],
        dynamic_shapes={"crops": {0: batch}},
        dynamo=True,
        external_data=False,
        verbose=False,
    )
    plain(path)


def plain(path: Path) -> None:
    """Take out what the exporter notes about the machine it ran on."""
    import onnx

    model = onnx.load(str(path))
    graph = model.graph
    for part in (
        model,
        graph,
        *graph.node,
        *graph.value_info,
        *graph.input,
        *graph.output,
        *graph.initializer,
    ):
        del part.metadata_props[:]
    for node in graph.node:
        node.doc_string = ""
    onnx.save(model, str(path))

"""The network that finds dice: plain 3×3 convolutions down to a thirty-second and back up to a quarter.

Its raw head speaks of a top face in terms that do not jump when the face turns by a quarter: with the corners
as complex numbers c₀…c₃, F₁ is their turning part. (F₁/|F₁|)⁴ says how the face is turned, F₃/conj(F₁) how
it is sheared by the view, F₂ how perspective narrows it. `companion.vision.detector` makes corners of that.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from companion.vision.detector import UNIT

RAW = 20
"""0 heat; 1–4 log distances to the box; 5–6 middle of the face; 7 log size; 8–9 turn; 10–11 shear;
12–13 perspective; 14–17 states; 18 whether this cell lies on an upper face; 19 reserved."""


def _conv(inside: int, outside: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class _Twice(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a straight path."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, seen: Tensor) -> Tensor:
        out: Tensor = torch.relu(seen + self.second(self.first(seen)))
        return out


class Finder(nn.Module):  # type: ignore[misc]
    """About 1.5 million parameters, 4.3 GFLOPs at 640 × 480."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, 16, 2)
        self.quarter = _conv(16, 32, 2)
        self.eighth = nn.Sequential(_conv(32, 64, 2), _Twice(64))
        self.sixteenth = nn.Sequential(_conv(64, 96, 2), _Twice(96), _Twice(96))
        self.deep = nn.Sequential(_conv(96, 128, 2), _Twice(128), _Twice(128))
        self.join16 = nn.Conv2d(128, 96, 1)
        self.up16 = _Twice(96)
        self.join8 = nn.Conv2d(96, 64, 1)
        self.up8 = nn.Sequential(_Twice(64), _Twice(64))
        self.join4 = nn.Conv2d(64, 32, 1)
        self.up4 = _conv(32, 32)
        self.head = nn.Conv2d(32, RAW, 1)
        with torch.no_grad():
            self.head.weight.mul_(0.3)
            self.head.bias.zero_()
            self.head.bias[0] = -4.0
            self.head.bias[7] = -0.5

    def forward(self, image: Tensor) -> Tensor:
        """The raw map of a batch of pictures, RGB from 0 to 1."""
        grow = nn.functional.interpolate
        four = self.quarter(self.stem(image))
        eight = self.eighth(four)
        sixteen = self.sixteenth(eight)
        deep = self.deep(sixteen)
        up = self.up16(sixteen + grow(self.join16(deep), scale_factor=2.0))
        up = self.up8(eight + grow(self.join8(up), scale_factor=2.0))
        up = self.up4(four + grow(self.join4(up), scale_factor=2.0))
        out: Tensor = self.head(up)
        return out


def box_of(raw: Tensor) -> Tensor:
    """Distances left, top, right, bottom in pixels, from raw channels along dimension 1."""
    return torch.exp(raw[:, 1:5].clamp(-4, 3.2)) * UNIT

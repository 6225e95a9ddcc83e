"""Tops and sides: of two neighbouring faces that belong to one die, only the upper one is a find.

Two dice that touch show upper faces of one shape, since they lie in one plane. A top and a side of one die
share an edge, too, but are foreshortened differently.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import Find

SHARED = 0.35
"""Corners nearer than this part of the smaller face's edge are the same."""
UNLIKE = 0.45
"""How differently (in log-ratios of their axes) two faces of one plane are never foreshortened."""
_FLAT = 20.0
"""The most a face can be foreshortened: seen from its very side."""


def edge(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """The edge of a square as large as a face, of one [corner, (x, y)] or many."""
    one, other = corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :]
    area = np.abs(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / 2
    return np.asarray(np.sqrt(np.maximum(area, 16.0)), np.float64)


def shapes(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """How faces [face, corner, (x, y)] are foreshortened, whatever their turn and size: zeros for a square.

    The length of a shape is twice the log-ratio of the long axis to the short one, and points in twice the
    direction of the long axis.
    """
    points = corners.astype(np.float64)
    right = (points[:, 1] - points[:, 0] + points[:, 2] - points[:, 3]) / 2
    down = (points[:, 3] - points[:, 0] + points[:, 2] - points[:, 1]) / 2
    xx, yy = right[:, 0] ** 2 + down[:, 0] ** 2, right[:, 1] ** 2 + down[:, 1] ** 2
    xy = right[:, 0] * right[:, 1] + down[:, 0] * down[:, 1]
    size = np.maximum(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]), 1e-6)
    # The logarithm of a matrix [[xx, xy], [xy, yy]] / size, whose determinant is one.
    stretch = np.minimum(np.arccosh(np.maximum((xx + yy) / (2 * size), 1.0)), _FLAT)
    part = np.where(stretch > 1e-6, stretch / np.sinh(np.maximum(stretch, 1e-6)), 1.0) / size
    return np.stack([part * (xx - yy), part * 2 * xy], axis=1)


def tops(finds: Sequence[Find]) -> list[Find]:
    """The finds without sides: of two faces of a die, the one foreshortened as the other dice are, or else
    the one higher up in the picture."""
    if len(finds) < 2:
        return list(finds)
    corners = np.stack([find.corners for find in finds])
    forms = shapes(corners)
    rivals = [(i, j) for i, j in _touching(corners) if float(np.hypot(*(forms[i] - forms[j]))) > UNLIKE]
    if not rivals:
        return list(finds)
    disputed = {index for pair in rivals for index in pair}
    plain = [i for i, find in enumerate(finds) if i not in disputed and find.score > 0.3]
    usual = np.median(forms[plain], axis=0) if len(plain) > 1 else None
    lost: set[int] = set()
    for i, j in rivals:
        if i in lost or j in lost:
            continue
        if usual is not None:
            off = [float(np.hypot(*(forms[k] - usual))) for k in (i, j)]
        else:
            off = [finds[k].centre[1] for k in (i, j)]
        lost.add(j if off[0] < off[1] else i)
    return [find for index, find in enumerate(finds) if index not in lost]


def _touching(corners: NDArray[np.float32]) -> list[tuple[int, int]]:
    """The pairs of faces, the later one first, of which two corners are the same."""
    edges = edge(corners)
    reach = SHARED * np.minimum(edges[:, None], edges[None])
    apart = np.linalg.norm(corners[:, None, :, None] - corners[None, :, None], axis=4)
    shared = (apart.min(axis=3) < reach[:, :, None]).sum(axis=2) >= 2
    return [(i, j) for i, j in np.argwhere(shared).tolist() if j < i]

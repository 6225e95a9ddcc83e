"""Tops and sides: of two neighbouring faces that belong to one die, only the upper one is a find.

Two dice that touch show upper faces of one shape, since they lie in one plane. A top and a side of one die
share an edge, too, but are foreshortened differently.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import Find, shared_parts

Complex = NDArray[np.complex128]

SHARED = 0.35
"""Corners nearer than this part of the smaller face's edge are the same."""
UNLIKE = 0.45
"""How differently (in log-ratios of their axes) two faces of one plane are never foreshortened."""
ONE_DIE = 0.22
"""The boxes around a top and a side of one die share more of their area than this; those around two dice that
touch mostly less."""
FAINT, PLAINER = 0.3, 0.5
"""A find that scores less than the first, and less than this part of the other's, is not the upper face of
the two, wherever it lies: a shadow, mostly."""
_COMPLEX = np.array([1, 1j])
_FLAT = 20.0
"""The most a face can be foreshortened: seen from its very side."""


def edge(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """The edge of a square as large as a face, of one [corner, (x, y)] or many."""
    one, other = corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :]
    area = np.abs(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / 2
    return np.asarray(np.sqrt(np.maximum(area, 16.0)), np.float64)


def spots(corners: NDArray[np.float32]) -> Complex:
    """Points [..., (x, y)] as complex numbers."""
    return np.asarray(corners @ _COMPLEX)


def shapes(corners: NDArray[np.float32]) -> Complex:
    """How faces [face, corner, (x, y)] are foreshortened, whatever their turn and size: 0 for a square.

    The length of a shape is twice the log-ratio of the long axis to the short one, and points in twice the
    direction of the long axis.
    """
    a, b, c, d = spots(corners).T
    right, down = (b - a + c - d) / 2, (d - a + c - b) / 2
    size = np.maximum(np.abs((right.conj() * down).imag), 1e-6)
    # The logarithm of a symmetric matrix whose determinant is one: right and down, times themselves, by size.
    wide = np.maximum((np.abs(right) ** 2 + np.abs(down) ** 2) / (2 * size), 1.0)
    stretch = np.minimum(np.arccosh(wide), _FLAT)
    part = np.where(stretch > 1e-6, stretch / np.sinh(np.maximum(stretch, 1e-6)), 1.0) / size
    return np.asarray(part * (right**2 + down**2))


def tops(finds: Sequence[Find]) -> list[Find]:
    """The finds without sides: of two faces of a die, the one beside which the other is faint, or else the
    one foreshortened as the other dice are, or else the one higher up in the picture."""
    if len(finds) < 2:
        return list(finds)
    corners = np.stack([find.corners for find in finds])
    touching = _touching(corners)
    if not touching:
        return list(finds)
    forms = shapes(corners)
    overlaps = shared_parts(finds)
    rivals = [
        (i, j)
        for i, j in touching
        if abs(forms[i] - forms[j]) > UNLIKE
        and (overlaps[i, j] > ONE_DIE or _one_is_faint(finds[i], finds[j]))
    ]
    disputed = {index for pair in rivals for index in pair}
    plain = [i for i, find in enumerate(finds) if i not in disputed and find.score > 0.3]
    known = forms[plain]
    usual = complex(np.median(known.real), np.median(known.imag)) if len(plain) > 1 else None
    lost: set[int] = set()
    for i, j in rivals:
        if i in lost or j in lost:
            continue
        if _one_is_faint(finds[i], finds[j]):
            off = [-finds[k].score for k in (i, j)]
        elif usual is not None:
            off = [abs(forms[k] - usual) for k in (i, j)]
        else:
            off = [finds[k].centre[1] for k in (i, j)]
        lost.add(j if off[0] < off[1] else i)
    return [find for index, find in enumerate(finds) if index not in lost]


def _one_is_faint(one: Find, other: Find) -> bool:
    """Whether one of two finds is faint beside the other."""
    low, high = sorted((one.score, other.score))
    return low < min(FAINT, PLAINER * high)


def _touching(corners: NDArray[np.float32]) -> list[tuple[int, int]]:
    """The pairs of faces, the later one first, of which two corners are the same."""
    edges = edge(corners)
    reach = SHARED * np.minimum(edges[:, None], edges[None])
    points = spots(corners)
    apart = np.abs(points[:, None, :, None] - points[None, :, None])
    shared = (apart.min(axis=3) < reach[:, :, None]).sum(axis=2) >= 2
    return [(i, j) for i, j in np.argwhere(shared).tolist() if j < i]

"""Tops and sides: of two neighbouring faces that belong to one die, only the upper one is a find.

Two dice that touch show upper faces of one shape, since they lie in one plane. A top and a side of one die
share an edge, too, but are foreshortened differently.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import Find

SHARED = 0.3
"""Corners nearer than this part of an edge are the same."""
UNLIKE = 0.45
"""How differently (in log-ratios of their axes) two faces of one plane are never foreshortened."""


def shape(find: Find) -> NDArray[np.float64]:
    """How a face is foreshortened, whatever its turn and size: zeros for a square."""
    corners = find.corners.astype(np.float64)
    right = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    spread = np.stack([right, down], axis=1) @ np.stack([right, down])
    values, vectors = np.linalg.eigh(spread / max(float(np.sqrt(abs(np.linalg.det(spread)))), 1e-6))
    logs = (vectors * np.log(np.maximum(values, 1e-6))) @ vectors.T
    return np.array([logs[0, 0] - logs[1, 1], 2 * logs[0, 1]])


def one_die(one: Find, other: Find) -> bool:
    """Whether these are a top and a side of the same die."""
    reach = SHARED * float(np.sqrt(max(cv2.contourArea(one.corners), cv2.contourArea(other.corners), 16.0)))
    apart = np.linalg.norm(one.corners[:, None] - other.corners[None], axis=2)
    if int((apart.min(axis=1) < reach).sum()) < 2:
        return False
    return float(np.hypot(*(shape(one) - shape(other)))) > UNLIKE


def tops(finds: Sequence[Find]) -> list[Find]:
    """The finds without sides: of two faces of a die, the one foreshortened as the other dice are, or else
    the one higher up in the picture."""
    rivals = {(i, j) for i in range(len(finds)) for j in range(i) if one_die(finds[i], finds[j])}
    disputed = {index for pair in rivals for index in pair}
    plain = [shape(find) for index, find in enumerate(finds) if index not in disputed and find.score > 0.3]
    usual = np.median(plain, axis=0) if len(plain) > 1 else None
    lost: set[int] = set()
    for i, j in sorted(rivals):
        if i in lost or j in lost:
            continue
        if usual is not None:
            off = [float(np.hypot(*(shape(finds[k]) - usual))) for k in (i, j)]
        else:
            off = [finds[k].centre[1] for k in (i, j)]
        lost.add(j if off[0] < off[1] else i)
    return [find for index, find in enumerate(finds) if index not in lost]

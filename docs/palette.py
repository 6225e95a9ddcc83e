"""Writes a picture as a PNG with a palette of at most 256 colours: a third of the size, no worse to see."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
MOST = 256


def palette_of(pixels: Pixels) -> Pixels:
    """The colours of a picture, or as many as a palette holds that stand nearest to all of them."""
    colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    if len(colours) <= MOST:
        return colours
    # rare colours are the small signs on a page: they count for more than their area
    heavy = np.repeat(colours, np.clip(np.sqrt(counts), 1, 60).astype(int), axis=0).astype(np.float32)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    _, _, centres = cv2.kmeans(heavy, MOST, np.empty(0), stop, 1, cv2.KMEANS_PP_CENTERS)
    return np.clip(np.rint(centres), 0, 255).astype(np.uint8)


def nearest(pixels: Pixels, palette: Pixels) -> Pixels:
    """For every pixel the place of the nearest colour in the palette."""
    colours, where = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    found = np.empty(len(colours), np.uint8)
    wanted = palette.astype(np.int32)
    for begin in range(0, len(colours), 4096):
        part = colours[begin : begin + 4096].astype(np.int32)
        found[begin : begin + 4096] = ((part[:, None] - wanted[None]) ** 2).sum(axis=2).argmin(axis=1)
    return found[where.reshape(pixels.shape[:2])]


def shrink(file: Path) -> None:
    """Write a PNG anew with a palette."""
    pixels = cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB).astype(np.uint8)
    palette = palette_of(pixels)
    rows = nearest(pixels, palette)
    plain = np.zeros((rows.shape[0], rows.shape[1] + 1), np.uint8)
    plain[:, 1:] = rows  # before every row stands its filter, here none
    head = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(plain.tobytes(), 9)))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_part(*part) for part in (*parts, (b"IEND", b""))))


def _part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

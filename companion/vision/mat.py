"""The mat under the dice: corner markers, patches of known colour, the roll zone and the silver tray.

Everything is in millimetres from the sheet's upper left corner. The same layout is printed and looked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.page import Box, Page, Rgb, Words

PaperSize = Literal["a4", "a3"]
PAPERS: dict[PaperSize, tuple[float, float]] = {"a4": (297, 210), "a3": (420, 297)}
DICTIONARY = cv2.aruco.DICT_4X4_50
MARKERS: dict[tuple[PaperSize, bool], int] = {
    ("a4", True): 0,
    ("a3", True): 4,
    ("a4", False): 8,
    ("a3", False): 12,
}
"""The first of four marker ids, clockwise from the upper left: the camera knows the sheet by them."""

WHITE: Rgb = (255, 255, 255)
MARGIN = 10.0  # most printers leave 5 mm white; the rest is the markers' quiet border
GAP = 6.0
ZONE_FILL: Rgb = (132, 140, 138)  # darker than white dice, lighter than black and purple ones
TRAY_FILL: Rgb = (200, 203, 207)
GREYS: tuple[int, ...] = (225, 190, 160, 122, 85, 52)
COLOURS: tuple[Rgb, ...] = (
    (175, 54, 60),
    (214, 126, 44),
    (231, 199, 31),
    (70, 148, 73),
    (56, 61, 150),
    (94, 60, 108),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything is on a sheet."""

    size: PaperSize
    first_marker: int
    width: float
    height: float
    markers: tuple[Box, Box, Box, Box]
    zone: Box
    tray: Box | None
    patches: tuple[Box, ...]

    @property
    def greys(self) -> tuple[Box, ...]:
        """The patches without colour, and four places of bare paper."""
        return tuple(patch for patch in self.patches if len(set(patch.fill)) == 1)


@cache
def layout(size: PaperSize = "a4", tray: bool = True) -> Layout:
    """The sheet of that size, with or without the drawn tray."""
    width, height = PAPERS[size]
    side, tray_width = (24.0, 54.0) if size == "a4" else (32.0, 80.0)
    right, below = width - MARGIN - side, height - MARGIN - side
    markers = tuple(Box(x, y, side, side) for x, y in ((MARGIN, MARGIN), (right, MARGIN), (right, below)))
    left = MARGIN + side + GAP
    zone_right = right - GAP - (tray_width + GAP if tray else 0)
    zone = Box(left, MARGIN, zone_right - left, below - GAP - MARGIN, ZONE_FILL)
    column_top = MARGIN + side + GAP
    patches = [
        *_column(MARGIN, column_top, side, below - GAP, [*COLOURS, *((g, g, g) for g in GREYS)]),
        *_column(right, column_top, side, below - GAP, [(g, g, g) for g in (*GREYS[::-1], *GREYS)]),
    ]
    patches += [Box(x, y, side, 3, WHITE) for x in (MARGIN, right) for y in (3.5, height - 6.5)]
    return Layout(
        size=size,
        first_marker=MARKERS[size, tray],
        width=width,
        height=height,
        markers=(markers[0], markers[1], markers[2], Box(MARGIN, below, side, side)),
        zone=zone,
        tray=Box(zone_right + GAP, MARGIN, tray_width, zone.height, TRAY_FILL) if tray else None,
        patches=tuple(patches),
    )


def _column(x: float, top: float, width: float, below: float, fills: list[Rgb]) -> list[Box]:
    """Patches in two columns from top to bottom, the first half on the left."""
    rows = len(fills) // 2
    high, wide = (below - top) / rows, width / 2
    return [
        Box(x + wide * (n // rows), top + high * (n % rows), wide, high, fill) for n, fill in enumerate(fills)
    ]


def marker_cells(number: int) -> NDArray[np.bool_]:
    """The white cells of a marker, 6 × 6 with its black border."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 6)) > 0


def draw(size: PaperSize = "a4", tray: bool = True, game: str = "", dice: str = "") -> Page:
    """The sheet ready for the printer; `game` and `dice` are the words under the zone."""
    sheet = layout(size, tray)
    shapes: list[Box | Words] = [sheet.zone]
    if sheet.tray is not None:
        shapes += [Box(*_sides(sheet.tray), (120, 124, 130)), sheet.tray.inset(0.8)]
        x, y = sheet.tray.x + 3, sheet.tray.y + 6
        shapes += [
            Words(x, y, "Zilveren dienblad", 4, True, (70, 74, 80)),
            Words(x, y + 5, "Silver tray", 3.5, False, (70, 74, 80)),
        ]
    shapes += [patch for patch in sheet.patches if patch.fill != WHITE]
    for number, marker in enumerate(sheet.markers, sheet.first_marker):
        cell = marker.width / 6
        shapes.append(marker)
        shapes += [
            Box(marker.x + column * cell, marker.y + row * cell, cell, cell, WHITE)
            for row, column in np.argwhere(marker_cells(number)).tolist()
        ]
    return Page(
        sheet.width, sheet.height, f"Companion mat {size.upper()}", (*shapes, *_footer(sheet, game, dice))
    )


def _footer(sheet: Layout, game: str, dice: str) -> list[Box | Words]:
    """The words and the ruler below the zone."""
    x, y = sheet.zone.x, sheet.markers[3].y
    shapes: list[Box | Words] = [Words(x, y + 4.5, f"Companion{' · ' if game else ''}{game}", 5, True)]
    if dice:
        shapes.append(Words(x + 105, y + 12.8, dice, 2.8))
    shapes += [
        Words(x, y + 9, "Gooi in het grijze vak. Leg apart gelegde stenen ernaast. Houd de hoeken vrij.", 3),
        Words(
            x, y + 12.8, "Roll in the grey field. Put dice set aside next to it. Keep the corners free.", 3
        ),
        Words(x + 105, y + 18.3, "100 mm: print op 100 %, meet na", 2.8),
        Words(x + 105, y + 22, "100 mm: print at 100 %, then measure", 2.8),
        Box(x, y + 20.2, 100, 0.4),
    ]
    for mm in range(0, 101, 10):
        high = 5.0 if mm % 50 == 0 else 3.0
        shapes.append(Box(x + mm - 0.1, y + 20.4 - high, 0.2, high))
    return shapes


def _sides(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.width, box.height

"""A printed page as a list of rectangles and words in millimetres, written as SVG, as PDF, or as a picture.

The mat needs no more than these two shapes, so no drawing library has to come along to the Pi.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import cv2
import numpy as np

from companion.vision.reading import Image

Rgb = tuple[int, int, int]
BLACK: Rgb = (0, 0, 0)
PT_PER_MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle from its upper left corner, in millimetres."""

    x: float
    y: float
    width: float
    height: float
    fill: Rgb = BLACK

    def inset(self, by: float) -> Box:
        """The same rectangle, smaller by so much on every side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by, self.fill)

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Clockwise from the upper left."""
        right, below = self.x + self.width, self.y + self.height
        return ((self.x, self.y), (right, self.y), (right, below), (self.x, below))

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return (self.x + self.width / 2, self.y + self.height / 2)


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text that starts at a point on its base line; `size` is the height of its letters' body."""

    x: float
    y: float
    text: str
    size: float = 3.5
    bold: bool = False
    fill: Rgb = BLACK


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a size in millimetres, drawn from the first shape to the last."""

    width: float
    height: float
    title: str
    shapes: tuple[Box | Words, ...]

    def svg(self) -> str:
        """The page as SVG, true to scale."""
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}mm" height="{self.height:g}mm" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" font-family="Helvetica, Arial, sans-serif">',
            f"<title>{escape(self.title)}</title>",
            f'<rect width="{self.width:g}" height="{self.height:g}" fill="#ffffff"/>',
        ]
        for shape in self.shapes:
            colour = "#{:02x}{:02x}{:02x}".format(*shape.fill)
            match shape:
                case Box(x, y, width, height):
                    lines.append(
                        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"/>'
                    )
                case Words(x, y, text, size, bold):
                    weight = ' font-weight="bold"' if bold else ""
                    lines.append(
                        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{weight} fill="{colour}">'
                        f"{escape(text)}</text>"
                    )
        return "\n".join([*lines, "</svg>", ""])

    def pdf(self) -> bytes:
        """The page as PDF 1.6, true to scale; it asks the viewer not to shrink it to fit."""
        marks = [f"{PT_PER_MM:.6f} 0 0 {PT_PER_MM:.6f} 0 0 cm"]
        for shape in self.shapes:
            marks.append("{:.4f} {:.4f} {:.4f} rg".format(*(part / 255 for part in shape.fill)))
            match shape:
                case Box(x, y, width, height):
                    marks.append(f"{x:.3f} {self.height - y - height:.3f} {width:.3f} {height:.3f} re f")
                case Words(x, y, text, size, bold):
                    letters = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
                    font = "F2" if bold else "F1"
                    marks.append(f"BT /{font} {size:g} Tf {x:.3f} {self.height - y:.3f} Td ({letters}) Tj ET")
        stream = "\n".join(marks).encode("cp1252")
        box = f"[0 0 {self.width * PT_PER_MM:.3f} {self.height * PT_PER_MM:.3f}]"
        title = "FEFF" + self.title.encode("utf-16-be").hex().upper()
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica{} /Encoding /WinAnsiEncoding >>"
        return _pdf_file(
            [
                b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
                b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
                "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>".encode(),
                f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
                font.format("").encode(),
                font.format("-Bold").encode(),
                f"<< /Title <{title}> >>".encode(),
            ]
        )

    def picture(self, px_per_mm: float = 4.0) -> Image:
        """The page as a picture, as if scanned."""
        size = (round(self.height * px_per_mm), round(self.width * px_per_mm), 3)
        picture = np.full(size, 255, np.uint8)
        for shape in self.shapes:
            bgr = shape.fill[::-1]
            match shape:
                case Box():
                    (left, top), _, (right, below), _ = shape.corners
                    ys = slice(round(top * px_per_mm), round(below * px_per_mm))
                    picture[ys, round(left * px_per_mm) : round(right * px_per_mm)] = bgr
                case Words(x, y, text, size_mm):
                    at = (round(x * px_per_mm), round(y * px_per_mm))
                    scale = size_mm * px_per_mm / 30
                    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, bgr, 1, cv2.LINE_AA)
        return picture


def _pdf_file(objects: list[bytes]) -> bytes:
    """Numbered objects with their cross-reference table; the first is the catalog, the last the title."""
    out, places = bytearray(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n".encode()
    return bytes(out + f"startxref\n{table}\n%%EOF\n".encode())

"""The evaluation as one HTML page: tables by condition, and the worst pictures with what was read."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

import cv2
import numpy as np

from companion.vision.evaluate import Report, Verdict, figures, read_pictures
from companion.vision.reading import Image

_STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}td,th{padding:.2rem .6rem;
text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}
figure{margin:2rem 0}img{max-width:100%;height:auto}figcaption{color:#444}"""
_WIDTH = 900


def page(report: Report, images: Path) -> str:
    """The whole page."""
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Evaluation</title><style>{_STYLE}</style>"
    ]
    parts.append("<h1>Evaluation</h1>")
    parts.append(
        "<p>Dice count when they lie flat and whole, can be read by eye and have at least 30 px. "
        "Shares are in percent.</p>"
    )
    for name, groups in report.groups().items():
        parts.append(f"<h2>{escape(name)}</h2>{_table({key: figures(t) for key, t in groups.items()})}")
    load = read_pictures(images)
    parts.append("<h2>Worst pictures</h2>")
    parts += [_figure(verdict, load(verdict.labelled.file)) for verdict in report.worst()]
    return "".join(parts)


def _table(rows: dict[str, dict[str, float | int | None]]) -> str:
    names = list(next(iter(rows.values())))
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(
        f"<tr><td>{escape(key)}</td>{''.join(f'<td>{_cell(row[name])}</td>' for name in names)}</tr>"
        for key, row in sorted(rows.items())
    )
    return f"<table><tr><th></th>{head}</tr>{body}</table>"


def _cell(value: float | int | None) -> str:
    return "–" if value is None else str(value)


def _figure(verdict: Verdict, image: Image) -> str:
    encoded = cv2.imencode(".jpg", overlaid(verdict, image), [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    source = base64.b64encode(encoded.tobytes()).decode("ascii")
    doubts = " ".join(str(doubt) for doubt in verdict.reading.doubts)
    words = "; ".join(verdict.faults)
    return (
        f'<figure><img src="data:image/jpeg;base64,{source}" alt="">'
        f"<figcaption><b>{escape(verdict.labelled.file)}</b>: {escape(words)}. {escape(doubts)}</figcaption>"
        "</figure>"
    )


def overlaid(verdict: Verdict, image: Image) -> Image:
    """The picture with what lies there (grey) and what was read: sure green, in doubt yellow, wrong red."""
    scale = _WIDTH / image.shape[1]
    canvas = cv2.resize(image, None, fx=scale, fy=scale)
    dice = [spot for spot in verdict.reading.dice if spot.state != "foreign"]
    true = {i: verdict.labelled.dice[j] for i, j in verdict.pairs}
    for truth in verdict.labelled.dice:
        x, y, wide, high = (round(v * scale) for v in truth.box)
        cv2.rectangle(canvas, (x, y), (x + wide, y + high), (160, 160, 160), 1)
    for i, spot in enumerate(dice):
        wrong = i not in true or spot.die.kind != true[i].kind or spot.die.face not in true[i].faces
        colour = (60, 60, 255) if wrong else (80, 200, 60) if spot.sure else (0, 210, 255)
        points = np.array(spot.top_face, np.float32) * scale
        cv2.polylines(canvas, [np.round(points).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        x, y = round(spot.box[0] * scale), round(spot.box[1] * scale) - 4
        told = f"{spot.die.kind[:2]}:{spot.die.face} {spot.confidence:.3f}" + (
            "" if spot.state == "flat" else f" {spot.state}"
        )
        cv2.putText(canvas, told, (x, max(12, y)), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)
    return np.asarray(canvas, np.uint8)

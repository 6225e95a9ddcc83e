"""Writing a model's card: what it is, how it was made, and what was measured, with pictures."""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.evaluate import Report, Tally, evaluate, fair, figures, mean_over, read_pictures
from companion.vision.labelled import Labelled, labelled
from companion.vision.reader import Reader
from companion.vision.world import SETS

_COLUMNS = {
    "dice": "dice",
    "dice_right": "right %",
    "dice_sure": "sure %",
    "sure_wrong": "sure but wrong",
    "rolls": "rolls",
    "rolls_right": "rolls right %",
    "rolls_sure": "rolls sure %",
    "rolls_sure_wrong": "sure rolls wrong",
}
_SOURCE_COLUMNS = {
    "dice": "dice",
    "dice_right": "right %",
    "reported_real": "reported are dice %",
    "dice_sure": "sure %",
    "sure_right": "sure are right %",
    "rolls": "pictures",
    "rolls_right": "wholly right %",
    "rolls_sure": "pictures sure %",
    "rolls_sure_wrong": "sure pictures wrong",
}


_UNSEEN = "read by networks that learnt from no photograph, see the recipe"
_SHIPPED = "read by the shipped networks, which learnt from three quarters of the licensed ones"


def add(parts: Any) -> None:
    """Register the part `card`."""
    parser = parts.add_parser("card", help="measure the reader and write the figures of the model cards")
    parser.add_argument("--renders", type=Path, required=True, help="labels of rendered pictures")
    parser.add_argument("--photos", type=Path, help="labels of photographs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument(
        "--unseen",
        type=Path,
        help="networks that learnt from no photograph: those are measured with these, too",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, draw, and renew the part of `faces.md` below its heading “Measured”."""
    reader = Reader(arguments.models)
    renders = measured(reader, arguments.renders)
    parts = ["## Measured\n", *_about_renders(renders)]
    reports = [renders]
    if arguments.photos:
        photos = measured(reader, arguments.photos)
        reports.append(photos)
        if arguments.unseen:
            reports[-1] = measured(Reader(arguments.unseen), arguments.photos)
            parts += _about_photos(reports[-1], _UNSEEN)
        parts += _about_photos(photos, _SHIPPED)
    draw_confusion(renders, arguments.models / "confusion.png")
    draw_reliability(reports, arguments.models / "reliability.png")
    parts.append("\n![What was read for what lay there](confusion.png)\n")
    parts.append("\n![Confidence and how often it was right](reliability.png)\n")
    card = arguments.models / "faces.md"
    text = card.read_text(encoding="utf-8").split("## Measured\n")[0] if card.exists() else "# faces.onnx\n\n"
    card.write_text(text + "".join(parts), encoding="utf-8")
    for name in ("corners", "slants", "faces", "colours"):
        stamp(arguments.models, name)
    return 0


def stamp(models: Path, name: str) -> None:
    """Write a model's size and checksum into its card."""
    card, model = models / f"{name}.md", models / f"{name}.onnx"
    lines = [line for line in card.read_text(encoding="utf-8").splitlines() if not line.startswith("SHA-256")]
    lines.insert(2, f"SHA-256 `{checksum(model)}`, {model.stat().st_size:,} bytes.")
    card.write_text("\n".join(lines) + "\n", encoding="utf-8")


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def measured(reader: Reader, labels: Path) -> Report:
    """The report on a folder of pictures, by its labels."""
    pictures: list[Labelled] = labelled(labels, SETS)
    return evaluate(reader, pictures, read_pictures(labels.parent), time.perf_counter)


def table(rows: Mapping[str, Tally], columns: Mapping[str, str], first: str) -> str:
    """Tallies as a Markdown table."""
    lines = [f"| {first} | {' | '.join(columns.values())} |", f"|---|{'---:|' * len(columns)}"]
    for key, tally in sorted(rows.items()):
        values = figures(tally)
        cells = ("–" if values[name] is None else str(values[name]) for name in columns)
        lines.append(f"| {key} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def _about_renders(report: Report) -> list[str]:
    groups = report.groups()
    whole = figures(groups["all"]["all"])
    lines = [
        f"\n### Rendered pictures ({whole['pictures']}, path-traced, all five sets, none learnt from)\n\n",
        "Dice that lie flat and whole and can be read by eye, the game known.\n\n",
        table(groups["all"], _COLUMNS, ""),
        f"Cocked or cut-off dice not passed off as flat and sure: {whole['uneven_caught']} % of "
        f"{whole['uneven']}. Pictures without an invented die: {whole['pictures_without_invention']} %.\n\n",
    ]
    conditions = ("game", "look", "surface", "lighting", "tilt", "die size")
    return lines + [table(groups[name], _COLUMNS, name) for name in conditions]


def _about_photos(report: Report, by: str) -> list[str]:
    groups = report.groups()
    means = {key: mean_over(list(groups["source"].values()), key) for key in _SOURCE_COLUMNS}
    words = ", ".join(f"{_SOURCE_COLUMNS[key]} {means[key]}" for key in list(_SOURCE_COLUMNS)[1:])
    return [
        f"\n### Photographs ({by})\n\nOrdinary dice of at least 30 px, their number unknown.\n\n",
        table(groups["source"], _SOURCE_COLUMNS, "source"),
        f"Mean over sources: {words}.\n\n",
        table(groups["die size"], _SOURCE_COLUMNS, "die size"),
    ]


def draw_confusion(report: Report, path: Path) -> None:
    """What was read for every face that lay there, as a picture."""
    from matplotlib.figure import Figure

    pairs: dict[tuple[str, str], int] = {}
    for verdict in report.verdicts:
        dice = [spot for spot in verdict.reading.dice if spot.state != "foreign"]
        for i, j in verdict.pairs:
            if fair(verdict.labelled.dice[j]):
                key = (
                    f"{verdict.labelled.dice[j].kind}:{verdict.labelled.dice[j].faces[0]}",
                    str(dice[i].die),
                )
                pairs[key] = pairs.get(key, 0) + 1
    names = sorted({name for pair in pairs for name in pair})
    grid = np.zeros((len(names), len(names)))
    for (true, read), count in pairs.items():
        grid[names.index(true), names.index(read)] = count
    figure = Figure(figsize=(11, 10), layout="constrained")
    axes = figure.add_subplot()
    axes.imshow(np.log1p(grid), cmap="Blues")
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
    axes.set_yticks(range(len(names)), names, fontsize=6)
    axes.set_xlabel("read")
    axes.set_ylabel("lay there")
    for row, column in zip(*np.nonzero(grid), strict=True):
        axes.text(column, row, str(int(grid[row, column])), ha="center", va="center", fontsize=5)
    figure.savefig(path, dpi=110)


def draw_reliability(reports: Iterable[Report], path: Path) -> None:
    """Confidence against how often it was right, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    for report, name in zip(reports, ("rendered pictures", "photographs"), strict=False):
        told = np.array([pair for verdict in report.verdicts for pair in verdict.confidences], float)
        middles, rights, sizes = reliability(told)
        axes.plot(middles, rights, marker="o", label=f"{name} ({len(told)} dice)")
        for x, y, size in zip(middles, rights, sizes, strict=True):
            axes.annotate(str(size), (x, y), fontsize=7, xytext=(4, -8), textcoords="offset points")
    axes.set_xlabel("confidence")
    axes.set_ylabel("share right")
    axes.legend()
    figure.savefig(path, dpi=110)


def reliability(told: NDArray[np.float64]) -> tuple[list[float], list[float], list[int]]:
    """Mean confidence, share right and number of dice in bins of about equal use."""
    edges = (0.0, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99, 0.997, 1.0001)
    middles, rights, sizes = [], [], []
    for low, high in pairwise(edges):
        inside = told[(told[:, 0] >= low) & (told[:, 0] < high)] if len(told) else told
        if len(inside):
            middles.append(float(inside[:, 0].mean()))
            rights.append(float(inside[:, 1].mean()))
            sizes.append(len(inside))
    return middles, rights, sizes

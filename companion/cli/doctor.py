"""`companion doctor`: what works here; exit 1 if the table cannot run."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion import settings
from companion.cli import Mistake
from companion.cli.devices import CAMERAS, camera_opener
from companion.cli.network import addresses


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "doctor",
        help="say what works here: camera, models, pins, disk, network, temperature …",
        description="What works here, one line a check, with what to do. Exit code 1: the table cannot run.",
    )
    parser.add_argument("--camera", metavar="CAMERA", help=f"{CAMERAS} (default: as configured, else auto)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the state folder (default: as configured)")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration (default: the usual one)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a check")
    parser.add_argument(
        "--zip", type=Path, metavar="FILE", help="also write diagnostics, without names and tokens"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine this machine."""
    from companion.doctor import Finding, Patient, cannot_run, examine, pack, running

    findings = []
    config = arguments.config or settings.where(arguments.state or settings.state_dir(settings.Settings()))
    chosen = settings.Settings()
    if config is not None:
        try:
            chosen = settings.read(config)
            findings.append(Finding("config", "ok", f"{config} is fine"))
        except settings.BadConfig as bad:
            findings.append(Finding("config", "problem", str(bad), "see  companion config --check"))
    state_dir = arguments.state or settings.state_dir(chosen)
    open_camera = None
    try:
        if not running(state_dir):  # a running table holds the camera: to others it seems to be broken
            open_camera = camera_opener(arguments.camera or chosen.camera.source)
    except Mistake as mistake:
        findings.append(Finding("camera", "problem", str(mistake)))
    patient = Patient(state_dir, open_camera, addresses(), chosen.server.port)
    named = {finding.what for finding in findings}
    findings += [finding for finding in examine(patient) if finding.what not in named]
    for finding in findings:
        print(json.dumps(asdict(finding), ensure_ascii=False) if arguments.json else finding)
    if arguments.zip is not None:
        try:
            pack(arguments.zip, findings, state_dir, config)
        except OSError as error:
            raise Mistake(
                f"the diagnostics cannot be written to {arguments.zip}: {error.strerror}"
            ) from error
    return 1 if cannot_run(findings) else 0

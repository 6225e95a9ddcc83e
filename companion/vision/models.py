"""Where the shipped networks lie: in `models/` of a checkout, or inside the installed package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


class ModelMissing(FileNotFoundError):
    """A network, or what belongs to it, that is not where it should be."""


class ModelBroken(ModelMissing):
    """One that is there, but is damaged or something else."""


def model_file(name: str, folder: Path | None = None) -> Path:
    """The path of a shipped model, such as `faces.onnx`."""
    folders = [folder] if folder else [_PACKAGE / "models", _PACKAGE.parent / "models"]
    for place in folders:
        if (place / name).is_file():
            return place / name
    raise ModelMissing(f"the model “{name}” is not in {' or '.join(str(place) for place in folders)}")


def session(model: Path | bytes, threads: int, takes: str) -> Any:
    """A session on so many threads for a model (a file, or its content); `takes` is its input's name."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would burn the idle share of a small computer.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    content = model if isinstance(model, bytes) else str(model)
    try:
        loaded = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime has a class for every code, and no common one of its own
        reason = str(problem).partition("\n")[0]
        raise ModelBroken(f"{_named(model)} is damaged, or no model ({reason})") from problem
    if [each.name for each in loaded.get_inputs()] != [takes]:
        raise ModelBroken(f"{_named(model)} is another than is needed here")
    return loaded


def _named(model: Path | bytes) -> str:
    return "the model" if isinstance(model, bytes) else f"the model “{model}”"

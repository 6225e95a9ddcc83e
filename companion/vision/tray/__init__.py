"""The simulated tray: a camera over a table that is not there. It gives frames and nothing else."""

from companion.vision.tray.tray import NoSuchDie, Tray

__all__ = ["NoSuchDie", "Tray"]

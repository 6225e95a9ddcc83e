"""What the eye offers, what the lamp says, and whether a sure roll needs anybody's word."""

from __future__ import annotations

from companion.games.core import Rolled
from companion.table.standing import Standing
from companion.table.view import Lamp
from companion.vision.reading import Sentence, Sight


class Seeing(Standing):
    """The sight of the throw that is due."""

    def show(self, sight: Sight) -> None:
        """What the eye sees; only the throw that is due now matters."""
        with self._lock:
            if self._due is None or sight.throw_number != self._due[0]:
                return
            before = self._sight
            self._sight = sight
            if sight.roll is not None and self.auto_confirm:
                self._add(Rolled(sight.roll, sight.nearest_first))
            elif before is None or _told(before) != _told(sight):
                self._tell()

    def trouble(self, sentence: Sentence | None) -> None:
        """Say on the pages that the camera is in trouble, or no longer."""
        with self._lock:
            if sentence != self._trouble:
                self._trouble = sentence
                self._tell()

    def lamp(self) -> Lamp:
        """What the lamp beside the button should say."""
        with self._lock:
            if self._trouble is not None:
                return "error"
            sight = self._sight
            if self._due is None or sight is None:
                return "ready"
            if sight.roll is not None:
                return "sure"
            if sight.moving:
                return "rolling"
            return "doubt" if sight.reading else "ready"

    @property
    def auto_confirm(self) -> bool:
        """Whether a sure roll is taken without anybody's word."""
        return self._log.kept("auto_confirm") == "on"

    @auto_confirm.setter
    def auto_confirm(self, on: bool) -> None:
        self._log.keep("auto_confirm", "on" if on else "off")
        with self._lock:
            self._tell()


def _told(sight: Sight) -> tuple[object, ...]:
    """What the pages show of a sight; a change of anything else needs no new look."""
    return sight.moving, sight.reading, sight.roll

"""Who sits where, and the roles that may do things: anyone, a seat, the host."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from companion.dice import Seat
from companion.games.core import Value


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table. `id` is what the phone's token proves; it changes when the seat is handed over.

    `plays`: "phone"; "guest", who plays on the phone of the player `keeper`; or a bot's name.
    `free`: somebody left, and the bot only goes on until a newcomer takes the seat.
    """

    name: str
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    plays: str = "phone"
    keeper: str = ""
    free: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether a bot decides for this seat."""
        return self.plays not in ("phone", "guest")


@dataclass(frozen=True, slots=True)
class Lobby:
    """The arrangement of one game: what is played, with which options, and who sits where."""

    key: str
    capacity: int
    options: dict[str, Value] = field(default_factory=dict)
    players: tuple[Player, ...] = ()

    def seat_of(self, player_id: str) -> Seat | None:
        """Where this player sits."""
        return next((s for s, player in enumerate(self.players) if player.id == player_id), None)

    def hands_of(self, player_id: str) -> tuple[Seat, ...]:
        """The seats this player decides for: the own one and those of the guests on this phone."""
        return tuple(s for s, p in enumerate(self.players) if player_id in (p.id, p.keeper) and player_id)

    def with_player(self, seat: Seat, player: Player) -> Lobby:
        """The same with another player on one seat."""
        players = (player if s == seat else p for s, p in enumerate(self.players))
        return replace(self, players=tuple(players))

    def seated(self, players: tuple[Player, ...]) -> Lobby:
        """The same with the players seated so; whoever was to begin still begins, if still there."""
        options = dict(self.options)
        begins = int(options.pop("start_player", 0))
        starter = self.players[begins].id if begins < len(self.players) else ""
        seat = next((s for s, player in enumerate(players) if player.id == starter), 0)
        if seat and "start_player" in self.options:
            options["start_player"] = seat
        return replace(self, players=players, options=options)

    def with_phones_of(self, others: tuple[Player, ...]) -> Lobby:
        """The same, where a phone that has joined anew under the same name has its old seat back."""
        known = {player.id for player in self.players}
        phones = {p.name.casefold(): p.id for p in others if p.plays == "phone" and p.id not in known}
        anew = {p.id: phones.get(p.name.casefold(), p.id) for p in self.players if p.plays == "phone"}
        players = (
            replace(player, id=anew.get(player.id, player.id), keeper=anew.get(player.keeper, player.keeper))
            for player in self.players
        )
        return replace(self, players=tuple(players))

    def as_json(self) -> dict[str, Any]:
        """For the log."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Lobby:
        """From the log; a name that no page could show has got in there once, and must not stop the table."""
        try:
            players = tuple(
                Player(**{**player, "name": player["name"].encode(errors="replace").decode()})
                for player in kept["players"]
            )
            return cls(**{**kept, "players": players})
        except (LookupError, TypeError, AttributeError) as problem:
            raise ValueError(f"who played it cannot be read ({problem!r})") from problem

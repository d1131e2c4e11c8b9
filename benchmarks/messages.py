"""What a server says, as far as those who measure it need it."""

from __future__ import annotations

import msgspec


class Choice(msgspec.Struct):
    """What somebody may do."""

    action: int
    type: str = ""


class Decision(msgspec.Struct):
    """What somebody is asked."""

    legal: list[Choice]


class Preview(msgspec.Struct):
    """What may follow the steps of a move."""

    confirm: list[Choice]
    add: list[Choice]
    suggest: list[Choice] | None = None


class Table(msgspec.Struct):
    """A table, or what changed in it."""

    status: str | None = None
    fields: Table | None = None

    def now(self) -> str | None:
        """Return its status, where that is said."""
        return self.fields.status if self.fields else self.status


class Message(msgspec.Struct):
    """Any message."""

    type: str
    seq: int = 0
    asked: int | None = None
    code: str | None = None
    table: Table | None = None
    decision: Decision | None = None
    preview: Preview | None = None


decode = msgspec.json.Decoder(Message).decode


def percentile(values: list[float] | list[int], part: float) -> float:
    """Return the value that this part of all values does not exceed; 0 of none."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0

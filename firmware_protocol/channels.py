"""Channels: what HELLO's table says of each input. Runs under CPython and MicroPython."""

# Roles of a channel, as HELLO's channel table gives them.
ROLE_TRIGGER = 1
ROLE_HIT = 2
ROLE_ZONE = 3
ROLE_PLUG = 4


class Channel:
    """One row of HELLO's channel table: number on the wire, role, index within the role, level when pressed."""

    __slots__ = ("active_level", "id", "index", "role")

    def __init__(self, id: int, role: int, index: int, active_level: int) -> None:  # noqa: A002
        self.id = id
        self.role = role
        self.index = index
        self.active_level = active_level

    @property
    def name(self) -> str:
        """The channel's name: `trigger`, `hit`, `zone-1` ... `zone-10`, `plug`."""
        if self.role == ROLE_ZONE:
            return f"zone-{self.index}"
        return {ROLE_TRIGGER: "trigger", ROLE_HIT: "hit", ROLE_PLUG: "plug"}.get(self.role, f"channel-{self.id}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Channel) and self.row() == other.row()

    def __hash__(self) -> int:
        return hash(self.row())

    def __repr__(self) -> str:
        return f"Channel{self.row()!r}"

    def row(self) -> "tuple[int, int, int, int]":
        """The four numbers as HELLO packs them."""
        return (self.id, self.role, self.index, self.active_level)

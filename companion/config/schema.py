"""The settings: each with its type, default, environment variable and meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from companion.config.values import NotASetting
from companion.rules.actions import KeyMap
from companion.rules.names import person_key, split_names

if TYPE_CHECKING:
    from companion.config.outlets import Broker, Hook

DARK, LIGHT = "dark", "light"
MOST_HOURS = 168  # of an evening for phones: a week
LONGEST_S = 3600  # seconds of the longest delay
KEYS, HOUSE_RULES, HOOKS, MQTT = "keys", "house_rules", "hooks", "mqtt"  # tables of the file
OVERLAY_STYLE = "overlay_style"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting at the top level of the file. `read` checks and converts its value; it raises `NotASetting`."""

    name: str
    default: Any
    help: str
    read: Callable[[Any], Any]

    @property
    def variable(self) -> str:
        """The environment variable that overrides the file."""
        return f"COMPANION_{self.name.upper()}"

    def of_text(self, text: str) -> Any:
        """Return the setting's value from the text of a variable; raise `NotASetting`."""
        if isinstance(self.default, tuple):
            return self.read(split_names(text))
        if isinstance(self.default, bool):
            return self.read(_FLAGS.get(text.strip().casefold(), text))
        value: float | str = text
        if isinstance(self.default, float):
            with suppress(ValueError):
                value = float(text)
        return self.read(value)


_FLAGS = {
    "true": True,
    "yes": True,
    "1": True,
    "on": True,
    "false": False,
    "no": False,
    "0": False,
    "off": False,
}


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise NotASetting('a text, for example "auto"')
    return value


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(name, str) and name.strip() for name in value
    ):
        raise NotASetting('a list of names, for example ["Anna", "Ben"]')
    names = tuple(name.strip() for name in value)
    if any("=" in name for name in names):  # a typed line expects a field before it
        raise NotASetting("a list of names without = in them")
    # by the key that compares people: Ann and ANN could not be told apart
    if len(set(map(person_key, names))) < len(names):
        raise NotASetting("a list of different names")
    return names


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NotASetting("true or false")
    return value


def _theme(value: Any) -> str:
    if value not in (DARK, LIGHT):
        raise NotASetting(f'"{DARK}" or "{LIGHT}"')
    return str(value)


def _place(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise NotASetting('a file, for example "~/overlay.css"')
    return value


def _network(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise NotASetting('an address or a network interface, for example "wlan0"')
    return value


def _folder(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise NotASetting('a folder, for example "/media/stick"')
    return value


def _seconds(value: Any) -> float:
    # true is a number in Python
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_S:
        raise NotASetting(f"seconds, from 0 to {LONGEST_S}")
    return float(value)


def _hours(value: Any) -> float:
    # true is a number in Python
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= MOST_HOURS:
        raise NotASetting(f"hours, from 0 to {MOST_HOURS}")
    return float(value)


def _set(default: Any, read: Callable[[Any], Any], meaning: str) -> Any:
    """Return the field of a top-level setting, see `Setting`, with its meaning."""
    return field(default=default, metadata={"read": read, "help": meaning})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings in force. `origins` says where each comes from: by a setting's name, and by `keys.ID` and
    `house_rules.GAME.RULE` for those in the file."""

    port: str = _set(
        "auto", _text, "where the board is: auto, a port, a pyserial URL, virtual or none"
    )
    seats: tuple[str, ...] = _set((), _names, "who sits down, clockwise, where no names are given")
    theme: str = _set(DARK, _theme, "dark or light")
    plain: bool = _set(False, _flag, "one line per ruling instead of the dashboard")
    ascii: bool = _set(False, _flag, "no sign on the screen that is not ASCII")
    odds: bool = _set(True, _flag, "odds that follow from what everybody can see are shown")
    animation: bool = _set(False, _flag, "what moves on the screen moves smoothly")
    sound: bool = _set(False, _flag, "the terminal's bell and the board's buzzer may sound")
    broadcast_delay: float = _set(
        0.0, _seconds, "seconds until the feed and everybody's page tell what happened"
    )
    overlay_style: str = _set("", _place, "a CSS file of your own for the overlay page")
    phones_address: str = _set(
        "", _network, "the address or network interface whose code phones are shown first"
    )
    phones_evening: float = _set(
        12.0, _hours, "hours without a game after which players' codes for phones end"
    )
    phones_enter: bool = _set(
        False, _flag, "players may enter their own numbers and draws on their phones"
    )
    phones_tls: bool = _set(
        False, _flag, "pages for phones are encrypted, by a certificate that this computer makes"
    )
    browser_lan: bool = _set(
        False, _flag, "other devices on this network may open the page of play --browser"
    )
    second_copy: str = _set(
        "", _folder, "a folder in which a table of a hub keeps a second copy of its game"
    )
    keys: KeyMap = field(default_factory=dict)
    house_rules: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    hooks: tuple[Hook, ...] = ()
    mqtt: Broker | None = None
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def look(self) -> dict[str, Any]:
        """Settings that the dashboard uses."""
        looks = {
            name: getattr(self, name) for name in ("keys", "ascii", "odds", "animation", "sound")
        }
        return {"theme": f"table-{self.theme}", **looks}


SETTINGS = tuple(
    Setting(setting.name, setting.default, setting.metadata["help"], setting.metadata["read"])
    for setting in fields(Preferences)
    if setting.metadata
)
BY_NAME = {setting.name: setting for setting in SETTINGS}

"""A house rule that is a number, typed."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.widgets import Input

from companion.dashboard.start.step import StartStep
from companion.rules.clauses import spoken
from companion.rules.house_rules import Number


class NumberStep(StartStep):
    """How many?"""

    KEYS: ClassVar[str] = "Enter accept   Esc back   Ctrl+Q leave"
    AUTO_FOCUS = "Input"

    def __init__(self, number: Number) -> None:
        super().__init__()
        self._number = number

    def title_text(self) -> str:
        return spoken(self._number.means)

    def body(self) -> ComposeResult:
        now = self.start.game.rules.get(self._number.name, str(self._number.default))
        line = Input(now, type="integer", max_length=9, compact=True, select_on_focus=True)
        line.cursor_blink = False
        yield line

    def fill(self) -> None:
        self.tell(f"A whole number from 0 to {self._number.most}; usual: {self._number.default}.")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the number, if it is one."""
        event.stop()
        if not self.is_current:  # the key was pressed twice
            return
        typed, number = event.value.strip(), self._number
        if not typed.isdecimal() or int(typed) > number.most:
            self.refuse(f"{typed or 'Nothing'} is no number here. Type 0 to {number.most}.")
            return
        self.start.game.rules[number.name] = str(int(typed))
        if int(typed) == number.default:
            del self.start.game.rules[number.name]
        self.action_back()

"""What a game shows. Other people's games import it under this name; `companion.display` defines it."""

from __future__ import annotations

from companion.display.panels import (
    NO_NOTES as NO_NOTES,
    Answers as Answers,
    GameForm as GameForm,
    NoteField as NoteField,
    NoteLine as NoteLine,
    Outcome as Outcome,
    Panels as Panels,
    PhoneProposal as PhoneProposal,
    SeatLine as SeatLine,
    in_round as in_round,
    is_note_of as is_note_of,
    line_of as line_of,
    open_facts as open_facts,
    panels_of as panels_of,
)

"""The capitals and full stops of notices, whatever the log calls their subject."""

from __future__ import annotations

import pytest

from companion.rules.actions import named
from companion.rules.facts import Refused
from companion.session.notices import Notices


def said(text: str, *names: str) -> str:
    notices = Notices(lambda sentence: sentence, lambda: names)
    notices.say(text)
    assert notices.last is not None
    return notices.last.text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("undone: ada draws", "Undone: ada draws."),
        ("deleted: Ada shot Bo: Bo is out (PF-10)", "Deleted: Ada shot Bo: Bo is out."),
        ("ada draws", "ada draws."),
        ("Go on?", "Go on?"),
        ("fire!", "Fire!"),
        ("hit_scan_us must be 1000 to 10000", "hit_scan_us must be 1000 to 10000."),
        (
            "The game is running already. Pause it first.",
            "The game is running already. Pause it first.",
        ),
    ],
)
def test_a_notice_is_a_whole_sentence_and_a_name_stays_as_it_is_spelled(
    text: str, answer: str
) -> None:
    assert said(text, "ada", "Bo") == answer


def test_the_key_a_notice_begins_with_stays_a_small_letter() -> None:
    assert said(f"{named('table.take_back', 'x')} works in the log").startswith(
        named("table.take_back", "x")
    )


def test_a_refusal_is_told_as_it_is_written_by_the_rules() -> None:
    refusal = Refused(
        "PF-T3", "ada is out of this round", "somebody", "Name a player who is still in."
    )
    assert (
        said(refusal.spoken(("ada",)), "ada")
        == "ada is out of this round. Name a player who is still in."
    )

"""`companion ask`: a question on the command line, with the house rules of a new game or those of a session."""

from __future__ import annotations

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from tests.commands.ran import Ran


def words(ran: Ran) -> str:
    return " ".join(ran.out.split())


def played(*options: str) -> str:
    """Play a little; return the file of the session."""
    named = ("--seats", "anna,ben,carl", "--port", "none", "--plain")
    Ran("play", "panic-fire", *named, *options, typed="enter\ns\n")
    (path,) = sessions_dir().glob("*.sqlite")
    return str(path)


def test_a_question_needs_no_quotes_and_typing_mistakes_do_not_matter() -> None:
    ran = Ran("ask", "panic-fire", "sheild", "from", "hand")
    assert ran.code == Exit.DONE
    assert "may spend one from the hand instead" in words(ran)
    assert "Now:" not in ran.out, "nothing is played"


def test_a_house_rule_of_the_command_line_is_the_one_in_the_answer() -> None:
    ran = Ran("ask", "skyfire", "launch an empty zone", "--option", "empty_launch=refused")
    assert "Launching an empty zone: is refused" in words(ran)


def test_an_option_that_there_is_not_is_a_mistake_of_usage() -> None:
    ran = Ran("ask", "skyfire", "who wins", "--option", "empty=refused")
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert ran.err.startswith("There is no option 'empty'.")


def test_for_a_session_the_answer_has_its_house_rules_and_what_it_means_now() -> None:
    path = played("--option", "shield_from_hand=only_when_shot")
    ran = Ran("ask", "panic-fire", "shield hand", "--session", path)
    assert "Now: ben has a Shield in play" in words(ran)
    assert "otherwise never laid in play" in words(ran)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            ["--option", "pile_exhausted=play_on"],
            "A session has its house rules: leave out --option.",
        ),
        ([], "is a session of another game: companion ask panic-fire"),
    ],
)
def test_a_session_of_another_game_or_with_options_is_refused_in_one_sentence(
    more: list[str], why: str
) -> None:
    game = "panic-fire" if more else "skyfire"
    ran = Ran("ask", game, "who wins", "--session", played(), *more)
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert why in ran.err

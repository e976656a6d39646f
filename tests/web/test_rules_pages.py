"""Questions about the rules and reasons of log lines on pages: what is answered, in which bounds, and no secret."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

from companion.ask import answers as answering
from companion.ask.index import index_of
from companion.display.panels import panels_of
from companion.rules.facts import Fact
from companion.rules.registry import GAMES, open_game
from companion.session.roles import Role
from companion.session.views import LineKind
from companion.web.blocks import LINES
from companion.web.lookers import TableLooker
from companion.web.rule_questions import (
    MOST_A_SECOND,
    NOT_ANSWERED,
    TOO_LONG,
    TOO_MANY,
    RuleQuestions,
)
from companion.web.rules_pages import (
    ASK,
    BACK,
    EXAMPLE,
    MOST_LETTERS,
    NO_LINE,
    PublicRules,
    answers_main,
    reason_main,
)
from tests.games.test_every_game import played as played_facts, secret_pairs
from tests.web.acting import acting
from tests.web.client import Client, opened
from tests.web.served import played, press, saved
from tests.web.test_role_blindness import WITH_SECRETS, at_table

CODE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b|`|\*\*")


def words_of(page: str) -> str:
    """Return what people read of a page, without its style and scripts."""
    plain = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).split())


def question(words: str, code: str = "code-0") -> str:
    return f"/{code}/ask?q={quote(words)}"


async def test_a_question_is_answered_with_the_clause_the_house_rule_and_what_it_means_now(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        press(table, "fire", "draw.1")
        _, _, client = opened(table.path)
        for code in ("code-0", "code-1"):
            answer = await client.ask(question("sheild from my hand", code))
            page = words_of(answer.text)
            assert answer.status == 200
            assert "A Shield in play is spent on the shot" in page
            assert "House rule: " in page
            assert "Now: Nobody has a Shield in play." in page
            assert f'href="./">{BACK}' in answer.text
            assert not CODE.search(page)


async def test_an_answer_says_when_the_rules_say_nothing(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        page = words_of((await client.ask(question("can we play in teams"))).text)
    assert "The rules do not say. Panic Fire is for 2 to 5 players." in page


async def test_without_words_the_page_says_what_to_type(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        for path in ("/code-0/ask", "/code-0/ask?q=", "/code-0/ask?q=%20%0a&x=1"):
            answer = await client.ask(path)
            assert (answer.status, EXAMPLE in words_of(answer.text)) == (200, True), path


async def test_each_page_has_a_place_to_ask_and_the_wall_has_none(tmp_path: Path) -> None:
    with acting(tmp_path) as at:
        for role in Role:
            page = (await at.client.ask(f"/{at.give(role)}/")).text
            assert (f"<summary>{ASK}</summary>" in page) == (role is not Role.WALL), role
        for code in ("code-0", "code-1"):
            answer = await at.client.ask(f"/{code}/")
            assert f"<summary>{ASK}</summary>" in answer.text
            assert "form-action 'self'" in answer.headers["content-security-policy"]


async def test_a_question_that_is_too_long_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        for words in ("x" * (MOST_LETTERS + 1), "🚀" * 1000, "shield " * 4000):
            answer = await client.ask(question(words))
            assert (answer.status, TOO_LONG in words_of(answer.text)) == (414, True)
        for letter in "ü🚀":
            longest = f"{question(letter * MOST_LETTERS)}&part=main"
            assert (await client.ask(longest)).status == 200


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", '"><img src=x>', "%00%1b[2J", "' OR 1=1 --"]
)
async def test_a_hostile_question_is_only_text(hostile: str, tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        answer = await client.ask(f"/code-0/ask?q={quote(hostile)}")
        raw = await client.ask(f"/code-0/ask?q={hostile}&q=2&line=x")
    for page in (answer, raw):
        assert page.status == 200
        assert "<script>" not in page.text
        assert "<img" not in page.text
        assert "\x1b" not in page.text


async def test_one_code_asks_so_often_a_second_and_others_still_may(tmp_path: Path) -> None:
    now_s = [0.0]
    with played(tmp_path) as table:
        _, pages, client = opened(table.path)
        pages._questions = RuleQuestions(_clock=lambda: now_s[0])
        for _ in range(MOST_A_SECOND):
            assert (await client.ask(question("who wins"))).status == 200
        for path in (question("who wins"), "/code-0/why?line=1"):
            answer = await client.ask(path)
            assert (answer.status, TOO_MANY in words_of(answer.text)) == (429, True)
        assert (await client.ask(question("who wins", "code-1"))).status == 200
        now_s[0] = 1.1
        assert (await client.ask(question("who wins"))).status == 200


@pytest.mark.parametrize("path", ["/code-9/ask?q=shield", "/code-9/why?line=1"])
async def test_without_a_code_nothing_is_answered(path: str, tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        assert (await client.ask(path)).status == 403
        assert (await client.ask(path.replace("9", "0"), "POST")).status == 405


async def test_asking_changes_neither_the_record_nor_the_pages(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        press(table, "fire", "draw.1")
        onlooker, _, client = opened(table.path)
        before, record = (await client.ask("/code-0/")).text, table.path.read_bytes()
        state = table.look(lambda record: record.state)
        for words in ("shield", "who may shoot", "new round"):
            await client.ask(question(words))
        await client.ask("/code-0/why?line=2")
        assert not onlooker.look()
        assert (await client.ask("/code-0/")).text == before
        assert table.look(lambda record: record.state) is state
        assert table.path.read_bytes() == record


async def linked(client: Client, code: str = "code-0") -> list[str]:
    """Return the addresses to which the lines of the log lead."""
    return re.findall(r'<a href="(why\?line=\d+)"', (await client.ask(f"/{code}/")).text)


async def test_each_line_of_the_log_leads_to_its_reason(tmp_path: Path) -> None:
    now_s = [0.0]
    with played(tmp_path) as table:
        press(table, "fire", "draw.1", "shot", "name.2", "name.1")
        table.enter("shield_in_play", {"seat": "blue"}, why="we forgot it", who="red")
        saved(table)
        table.do("table.undo")
        saved(table)
        _, pages, client = opened(table.path)
        pages._questions = RuleQuestions(_clock=lambda: now_s[0])
        reasons = []
        for address in await linked(client):
            now_s[0] += 1
            answer = await client.ask(f"/code-0/{address}")
            assert answer.status == 200
            reasons.append(words_of(answer.text))
        count = min(LINES, len(table.view().log))
    assert len(reasons) == count > 5
    assert all("Log line " in reason and BACK in reason for reason in reasons)
    assert not any(CODE.search(reason) for reason in reasons)
    drawn = next(reason for reason in reasons if "Red draws" in reason)
    assert "Entered by hand" in drawn
    assert "The rule" in drawn


async def test_the_reason_says_who_decided_and_why(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        press(table, "fire", "draw.1")
        drawn = next(
            line for line in table.view().log if line.kind is LineKind.FACT and "draws" in line.text
        )
        table.take_back(drawn.n, why="it was the other one", who="blue")
        saved(table)
        _, _, client = opened(table.path)
        page = words_of((await client.ask(f"/code-0/why?line={drawn.number}")).text)
    assert "It was taken back and does not count." in page
    assert "Decided by blue" in page
    assert "Reason it was the other one" in page


@pytest.mark.parametrize("line", ["0", "99", "-1", "x", "", "²", "9" * 30])
async def test_a_line_that_is_not_there_is_told_so(line: str, tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        answer = await client.ask(f"/code-0/why?line={line}")
    assert (answer.status, NO_LINE in words_of(answer.text)) == (404, True)


async def test_an_answer_leads_to_the_line_of_the_log_that_it_names(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        press(table, "fire", "draw.1")
        _, _, client = opened(table.path)
        page = (await client.ask(question("when do I draw a card"))).text
        named = re.search(r'<a href="(why\?line=\d+)"[^>]*>Red draws', page)
        assert named is not None, words_of(page)
        assert "Red draws." in words_of((await client.ask(f"/code-0/{named[1]}")).text)


def rules_at(game_id: str, facts: Sequence[Fact], path: Path) -> PublicRules:
    """Return what the pages of a table with these facts answer."""
    with at_table(game_id, facts, path) as table:
        looker = TableLooker(table, odds=False)
        looker.close()
        return looker.showing.present


def everything_said(rules: PublicRules) -> list[str]:
    """Return the answers about each clause of a game, and the reasons of all lines."""
    clauses = GAMES[rules.game].clauses()
    asked = [f"{clause} {text[:60]}" for clause, text in clauses.items()]
    answered = [answers_main(rules, words) for words in asked]
    return [*answered, *(reason_main(rules, number) for number in rules.reasons)]


@pytest.mark.parametrize("game_id", WITH_SECRETS)
def test_answers_and_reasons_are_the_same_whatever_one_seat_alone_knows(
    game_id: str, tmp_path: Path
) -> None:
    game, compared = open_game(game_id), 0
    index_of(game_id)
    moves = played_facts(game_id, 3, seed=13, most=90)
    for place in range(0, len(moves), 7):
        before = moves[place][0]
        facts = [fact for _, fact, _, _ in moves[:place]]
        for _, one, other in list(secret_pairs(game, before))[:1]:
            both = []
            for name, secret in (("one", one), ("other", other)):
                rules = rules_at(game_id, [*facts, secret], tmp_path / f"{place}-{name}.sqlite")
                both.append(everything_said(rules))
            assert both[0] == both[1]
            compared += 1
        if compared == 4:
            break
    assert compared


async def test_a_script_gets_the_main_part_alone(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, pages, client = opened(table.path)
        pages._questions = RuleQuestions(_clock=partial(next, count()))
        for path in (question("who wins"), "/code-0/why?line=1", "/code-0/why?line=99"):
            whole, part = await client.ask(path), await client.ask(f"{path}&part=main")
            assert part.text.startswith("<main")
            assert part.text in whole.text
            assert part.status == whole.status


async def test_a_game_whose_words_fail_ends_no_page_and_the_table_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_game: object) -> dict[str, str]:
        raise ZeroDivisionError("no words")

    with acting(tmp_path) as at:
        panels = panels_of("panic-fire")
        monkeypatch.setattr(answering, "panels_of", lambda _game: replace(panels, now=broken))
        answer = await at.client.ask(question("shield"))
        assert (answer.status, NOT_ANSWERED in words_of(answer.text)) == (500, True)
        assert at.pages.fault is None
        notice = at.table.view().notice
        assert notice is not None
        assert "ZeroDivisionError: no words" in notice.text


@pytest.mark.usefixtures("sample_game")
async def test_pages_of_a_game_by_others_answer_from_what_it_declares(tmp_path: Path) -> None:
    with acting(tmp_path, "pebbles", "Ann", "Bo") as at:
        page = words_of((await at.client.ask(question("who guesses the pebbles"))).text)
        assert GAMES["pebbles"].does in page
        reason = words_of((await at.client.ask("/code-0/why?line=1")).text)
        assert "The session starts." in reason

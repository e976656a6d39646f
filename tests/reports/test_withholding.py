"""Secrets of an unfinished game are in no export, and the rest folds without them."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CommandError
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.fold import amend_drafts, void_draft
from companion.journal.hidden_entries import HiddenEntries
from companion.journal.record import FIRST_DIGEST, seal
from companion.journal.store import read_entries
from companion.reports.importing import parse_export
from companion.reports.record import published, read_record, record_of
from companion.reports.transcripts import format_export
from companion.rules.components import as_json, example
from companion.rules.facts import Fact, Setup, secret_kinds
from companion.rules.header import header
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.session.opening import begin
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from tests.games.hints import HINTS
from tests.games.skyfire.playing import example_deck
from tests.games.test_every_game import secret_pairs
from tests.journal.damage import lose
from tests.reports.support import Player, run_export, run_import, run_sheet

FORMATS = ("jsonl", "json", "csv", "html")
SECRETIVE = sorted(game for game in GAMES if HINTS[game].secret)
SAID = "withheld, hidden until the game is over: an export after its end has them"


def setup_for(game_id: str, **options: str) -> Setup:
    game = open_game(game_id)
    names = seats_from_names(["Ada", "Bo", "Cleo"])
    return Setup(
        game.id,
        game.rules_version,
        names,
        options,
        (example_deck() if game_id == "skyfire" else as_json(example(game_id))),
    )


@pytest.mark.parametrize("wanted", [*FORMATS, "evidence"])
def test_a_note_from_a_phone_is_in_no_export_nor_what_could_be_made_of_it(
    tmp_path: Path, wanted: str
) -> None:
    path, out = tmp_path / "evening.sqlite", tmp_path / "out"
    table = begin("skyfire", ("Ada", "Bo", "Cleo"), {}, path, components=example_deck(), make=Table)
    table.do("skyfire.deal")
    hand = SeatNote("0123456789abcdef", "hand", {"cards": "red+red,blue+blue,red+blue,blue+red"})
    back = SeatNote("fedcba9876543210", back=table.note("ada", hand))
    table.note("ada", back)
    table.note("bo", hand)
    table.close()
    more = ("jsonl", out, "--evidence") if wanted == "evidence" else (wanted, out)
    assert run_export(str(path), *more) == 0
    text = out.read_text()
    for secret in (hand.id, back.id, hand.actor, back.actor, hand.key("bo"), "red+red"):
        assert secret not in text


class World:
    """A session with secrets noted, corrected and remarked on; `which` chooses between two sets of
    secrets."""

    def __init__(self, path: Path, which: int, setup: Setup, seed: int) -> None:
        path.parent.mkdir(exist_ok=True)
        self.player = Player(path, setup)
        self.which, self.rng = which, random.Random(seed)
        self.noted: list[Entry] = []

    def play(self, script: list[tuple[str, Any]]) -> None:
        for word, body in script:
            getattr(self, word)(body)
        self.player.close()

    def public(self, fact: Fact) -> None:
        self.player.enter(fact)

    def behind(self, fact: Fact) -> None:
        """Insert a public fact after a secret one."""
        self.player.enter(fact, after=self.noted[-1].n) if self.noted else self.player.enter(fact)

    def secret(self, pair: tuple[Fact, Fact]) -> None:
        self.noted.append(self.player.enter(pair[self.which]))

    def amended(self, pair: tuple[Fact, Fact]) -> None:
        """Amend the last note, with a reason that names what it was."""
        why = f"it was {sorted(map(str, pair[self.which].model_dump().values()))}"
        body = pair[self.which].model_dump(mode="json", exclude={"kind"}, exclude_none=True)
        entries = self.player.append(*amend_drafts(self.noted[-1], body, why))
        n = entries[-1].n
        self.noted.append(entries[-1])
        self.player.append(
            Draft(Layer.CONTROL, Control.REMARK, {"entries": [n], "why": why, "who": "ada"})
        )
        self.player.append(
            Draft(Layer.CONTROL, Control.CONSENT, {"entry": n, "agreed": True, "text": why})
        )

    def voided(self, pair: tuple[Fact, Fact]) -> None:
        self.player.append(void_draft(self.noted[-1].n, f"not {pair[self.which]!r}", "bo"))

    def undone(self, _nothing: None) -> None:
        self.player.append(*self.player.timeline.steps.undo_drafts())


def script(setup: Setup, seed: int, most: int = 40) -> list[tuple[str, Any]]:
    """Return public facts of random play that are legal whatever is secret, with notes in between."""
    game, rng = open_game(setup.game), random.Random(seed)
    state, found, entry = game.start(setup), list[tuple[str, Any]](), 1
    kinds = HINTS[game.id].secret
    while len(found) < most and not game.over(state):
        entry += 1
        pairs = list(secret_pairs(game, state))
        if pairs and rng.random() < 0.6:
            _, one, other = rng.choice(pairs)
            words = ["secret", "secret", "amended", "voided", "undone"]
            word = rng.choice(words if any(done == "secret" for done, _ in found) else ["secret"])
            found.append((word, None if word == "undone" else (one, other)))
        legal = [
            fact
            for fact in game.legal(state)
            if fact.kind not in kinds and not game.facts[fact.kind].secret
        ]
        if not legal:
            break
        fact = rng.choice(legal)
        state = game.apply(state, fact, entry)
        found.append(("behind" if rng.random() < 0.1 else "public", fact))
    return found


def two_worlds(folder: Path, setup: Setup, seed: int) -> tuple[Path, Path]:
    lines = script(setup, seed)
    paths = (folder / "one" / "evening.sqlite", folder / "two" / "evening.sqlite")
    for which, path in enumerate(paths):
        World(path, which, setup, seed).play(lines)
    return paths


def exports(path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, str]]:
    for wanted in FORMATS:
        assert (
            run_export(str(path), wanted, None, *(["--evidence"] if wanted == "jsonl" else [])) == 0
        )
        yield wanted, capsys.readouterr().out
    assert run_sheet(str(path)) == 0
    yield "sheet", capsys.readouterr().out


@pytest.mark.parametrize("game_id", SECRETIVE)
@pytest.mark.parametrize("seed", range(4))
def test_two_games_that_differ_only_in_secrets_have_the_same_exports(
    game_id: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = two_worlds(tmp_path, setup_for(game_id), seed)
    assert [entry.body for entry in record_entries(one)] != [
        entry.body for entry in record_entries(two)
    ]
    for (wanted, text), (_, other) in zip(exports(one, capsys), exports(two, capsys), strict=True):
        assert text == other, wanted
        assert "withheld" in " ".join(text.split()), wanted


def record_entries(path: Path) -> tuple[Entry, ...]:
    return tuple(read_entries(path))


@pytest.mark.parametrize("game_id", SECRETIVE)
@pytest.mark.parametrize("seed", range(3))
def test_an_import_of_such_an_export_folds_without_them(
    game_id: str, seed: int, tmp_path: Path
) -> None:
    path, _ = two_worlds(tmp_path, setup_for(game_id), seed)
    record = read_record(path)
    text = format_export(record.entries, evidence=True, withheld=record.withheld)
    again = record_of(parse_export(text, "export", "2026-02-01T00:00:00+00:00"), "export")
    left = {line.entry.n: (line.text, line.counts) for line in record.facts}
    assert {line.entry.n: line.text for line in again.facts} == {
        n: text for n, (text, _) in left.items()
    }
    assert [line.entry.n for line in again.facts] == [line.entry.n for line in record.facts]
    assert {line.entry.n: line.counts for line in again.facts} == {
        n: counts for n, (_, counts) in left.items()
    }
    assert again.game.standings(again.state) == record.game.standings(record.state)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_kind_that_one_seat_alone_reads_is_marked_a_secret(game_id: str) -> None:
    marked = {kind for kind, fact in open_game(game_id).facts.items() if fact.secret}
    assert set(HINTS[game_id].secret) <= marked


def test_an_export_says_how_many_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = two_worlds(tmp_path, setup_for("fractured-sky"), 1)
    entries = record_entries(path)
    lacking = sum(map(HiddenEntries(secret_kinds(open_game("fractured-sky").facts)).add, entries))
    sentence = f"{lacking} entries are {SAID}"
    texts = dict(exports(path, capsys))
    assert json.loads(texts["jsonl"].partition("\n")[0])["withheld"] == sentence
    assert json.loads(texts["json"])["withheld"] == sentence
    assert next(csv.reader([texts["csv"].splitlines()[-1]]))[5:8] == ["withheld", "", sentence]
    assert sentence in texts["html"]
    assert sentence in " ".join(texts["sheet"].split())
    assert len(texts["jsonl"].splitlines()) == len(entries) - lacking


def test_the_error_stream_says_so_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = two_worlds(tmp_path, setup_for("fractured-sky"), 1)
    assert run_export(str(path), "csv", tmp_path / "out.csv") == 0
    assert SAID in capsys.readouterr().err


def finished(path: Path) -> Path:
    """Return a whole game of Sky Rise with noted goals."""
    setup = setup_for("sky-rise")
    player, game, rng = Player(path, setup), open_game("sky-rise"), random.Random(2)
    while not game.over(player.timeline.state):
        player.enter(rng.choice(game.legal(player.timeline.state)))
    player.close()
    return path


def test_after_the_end_the_export_has_everything(tmp_path: Path) -> None:
    record = read_record(finished(tmp_path / "whole.sqlite"))
    assert record.withheld == ""
    assert len(record.entries) == len(record_entries(tmp_path / "whole.sqlite"))
    assert any(record.game.facts[line.entry.kind].secret for line in record.facts)


def test_a_game_that_was_ended_early_is_not_said_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "early.sqlite"
    with closing(begin("sky-rise", ("Ada", "Bo"), {}, path)) as table:
        table.enter("goal_noted", {"seat": "ada", "nest": "red", "tree": "blue"})
        table.enter("abandon", {"reason": ""})
    assert read_record(path).withheld == (
        "1 entry is withheld, secret as long as the game has no result: it was ended early"
    )


def test_an_import_keeps_saying_what_it_never_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = two_worlds(tmp_path, setup_for("fractured-sky"), 1)
    run_export(str(path), "jsonl", tmp_path / "out.jsonl")
    assert run_import(tmp_path / "out.jsonl", tmp_path / "again.sqlite") == 0
    capsys.readouterr()
    assert read_record(tmp_path / "again.sqlite").withheld == read_record(path).withheld


def test_a_game_without_secrets_lacks_nothing(tmp_path: Path) -> None:
    player = Player(tmp_path / "panic.sqlite")
    player.do("fire", 1)
    player.close()
    record = read_record(tmp_path / "panic.sqlite")
    assert record.withheld == ""
    assert "withheld" not in format_export(record.entries, withheld=record.withheld)


# -- what is left stands where it stood


def counting_game(*drafts: Draft) -> tuple[Entry, ...]:
    """Return a game of Fractured Sky of these entries; times of day do not matter."""
    setup = setup_for("fractured-sky")
    begun = header(setup, "evening")
    entries = [
        seal(
            Draft(Layer.CONTROL, Control.SESSION, begun),
            1,
            "2026-01-31T20:00:00+00:00",
            FIRST_DIGEST,
            bytes(16),
        )[0]
    ]
    for n, draft in enumerate(drafts, start=2):
        entries.append(seal(draft, n, "2026-01-31T20:00:00+00:00", FIRST_DIGEST, bytes(16))[0])
    return tuple(entries)


def fact(kind: str, after: int | None = None, *, joined: bool = False, **body: Any) -> Draft:
    return Draft(Layer.FACT, kind, body, after=after, joined=joined)


def saw(after: int | None = None, **more: Any) -> Draft:
    return fact("saw", after, seat="ada", where="hidden", number=1, region="amber-atoll", **more)


def turn(name: str, after: int | None = None, *, joined: bool = False) -> Draft:
    return fact("turn", after, joined=joined, player=name, reason=name)


@pytest.mark.parametrize(
    "drafts",
    [
        (turn("a"), saw(), turn("b", 3), turn("c")),
        (turn("a"), turn("b"), saw(2), turn("c", 4), turn("d")),
        (turn("a"), saw(2), turn("b", 2), turn("c", 3), turn("d")),
        (turn("a"), saw(2), saw(3), turn("b", 2), turn("c", 4), turn("d", 3)),
        (saw(1), turn("a", 2), turn("b"), turn("c", 2)),
        (saw(), saw(2), turn("a", 3), turn("b", 2), turn("c")),
    ],
)
def test_what_stood_behind_a_secret_stands_where_it_stood(drafts: tuple[Draft, ...]) -> None:
    record = record_of(counting_game(*drafts), "counting")
    left = [line.entry.n for line in record.facts if line.entry.kind != "saw"]
    text = format_export(published(record).entries, evidence=True)
    again = record_of(parse_export(text, "export", "2026-02-01T00:00:00+00:00"), "export")
    assert [line.entry.n for line in again.facts] == left


def test_what_was_one_step_with_a_secret_is_a_step_of_its_own() -> None:
    entries = counting_game(
        turn("a"), saw(joined=True), turn("b", joined=True), turn("c", joined=True)
    )
    remaining = published(record_of(entries, "counting")).entries
    assert [(entry.n, entry.joined) for entry in remaining] == [
        (1, False),
        (2, False),
        (4, False),
        (5, True),
    ]
    assert format_export(remaining).count("\n") == len(remaining)


def test_what_was_said_about_a_lost_entry_is_withheld_too(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    world = World(path, 0, setup_for("fractured-sky"), 1)
    (secret,) = [next(step for step in script(world.player.setup, 1) if step[0] == "secret")]
    world.play([secret, ("amended", secret[1])])
    lose(path, *(entry.n for entry in world.noted))
    text = format_export(published(read_record(path)).entries)
    assert "it was" not in text
    assert '"kind":"lost"' in text


def _stored(path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run_export(str(path), "jsonl", out, "--stored") == 0
    return capsys.readouterr().err


def _unknown_game(*_: object) -> None:
    raise CommandError("there is no game 'skyfire'")


def test_an_export_as_stored_says_that_it_has_what_is_hidden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evening.sqlite"
    table = begin("skyfire", ("Ada", "Bo", "Cleo"), {}, path, components=example_deck(), make=Table)
    table.do("skyfire.deal")
    assert _stored(path, tmp_path / "before", capsys) == ""
    table.note(
        "ada",
        SeatNote("0123456789abcdef", "hand", {"cards": "red+red,blue+blue,red+blue,blue+red"}),
    )
    table.close()
    warning = _stored(path, tmp_path / "in play", capsys)
    assert (
        warning
        == "evening: this holds 1 hidden entry of a game that is not over. Show it to nobody who plays.\n"
    )
    assert "red+red" in (tmp_path / "in play").read_text()
    monkeypatch.setattr("companion.commands.reports.record_of", _unknown_game)
    warning = _stored(path, tmp_path / "without the game", capsys)
    assert warning.startswith(
        "evening: this may hold hidden entries, which only its game could tell. "
    )


def test_an_export_as_stored_of_a_game_that_is_over_hides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = finished(tmp_path / "whole.sqlite")
    assert _stored(path, tmp_path / "out", capsys) == ""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from companion.journal.entries import REDO, UNDO, Control, Draft, Entry, Layer
from companion.journal.fold import Effect, FoldOrder, amend_drafts, one_step, void_draft
from companion.journal.record import check_draft
from tests.journal.folding import effective, redo_drafts, redo_target, undo_drafts, undo_target
from tests.journal.support import bodies, evidence, fact, numbers, sealed


def void(n: int, reason: str = "wrong seat") -> Draft:
    return Draft(Layer.CONTROL, Control.VOID, {"entry": n, "reason": reason})


def fold(*drafts: Draft) -> list[int]:
    """Return the numbers that count in the record of a header and `drafts`."""
    return numbers(effective(sealed(drafts)))


class Pencil:
    """A record under construction, into which undo and redo are written at once."""

    def __init__(self, *drafts: Draft) -> None:
        self.drafts = list(drafts)

    @property
    def entries(self) -> Sequence[Entry]:
        return sealed(self.drafts)

    @property
    def counts(self) -> list[int]:
        return numbers(effective(self.entries))

    def write(self, *drafts: Draft) -> Pencil:
        self.drafts.extend(drafts)
        return self

    def undo(self) -> Pencil:
        return self.write(*undo_drafts(self.entries))

    def redo(self) -> Pencil:
        return self.write(*redo_drafts(self.entries))


def test_only_facts_count_and_in_the_order_of_the_record() -> None:
    assert fold(fact(), evidence(), fact(), Draft(Layer.CONTROL, Control.RESUMED), fact()) == [
        2,
        4,
        6,
    ]


def test_a_void_takes_back_the_fact_it_names() -> None:
    assert fold(fact(), fact(), void(2)) == [3]


def test_a_void_of_a_void_brings_the_fact_back() -> None:
    assert fold(fact(), void(2), void(3)) == [2]


def test_a_chain_of_voids_counts_from_its_end() -> None:
    assert fold(fact(), void(2), void(3), void(4)) == []
    assert fold(fact(), void(2), void(3), void(4), void(5)) == [2]


def test_a_fact_stays_taken_back_while_any_void_of_it_stands() -> None:
    assert fold(fact(), void(2), void(2), void(3)) == []
    assert fold(fact(), void(2), void(2), void(3), void(4)) == [2]


def test_an_inserted_fact_goes_right_behind_the_entry_it_names() -> None:
    assert fold(fact(), fact(), fact(after=2)) == [2, 4, 3]


def test_of_two_facts_behind_one_entry_the_later_stands_nearer() -> None:
    assert fold(fact(), fact(), fact(after=2), fact(after=2)) == [2, 5, 4, 3]


def test_a_fact_behind_an_inserted_fact_stays_behind_it() -> None:
    assert fold(fact(), fact(), fact(after=2), fact(after=4), fact(after=2)) == [2, 6, 4, 5, 3]


def test_a_fact_behind_the_header_comes_first() -> None:
    assert fold(fact(), fact(after=1)) == [3, 2]


def test_a_fact_behind_evidence_comes_where_the_evidence_came() -> None:
    assert fold(fact(), evidence(), fact(), fact(after=3), fact(after=2), fact(after=3)) == [
        2,
        6,
        7,
        5,
        4,
    ]


def test_a_fact_behind_one_taken_back_keeps_its_place() -> None:
    assert fold(fact(), fact(), fact(), void(3), fact(after=3)) == [2, 6, 4]


def test_an_inserted_fact_can_be_taken_back() -> None:
    assert fold(fact(), fact(), fact(after=2), void(4)) == [2, 3]


def test_undo_goes_back_fact_by_fact_to_the_beginning_and_redo_forth_again() -> None:
    pencil = Pencil(fact(), fact(), fact())
    seen = [pencil.undo().counts for _ in range(4)]
    assert seen == [[2, 3], [2], [], []]
    seen = [pencil.redo().counts for _ in range(4)]
    assert seen == [[2], [2, 3], [2, 3, 4], [2, 3, 4]]


def test_undo_and_redo_name_their_targets() -> None:
    pencil = Pencil(fact(), fact())
    target = undo_target(pencil.entries)
    assert target is not None
    assert target.n == 3
    assert redo_target(pencil.entries) is None
    target = redo_target(pencil.undo().entries)
    assert target is not None
    assert target.n == 3


def test_evidence_and_the_session_itself_are_never_undone() -> None:
    assert (
        undo_target(
            sealed(
                [evidence(), Draft(Layer.CONTROL, Control.IGNORED, {"reason": "noise"}), evidence()]
            )
        )
        is None
    )
    assert undo_drafts(sealed([evidence()])) == ()


def test_undo_reaches_past_evidence_and_a_restart() -> None:
    pencil = Pencil(
        fact(),
        Draft(Layer.CONTROL, Control.ENDED),
        Draft(Layer.CONTROL, Control.RESUMED),
        evidence(),
    )
    assert pencil.undo().counts == []


def test_a_new_fact_after_an_undo_clears_redo() -> None:
    pencil = Pencil(fact(), fact()).undo().write(fact())
    assert redo_target(pencil.entries) is None
    assert pencil.redo().counts == [2, 5]
    assert pencil.undo().counts == [2]
    assert pencil.undo().counts == []


def test_evidence_after_an_undo_leaves_redo() -> None:
    assert Pencil(fact()).undo().write(evidence()).redo().counts == [2]


def test_undo_of_a_correction_brings_the_corrected_fact_back() -> None:
    pencil = Pencil(fact(), fact(), fact(), void(2))
    assert pencil.counts == [3, 4]
    assert pencil.undo().counts == [2, 3, 4]
    assert pencil.redo().counts == [3, 4]
    assert pencil.undo().undo().counts == [2, 3]


def test_undo_after_the_last_fact_was_struck_brings_it_back() -> None:
    assert Pencil(fact(), fact(), void(3)).undo().counts == [2, 3]


def test_an_amendment_is_one_step_back_and_one_forth() -> None:
    pencil = Pencil(fact(1), fact(2), fact(3))
    pencil.write(*amend_drafts(pencil.entries[2], {"i": 9}, "it was blue"))
    assert [body["i"] for body in bodies(effective(pencil.entries))] == [1, 9, 3]
    assert pencil.undo().counts == [2, 3, 4]
    target = redo_target(pencil.entries)
    assert target is not None
    assert target.body == {"i": 9}
    assert pencil.redo().counts == [2, 6, 4]
    assert pencil.undo().undo().counts == [2, 3]


def test_an_amendment_keeps_all_but_the_body_and_says_why_and_who_only_if_somebody_was_named() -> (
    None
):
    press, mark = sealed([evidence(), fact(1, actor="Ada", causes=(2,), t_us=77)])[1:]
    assert mark.causes == (press.n,)
    void_of, successor = amend_drafts(mark, {"i": 9}, "it was blue")
    assert void_of.body == {"entry": mark.n, "reason": "it was blue"}
    assert successor == Draft(
        Layer.FACT, "mark", {"i": 9}, "Ada", (2,), after=mark.n, t_us=77, joined=True
    )
    assert amend_drafts(mark, {"i": 9}, "it was blue", "Ben")[0].body["who"] == "Ben"


def test_an_amendment_of_the_last_fact_is_one_step_too() -> None:
    pencil = Pencil(fact(1))
    pencil.write(*amend_drafts(pencil.entries[1], {"i": 9}, "it was blue"))
    assert pencil.counts == [4]
    assert pencil.undo().counts == [2]
    assert pencil.undo().counts == []
    assert pencil.redo().redo().counts == [4]


def test_an_amendment_of_an_amendment_keeps_the_place() -> None:
    pencil = Pencil(fact(1), fact(2))
    pencil.write(*amend_drafts(pencil.entries[1], {"i": 8}, "a"))
    pencil.write(*amend_drafts(pencil.entries[4], {"i": 9}, "b"))
    assert [body["i"] for body in bodies(effective(pencil.entries))] == [9, 2]


def test_a_correction_and_an_insertion_of_their_own_are_two_steps() -> None:
    pencil = Pencil(fact(), fact(), void(2), fact(after=2))
    assert pencil.undo().counts == [3]
    assert pencil.undo().counts == [2, 3]


def test_several_corrections_can_be_one_step() -> None:
    pencil = Pencil(fact(), fact(), fact())
    pencil.write(*one_step(void(2), void(3), void(4)))
    assert pencil.counts == []
    assert pencil.undo().counts == [2, 3, 4]
    assert pencil.undo().counts == [2, 3]
    assert pencil.redo().redo().counts == []
    assert redo_target(pencil.entries) is None


def test_two_joined_steps_in_a_row_stay_two() -> None:
    pencil = Pencil(*one_step(fact(), fact()), *one_step(fact(), fact()))
    assert pencil.undo().counts == [2, 3]
    assert pencil.undo().counts == []
    assert pencil.redo().counts == [2, 3]
    assert pencil.redo().counts == [2, 3, 4, 5]


def test_the_reason_of_a_void_is_kept() -> None:
    entries = sealed([fact()])
    assert void_draft(2, "it was blue").body == {"entry": 2, "reason": "it was blue"}
    assert [draft.body["reason"] for draft in undo_drafts(entries)] == [UNDO]
    assert [draft.body["reason"] for draft in redo_drafts(sealed([fact(), void(2, UNDO)]))] == [
        REDO
    ]


@pytest.mark.parametrize("index", [0, 1])
def test_evidence_and_the_header_cannot_be_struck(index: int) -> None:
    entries = sealed([evidence()])
    with pytest.raises(ValueError, match="only facts and voids"):
        check_draft(void_draft(entries[index].n, "no"), 3, lambda n: entries[n - 1])


# -- what would be


def order_of(*drafts: Draft) -> FoldOrder:
    order = FoldOrder()
    for entry in sealed(drafts):
        order.add(entry)
    return order


def test_who_voids_something_is_named_in_the_void() -> None:
    fact_entry = sealed([fact()])[1]
    assert void_draft(fact_entry.n, "wrong", "ada").body == {
        "entry": 2,
        "reason": "wrong",
        "who": "ada",
    }
    first, _ = amend_drafts(fact_entry, {"i": 9}, "wrong", "ada")
    assert first.body["who"] == "ada"


def test_what_a_step_would_take_away_and_bring_back_is_told_without_doing_it() -> None:
    order = order_of(fact(), fact(), void(2), fact())
    assert order.effect_of([3]) == Effect((3,), ())
    assert order.effect_of([4]) == Effect((), (2,))
    assert order.effect_of([4, 5]) == Effect((5,), (2,))
    assert order.effect_of([]) == Effect((), ())
    assert [order.stands(n) for n in (2, 3, 4, 5)] == [False, True, True, True]


def test_what_goes_and_comes_again_in_one_step_is_no_effect() -> None:
    order = order_of(fact(), void(2), void(3), void(4))
    assert order.effect_of([5]) == Effect((), (2,))
    assert order.effect_of([5, 2]) == Effect((), ())


_DRAFTS = st.lists(st.one_of(st.just(None), st.floats(0, 0.999)), min_size=1, max_size=12)


@given(_DRAFTS, st.lists(st.floats(0, 0.999), max_size=4))
def test_the_effect_of_a_step_is_what_the_fold_of_the_longer_record_shows(
    shapes: list[float | None], chosen: list[float]
) -> None:
    """A shape is a fact, or a void of an earlier fact or void."""
    drafts: list[Draft] = [fact()]
    for shape in shapes:
        drafts.append(fact() if shape is None else void(2 + int(shape * len(drafts))))
    targets = [2 + int(share * len(drafts)) for share in chosen]
    before = set(fold(*drafts))
    after = set(fold(*drafts, *(void(target) for target in targets)))
    order = order_of(*drafts)
    assert order.effect_of(targets) == Effect(
        tuple(sorted(before - after)), tuple(sorted(after - before))
    )
    assert {n for n in order.facts if order.stands(n)} == before


@given(st.lists(st.one_of(st.none(), st.floats(0, 0.999)), max_size=10), st.floats(0, 0.999))
def test_the_place_behind_an_entry_is_where_a_fact_put_there_comes_to_stand(
    places: list[float | None], where: float
) -> None:
    drafts: list[Draft] = []
    for place in places:
        after = None if place is None else 1 + int(place * (len(drafts) + 1))
        drafts.append(fact(after=after) if place is not None or len(drafts) % 3 else evidence())
    anchor = 1 + int(where * (len(drafts) + 1))
    index = order_of(*drafts).index_after(anchor)
    order = order_of(*drafts, fact(after=anchor))
    assert order.facts[index] == len(drafts) + 2

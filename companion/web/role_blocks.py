"""The parts of a page of a role: what is shown, and what can be done from there.

Everything comes from what the game declares (actions, facts, grids, panels, pictures), so a page of
any game is drawn by the same code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from companion.display.panels import SeatLine, entered_by, panels_of
from companion.reports.markup import Markup, element, join, paragraph, text
from companion.rules.actions import Action, begins_with_keys, named_by_sentence, without_keys
from companion.rules.columns import capitalized, either, json_text, unit_for
from companion.rules.facts import SeatId
from companion.rules.spans import US_PER_S, clock_time
from companion.session import key_meanings
from companion.session.lesson_words import explanation, request, step_name
from companion.session.roles import Doing, Role
from companion.session.views import LIVE, LessonView, TableView
from companion.web.blocks import Blocks
from companion.web.role_board import begin_buttons, board_block, running_block
from companion.web.role_buttons import (
    button,
    chooser,
    has_free_fields,
    has_list,
    is_numbered,
    opener,
    own_label,
    own_steps,
    owner_of,
    seat_class,
    seat_label,
    shared_words,
    step,
    wish,
    wish_of,
    without_initial,
)
from companion.web.role_choices import Choice, without_examples
from companion.web.role_forms import fix_block, forms_block
from companion.web.role_grid import column_label, columns_of, fields_block, grid_block, grids_of
from companion.web.role_kinds import KindForm
from companion.web.role_offers import NOTHING, Offers, words_of
from companion.web.role_screen import screen_declares
from companion.web.tabs import TITLE, tab_title


@dataclass(frozen=True, slots=True)
class Layout:
    """The ids of the parts of a role's page: those `above` all, what people do, what they look at beside it, and what
    is `below`."""

    above: tuple[str, ...] = ("lesson", "head", "clock")
    acts: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts."""
        return (*self.above, *self.acts, *self.shows, *self.below, *LAST)


LAST = ("undo", "forms", "seen")
"""What every page has below all else: under the thumb undo and what is asked, and what only scripts read."""
MOST_IN_BAR = 2
"""Steps that stay in view beside undo."""
LAYOUTS: dict[Role, Layout] = {
    Role.TABLE: Layout(
        above=("lesson", "head", "clock", "procedure"),
        acts=("main", "setup", "seats", "grid", "do", "fix"),
        shows=("picture", "game", "log"),
        below=("session",),
    ),
    Role.REFEREE: Layout(acts=("main", "seats", "do")),
    Role.SCORES: Layout(acts=("grid",)),
    Role.BOARD: Layout(above=("lesson", "board"), acts=("head",)),
    Role.WALL: Layout(acts=("ruling", "seats"), shows=("picture",)),
}
MOST_WORDS = 12
"""Words of the sentence that says what to do now."""
_END_OF_SENTENCE = re.compile(r"(?<=[.?!]) +(?=[A-Z])")
PAUSE, PLAY_ON = "Pause", "Go on"
PAUSED = "Paused: the clock is stopped."
MORE_AFTER_PAUSE = f"What belongs to play is offered again after “{PLAY_ON}”."
NUMBERS_AFTER_PAUSE = "New numbers can be typed once the game goes on."
SHOW_WHERE = "Show me where"
ANYTHING = "Enter something else"
_BAR = {key_meanings.UNDO.id: "Undo", key_meanings.REDO.id: "Redo"}
_SECTIONS = re.compile(r"(?=<section>|<details )")
"""Where the sections of `table_blocks` begin, which are not nested."""
_WITH_CLOCK = (Role.TABLE, Role.REFEREE, Role.WALL)
_TENTH_US = 100_000
_MOST_FORMS = 4  # more are folded
_OWN_IDS = frozenset(action.id for action in key_meanings.OWN)


def role_blocks(
    view: TableView,
    actions: Sequence[Action],
    role: Role,
    public: Blocks,
    offers: Offers = NOTHING,
) -> Blocks:
    """Return the parts of the page of `role`. `actions` are the table's; `public` are the parts that
    everybody may see (`table_blocks`), to be taken over where they fit the role; `offers` are what can be entered
    now (`RoleOffers`)."""
    page = _Page(view, actions, role, public, offers)
    blocks = {name: page.part(name) for name in LAYOUTS[role].parts}
    where = panels_of(view.setup.game).stands(view.game, abandoned=view.abandoned)
    blocks[TITLE] = tab_title(f"{capitalized(role.title)}: {page.title}", where)
    return blocks


class _Page:
    """One page at one moment."""

    def __init__(
        self,
        view: TableView,
        actions: Sequence[Action],
        role: Role,
        public: Blocks,
        offers: Offers,
    ) -> None:
        self._view, self._role, self._public, self._offers = view, role, public, offers
        screen = screen_declares(view)
        self.title, self._signal, self._screen_forms = screen.title, screen.signal, screen.forms
        self._actions = {action.id: action for action in actions}
        named = named_by_sentence(offers.awaiting)
        self._asked = named[0] if named else ()
        self._named = [action_id for ids in named for action_id in ids]
        self._working = self._steps(actions)

    def part(self, name: str) -> Markup:
        """Return a part of the page by its id."""
        draw: dict[str, Callable[[], Markup]] = {
            "lesson": self._lesson,
            "head": self._head,
            "clock": self._clock,
            "main": self._main,
            "setup": self._setup,
            "seats": self._seats,
            "do": self._others,
            "undo": self._undo,
            "session": self._session,
            "seen": self._seen,
            "ruling": self._ruling,
            "picture": lambda: join(self._sections(pictures=True)),
            "game": lambda: join(self._sections(pictures=False)),
            "grid": lambda: grid_block(
                self._view, self._offers.stopped, has_fields=not self._asks_numbers
            ),
            "fix": lambda: fix_block(self._offers),
            "forms": lambda: forms_block(self._offers),
            "board": lambda: board_block(self._view, self._offers),
            "procedure": lambda: running_block(self._offers),
        }
        if name in draw:
            return draw[name]()
        return self._public.get(name, Markup(""))

    # -- what can be done

    def _steps(self, actions: Sequence[Action]) -> list[Action]:
        """Return the game's actions that work now, in the order of the prompt, then of the game."""
        if Doing.STEP not in self._role.may or self._view.question is not None:
            return []
        working = []
        for action in actions:
            if action.id not in _OWN_IDS and action.id in self._offers.told_as:
                working.append(action)
        if self._role is Role.REFEREE:
            rulings = [
                action
                for action in working
                if action.id in self._asked or self._offers.told_as.get(action.id) == "ruling"
            ]
            working = rulings or working
        order = {action_id: place for place, action_id in enumerate(self._named)}
        return sorted(working, key=lambda action: order.get(action.id, len(order)))

    @cached_property
    def _choices(self) -> dict[str, tuple[Choice, ...]]:
        """The kinds of facts to choose from, those that the prompt asks for first."""
        if Doing.STEP not in self._role.may or self._view.question is not None:
            return {}
        shown = {}
        for kind, possible in self._offers.choices.items():
            if kind in self._columned:  # each of its numbers has a field with a name
                continue
            form = self._form_of(kind)
            choices = possible if form is None else without_examples(form, possible)
            offered = self._offered(kind, choices)
            if offered:
                shown[kind] = offered
        ranks = {kind: self._rank(kind) for kind in shown}
        return dict(sorted(shown.items(), key=lambda item: ranks[item[0]]))

    def _offered(self, kind: str, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Return the facts of a kind to choose from: none if the actions have buttons that say as much."""
        by_action = tuple(choice for choice in choices if choice.action)
        if by_action and all(choice.action in self._numbered for choice in by_action):
            return choices if Doing.FACT in self._role.may else by_action
        if Doing.FACT not in self._role.may or len(by_action) == len(choices):
            return ()
        if self._is_asked(kind) or not (by_action or kind in self._offers.of_board):
            return choices
        return ()

    @cached_property
    def _numbered(self) -> frozenset[str]:
        """The actions whose labels say no more than a number."""
        return frozenset(action.id for action in self._working if is_numbered(action))

    def _rank(self, kind: str) -> int:
        found = self._place_in_prompt(kind)
        return len(self._offers.awaiting) if found < 0 else found

    def _place_in_prompt(self, kind: str) -> int:
        """Return where the prompt names a kind of fact, -1 if it does not."""
        asking = [choice.action for choice in self._offers.choices.get(kind, ())]
        if any(action in self._asked for action in asking if action):
            return 0
        for action_id in self._asked:
            if kind in entered_by(self._screen_forms).get(action_id, ()):
                return 0
        word = re.search(
            rf"\b{re.escape(kind.replace('_', ' '))}\b", self._offers.awaiting.casefold()
        )
        return -1 if word is None else word.start()

    def _is_asked(self, kind: str) -> bool:
        return self._place_in_prompt(kind) >= 0

    def _chooser(self, kind: str, choices: Sequence[Choice], *, main: bool) -> Markup:
        form = self._form_of(kind)
        if form is None:
            return Markup("")
        listed = self._listed(form, choices)
        parts = []
        if listed:
            parts.append(chooser(form, listed, self._offers.names, main=main))
        if len(listed) < len(choices) and Doing.FACT in self._role.may:
            opens = self._form_button(kind, choices, main=main and not listed)
            parts.append(element("div", opens, class_="steps"))
        return join(parts)

    def _listed(self, form: KindForm, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Return the facts of a kind that have buttons: all of them, or if they are examples of more, those of actions
        whose own labels say too little."""
        if not has_free_fields(form, choices):
            return choices
        by_action = [choice for choice in choices if choice.action]
        are_numbered = all(choice.action in self._numbered for choice in by_action)
        return by_action if are_numbered else ()

    def _form_of(self, kind: str) -> KindForm | None:
        for form in self._offers.forms:
            if form.kind == kind:
                return form
        return None

    def _form_button(self, kind: str, choices: Sequence[Choice], *, main: bool) -> Markup:
        """Return a button that opens the form of a kind, filled in with what is certain."""
        form = self._form_of(kind)
        title = kind.replace("_", " ") if form is None else form.wanted
        return opener(title, kind, shared_words(choices), main=main)

    @cached_property
    def _forms(self) -> dict[str, list[str]]:
        """The kinds of facts that the laptop's screen has forms for, by the label of the action that opens them."""
        if Doing.FACT not in self._role.may or self._view.question is not None or self._view.ended:
            return {}
        forms: dict[str, list[str]] = {}
        listed = {*self._choices, *self._columned, *self._offers.stopped}
        for declared in self._screen_forms:
            action = declared.action
            if not (declared.means(self._view.game) and self._view.works(action.id)):
                continue
            is_asked = action.id in self._named
            for kind in declared.kinds:
                form = self._form_of(kind)
                # Facts without such a field are among the choices if they are possible.
                if kind not in listed and form is not None and has_list(form):
                    listed.add(kind)
                    forms.setdefault("" if is_asked else action.label, []).append(kind)
        return forms

    @cached_property
    def _columned(self) -> dict[str, list[SeatId]]:
        """Whose numbers are typed now in fields of their own, by the kinds of facts that they become."""
        may = self._role.may
        if Doing.NUMBER not in may or Doing.FACT not in may or self._view.question is not None:
            return {}
        columns = columns_of(self._view).items()
        return {kind: seats for kind, seats in columns if kind not in self._offers.stopped}

    def _typed_for(self, lesson: LessonView) -> SeatId:
        """Return whose numbers a step of a lesson wants, "" if they have no fields of their own."""
        seats = self._columned.get(lesson.kind, ())
        return next((seat for seat in lesson.body.values() if seat in seats), "")

    @cached_property
    def _asks_numbers(self) -> bool:
        """Whether the prompt asks for numbers that have fields of their own."""
        for declared in self._screen_forms:
            if declared.action.id in self._named and set(declared.kinds) & self._columned.keys():
                return declared.means(self._view.game) and self._view.works(declared.action.id)
        return False

    def _first_kind(self) -> str:
        """Return the kind of fact that the prompt asks for first, "" for none."""
        for kind in self._choices:
            return kind if self._is_asked(kind) else ""
        return ""

    @cached_property
    def _in_choosers(self) -> frozenset[str]:
        """The actions that are shown as answers to choose from."""
        shown = set()
        for kind, choices in self._choices.items():
            form = self._form_of(kind)
            if form is not None:
                shown |= {choice.action for choice in self._listed(form, choices)}
        return frozenset(shown)

    # -- the parts

    def _lesson(self) -> Markup:
        """Return the step of the lesson that is taught, if there is one."""
        lesson = self._view.lesson
        if lesson is None:
            return Markup("")
        is_live = self._view.link.state == LIVE
        asked = request(lesson, self._named_button, "Tap", board=is_live)
        if not any(map(self._named_button, lesson.keys)):
            asked = " ".join(filter(None, (asked, self._named_form(lesson))))
        name = element("b", text(f"{step_name(lesson)}:"))
        parts = [
            paragraph(lesson.note, "alarm"),
            element("p", name, text(f" {asked}"), role="status"),
            self._show_where(lesson),
            paragraph(explanation(lesson)),
        ]
        return element("section", *parts, class_="lesson")

    def _show_where(self, lesson: LessonView) -> Markup:
        """Return the button that leads to where a step is done, if that is on this page."""
        about = {}
        asks = self._asked_by(lesson)
        if asks:
            about["data_aim"] = asks
        kind = _kind_typed(lesson)
        form = self._form_of(kind)
        if form is not None and Doing.FACT in self._role.may:
            about["data_kind"] = kind
            words = words_of(form.fields, lesson.body, lambda n: n)
            about["data_words"] = json_text(words)
        about["data_whose"] = self._typed_for(lesson)
        if not about or lesson.is_over:
            return Markup("")
        return element("button", text(SHOW_WHERE), type="button", data_show="", **about)

    def _asked_by(self, lesson: LessonView) -> str:
        """Return what the button of a step asks for, "" if no button does all of it."""
        asks = self._bar_wishes()
        for action_id in lesson.keys:
            if action_id in asks:
                return asks[action_id]
        choice = self._wanted_choice(lesson)
        if choice is not None:
            return wish_of(choice)
        working = {action.id for action in self._working} - self._in_choosers
        for action_id in lesson.keys:
            if action_id in working:
                return wish("step", action=action_id)
        return ""

    def _wanted_choice(self, lesson: LessonView) -> Choice | None:
        """Return the fact with a button that a step of a lesson wants: of several that fit, the one that says no
        more."""
        form = self._form_of(lesson.kind)
        choices = self._choices.get(lesson.kind, ())
        if form is None or not choices:
            return None
        wanted = words_of(form.fields, lesson.body, lambda n: n)
        fitting: list[tuple[int, int, int, Choice]] = []
        for choice in self._listed(form, choices):
            if all(wanted.get(name, word) == word for name, word in choice.words.items()):
                extra = len(choice.words.keys() - wanted.keys())
                missing = len(wanted.keys() - choice.words.keys())
                fitting.append((extra, missing, len(fitting), choice))
        return min(fitting)[-1] if fitting else None

    def _named_button(self, action_id: str) -> str:
        """Return what the button of an action is called here, "" if the page shows answers instead or has none."""
        if action_id in _BAR:
            return _BAR[action_id]
        if action_id == key_meanings.PAUSE.id:
            return PLAY_ON if self._view.paused else PAUSE
        action = self._actions.get(action_id)
        if action is None or action not in self._working or action_id in self._in_choosers:
            return ""
        seat = owner_of(action, self._view.setup.seats)
        if seat is None:
            return f"“{capitalized(action.label)}”"
        label = own_label(action, seat)
        return f"“{label}”" if seat.name in label else f"“{label}” of {seat.name}"

    def _named_form(self, lesson: LessonView) -> str:
        """Return the button of a step that is done in a form, as a sentence; "" if the page shows its answers."""
        kind = _kind_typed(lesson)
        form = self._form_of(kind)
        if form is None:
            return ""
        whose = self._typed_for(lesson)
        if whose:
            return f"Tap “{column_label(self._view, kind, whose)}”."
        if kind in self._choices:
            # a single answer has the title of its form
            is_button = len(self._listed(form, self._choices[kind])) < 2
        else:
            is_button = any(kind in kinds for kinds in self._forms.values())
            if not is_button and Doing.FACT in self._role.may:
                return f"Tap “{ANYTHING}” and choose “{capitalized(form.title)}”."
        return f"Tap “{capitalized(form.wanted)}”." if is_button else ""

    def _head(self) -> Markup:
        view = self._view
        where = panels_of(view.setup.game).stands(view.game, abandoned=view.abandoned)
        prompt, more = self._prompt()
        parts = [
            element("h1", text(self.title)),
            paragraph(", ".join(filter(None, (self._role.title, where))), "soft"),
            element("p", text(prompt), class_="awaiting", role="status"),
            paragraph(more, "soft"),
        ]
        if view.paused and not view.ended:
            parts.append(paragraph(f"{PAUSED} {self._after_pause()}".rstrip(), "alarm"))
        if view.testing:
            parts.append(paragraph(view.testing, "alarm"))
        if not view.saved.ok:
            parts.append(paragraph(f"{view.saved.text}. {view.saved.problem}", "alarm"))
        if view.ending is not None and view.ending.decided:
            parts.append(paragraph(view.ending.decided))
        return join(parts)

    def _after_pause(self) -> str:
        """Return what is missing on the page until the game goes on."""
        if not self._offers.stopped:
            return ""
        if Doing.PAUSE in self._role.may:
            return MORE_AFTER_PAUSE
        types = Doing.NUMBER in self._role.may and grids_of(self._view)
        return NUMBERS_AFTER_PAUSE if types else ""

    def _setup(self) -> Markup:
        """Return what the table sets up before the first move."""
        if not self._offers.checklist:
            return Markup("")
        steps = [element("li", text(line)) for line in self._offers.checklist]
        return join(
            (element("h2", text("Before you start")), element("ol", *steps, class_="plain"))
        )

    def _prompt(self) -> tuple[str, str]:
        """Return what to do now in at most `MOST_WORDS` words, and what else the prompt says."""
        view = self._view
        if view.question is not None:
            return "Answer this first.", ""
        if view.ending is not None:
            return view.ending.headline, ""
        awaiting = self._offers.awaiting or view.awaiting
        sentences = [*filter(None, _END_OF_SENTENCE.split(without_keys(awaiting)))]
        if begins_with_keys(awaiting) and Doing.STEP in self._role.may:
            made = self._made_prompt()
            sentences = [made, *sentences] if made else sentences
        if not sentences:
            return "The game is under way.", ""
        count = 1
        while count < len(sentences):
            if len(" ".join(sentences[: count + 1]).split()) > MOST_WORDS:
                break
            count += 1
        return " ".join(sentences[:count]), " ".join(sentences[count:])

    def _made_prompt(self) -> str:
        """Return a sentence from the buttons, for a prompt that speaks of keys alone."""
        seats = self._view.setup.seats
        labels = []
        for action in self._working:
            if action.id in self._named:
                seat = owner_of(action, seats)
                labels.append(action.label if seat is None else without_initial(action.label, seat))
        names = list(dict.fromkeys(labels))[:3]
        if not names:
            return ""
        made = f"Tap what happens: {either(names)}"
        return made if made[-1] in ".!?" else f"{made}."

    def _clock(self) -> Markup:
        """Return the signal of the game, or else the time of the round, which a script lets run."""
        if self._signal:
            return paragraph(self._signal, "signal")
        time = self._offers.time
        if time is None or self._role not in _WITH_CLOCK:
            return Markup("")
        if not time.runs:
            return element("p", text(clock_time(time.ran_us / US_PER_S)), class_="clock")
        # To a tenth of a second, so that the page is not sent again for what two readings differ.
        zero_us = round((time.at_us - time.ran_us) / _TENTH_US) * _TENTH_US
        return element("p", class_="clock", role="timer", data_zero=str(zero_us))

    def _ask(self) -> Markup:
        view = self._view
        parts = []
        if view.question is not None and Doing.CONSENT in self._role.may:
            answers = [
                button(label, wish("answer", question=view.question_id, agreed=agreed), main=agreed)
                for label, agreed in (("Agree", True), ("No", False))
            ]
            parts.append(_asked(view.question, answers))
        if view.proposal is not None and Doing.PROPOSAL in self._role.may:
            proposal = view.proposal
            answers = [
                button(
                    label, wish("decide", proposal=proposal.id, accepted=accepted), main=accepted
                )
                for label, accepted in (("Record", True), ("Drop", False))
            ]
            more = f" {proposal.waiting} more to come." if proposal.waiting else ""
            parts.append(_asked(f"{capitalized(proposal.text)}?{more}", answers))
        return join(parts)

    def _main(self) -> Markup:
        """Return what the prompt asks for and no single player owns; at the end, the next game."""
        parts = []
        lesson, may_leave = self._view.lesson, Doing.SESSION in self._role.may
        if may_leave and lesson is not None and lesson.is_over:
            parts.append(element("div", _leaves("Choose a game", main=True), class_="steps"))
        elif may_leave and lesson is None and self._view.ended:
            asks = wish("session", do="rematch")
            again = button("Play again", asks, main=True, about="Same players, same rules.")
            parts.append(element("div", again, class_="steps"))
        kind = self._first_kind()
        if kind:
            parts.append(self._chooser(kind, self._choices[kind], main=True))
        if self._asks_numbers:
            parts.append(fields_block(self._view, self._offers.stopped))
        steps = [step(action, main=True) for action in self._common_steps(asked=True)]
        if steps:
            parts.append(element("div", *steps, class_="steps"))
        # Beside answers to choose from, the forms that the prompt asks for are among the other things to do.
        asked = [self._form_button(kind, (), main=True) for kind in self._forms.get("", ())]
        if asked and not parts:
            parts.append(element("div", *asked, class_="steps"))
        return join(parts)

    def _common_steps(self, *, asked: bool) -> list[Action]:
        """Return the actions that belong to no player, those that are asked for or the others; without those of the
        bar."""
        found = []
        for action in self._of_nobody:
            if action not in self._in_bar and (action.id in self._asked) == asked:
                found.append(action)
        return found

    @cached_property
    def _of_nobody(self) -> list[Action]:
        """The actions that belong to no player and are no answers to choose from."""
        seats, in_choosers = self._view.setup.seats, self._in_choosers
        return [
            action
            for action in self._working
            if owner_of(action, seats) is None and action.id not in in_choosers
        ]

    @cached_property
    def _in_bar(self) -> list[Action]:
        """The actions that the prompt names beside those of the players, whose cards would push them out of view."""
        seats = self._view.setup.seats
        if not any(owner_of(action, seats) for action in self._working):
            return []
        named = [action for action in self._of_nobody if action.id in self._named]
        return named if len(named) <= MOST_IN_BAR else []

    def _seats(self) -> Markup:
        view = self._view
        seats = view.setup.seats
        unit = panels_of(view.setup.game).unit
        own: dict[str, list[Action]] = {}
        in_choosers = self._in_choosers
        for action in self._working:
            seat = owner_of(action, seats)
            if seat is not None and action.id not in in_choosers:
                own.setdefault(seat.id, []).append(action)
        lines = view.players
        own_turn = not all(line.turn for line in lines)  # of everybody it says nothing
        cards = []
        for line in map(self._with_result, lines):
            buttons = own_steps(line, own.get(line.id, ()), self._asked)
            cards.append(_card(line, unit, buttons, turn=own_turn and line.turn))
        return element("ul", *cards, class_="seats")

    def _with_result(self, line: SeatLine) -> SeatLine:
        """Return the player; once a game has ended with who won, not with who was out of its last round."""
        ending = self._view.ending
        if ending is None or ending.abandoned:
            return line
        left = line.id in self._view.left
        note = line.note if left else ""
        if line.id in ending.winners:
            note = "winner"
        return replace(line, turn=False, idle=left, note=note)

    def _others(self) -> Markup:
        """Return the other actions by group, and the other facts that are possible now."""
        parts = []
        first = self._first_kind()
        for kind, choices in self._choices.items():
            if kind != first:
                parts.append(self._chooser(kind, choices, main=False))
        groups: dict[str, list[Action]] = {}
        for action in self._common_steps(asked=False):
            groups.setdefault(action.group, []).append(action)
        for group, of_group in groups.items():
            parts.append(element("h2", text(capitalized(group))))
            steps = [step(action, main=False) for action in of_group]
            parts.append(element("div", *steps, class_="steps"))
        for label, kinds in self._forms.items():
            buttons = [self._form_button(kind, (), main=False) for kind in kinds]
            shown = element("div", *buttons, class_="steps")
            if len(kinds) > _MOST_FORMS:
                summary = element("summary", text(capitalized(label)))
                parts.append(element("details", summary, shown, id=f"forms-{len(parts)}"))
            elif label:
                parts += [element("h2", text(capitalized(label))), shown]
            elif self._first_kind():
                parts.append(shown)
        if Doing.FACT in self._role.may and not self._view.ended and self._offers.forms:
            other = element("b", text(ANYTHING))
            parts.append(element("button", other, type="button", data_open="fact"))
        return join(parts)

    def _bar_wishes(self) -> dict[str, str]:
        """Return what undo, redo and pause ask for, by their actions, as far as they can be done now."""
        view, may = self._view, self._role.may
        asks = {}
        if view.question is None and Doing.UNDO in may:
            if view.undo is not None and view.undo_entry is not None:
                asks[key_meanings.UNDO.id] = wish("undo", entry=view.undo_entry, redo=False)
            if view.redo is not None and view.redo_entry is not None:
                asks[key_meanings.REDO.id] = wish("undo", entry=view.redo_entry, redo=True)
        if Doing.PAUSE in may and view.works(key_meanings.PAUSE.id):
            asks[key_meanings.PAUSE.id] = wish("step", action=key_meanings.PAUSE.id)
        return asks

    def _undo(self) -> Markup:
        """Return what is under the thumb wherever the page is scrolled: a question that has to be answered, what the
        prompt names beside the players' own buttons, undo, redo and pause."""
        view = self._view
        labels = {
            key_meanings.UNDO.id: f"Undo: {view.undo}",
            key_meanings.REDO.id: f"Redo: {view.redo}",
            key_meanings.PAUSE.id: PLAY_ON if view.paused else PAUSE,
        }
        buttons = []
        for action_id, asks in self._bar_wishes().items():
            is_main = action_id == key_meanings.PAUSE.id and view.paused
            buttons.append(button(labels[action_id], asks, main=is_main))
        parts = [self._ask()]
        steps = [
            button(
                capitalized(action.label),
                wish("step", action=action.id),
                main=action.id in self._asked,
            )
            for action in self._in_bar
        ]
        if steps:
            buttons.insert(0, element("div", *steps, class_="named"))
        if buttons:
            parts.append(element("div", *buttons, class_="bar"))
        return join(parts)

    def _session(self) -> Markup:
        view = self._view
        if view.lesson is not None:
            buttons = [] if view.lesson.is_over else [_leaves("Leave the lesson")]
            sure = "Quit? The lesson is kept and can be continued."
            buttons.append(button("Quit", wish("session", do="quit"), sure=sure))
            return element("div", *buttons, class_="steps")
        buttons = []
        if not view.ended:
            sure = "End this game now? Nobody wins it."
            ends = wish("fact", fact="abandon", body={"reason": ""})
            buttons.append(button("End the game early", ends, sure=sure))
        # with a procedure, its own part of the page has these buttons once it is over
        if view.link.state == LIVE and self._offers.procedure.view is None:
            buttons += begin_buttons()
        sure = "Quit? The game is kept and can be resumed."
        buttons.append(button("Quit", wish("session", do="quit"), sure=sure))
        return join((element("h2", text("This game")), element("div", *buttons, class_="steps")))

    def _ruling(self) -> Markup:
        """Return the last ruling."""
        for ruling in self._offers.rulings:
            if ruling.stands:
                return paragraph(capitalized(ruling.text))
        return Markup("")

    def _sections(self, *, pictures: bool) -> list[Markup]:
        """Return the parts of what everybody sees of the game that are pictures, or the others."""
        sections = _SECTIONS.split(self._public.get("game", ""))
        return [Markup(part) for part in sections if part and ("<svg" in part) == pictures]

    def _seen(self) -> Markup:
        about = {"data_seen": str(self._view.newest)}
        if self._offers.stopped:
            about["data_stopped"] = " ".join(sorted(self._offers.stopped))
        return element("span", **about)


def _kind_typed(lesson: LessonView) -> str:
    """Return the kind of fact that a step of a lesson asks for."""
    return lesson.typed.partition(" ")[0].replace("-", "_")


def _asked(question: str, answers: Sequence[Markup]) -> Markup:
    words = element("p", text(question), role="alert")
    return element("section", words, element("div", *answers, class_="steps"), class_="question")


def _leaves(label: str, *, main: bool = False) -> Markup:
    """Return the button that leaves a lesson for the games to choose from."""
    return button(label, wish("session", do="next"), main=main)


def _card(line: SeatLine, unit: str, buttons: Markup, *, turn: bool) -> Markup:
    score = element("span", text(line.score), class_="score")
    of = element("span", text(unit_for(line.score, unit)), class_="soft")
    words = [line.note.upper(), *line.words]
    if turn:
        words.insert(0, "ON TURN")
    kind = seat_class(line)
    if line.idle:
        kind += " idle"
    if turn:
        kind += " turn"
    name = element("p", seat_label(line), class_="name")
    head = element("div", name, element("p", score, text(" "), of), class_="seat-head")
    known = paragraph(", ".join(word for word in words if word), "words")
    return element("li", head, known, buttons, class_=kind)

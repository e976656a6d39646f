"""The tour's steps in a game of Panic Fire: begin a round, draw, shoot, name who it was."""

from __future__ import annotations

from companion.dashboard.start.tour import TourStep

STAGES = (
    TourStep(
        "Each seat has a button on the board. Hold red's: press {tour.button}, the capital letter. "
        "A hold is fire!, the round begins.",
        lambda view, _: view.game.phase == "open",
        lambda _: (
            "The board stamped the press the moment it came; the rules made fire! of it, and the clock runs."
        ),
    ),
    TourStep(
        "To draw a card, tap your button. From the keyboard: press {panic-fire.draw.1}, red draws.",
        lambda view, _: view.game.seats[0].draws > 0,
        lambda view: f"Red's draw is counted. Cards left: {view.game.cards_text}.",
    ),
    TourStep(
        "Now the gun. With a board you pull the trigger; here press {panic-fire.shot}.",
        lambda view, _: bool(view.game.open_shots),
        lambda _: (
            "A shot is open: the companion knows when, not who. It asks, and the game need not wait."
        ),
    ),
    TourStep(
        "Say who was shot at, then who shot: {panic-fire.name.2} for blue, then {panic-fire.name.1} for red.",
        lambda view, _: not view.game.open_shots and view.game.last_shot is not None,
        lambda view: f"{view.game.last_shot.verdict}. In the log, brackets name the rule.",
    ),
)

"""Options of the drills: the drill and its limits."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule, Number

HOUSE_RULES = (
    HouseRule(
        "drill",
        "DR-1",
        ("reaction", "par", "splits", "string", "plates"),
        first=True,
        meanings=(
            "one shot, as fast as one can",
            "one shot within a given time",
            "the time from shot to shot",
            "several shots against the clock",
            "buttons, who is first",
        ),
    ),
    HouseRule(
        "hit_sensor",
        "DR-5",
        ("yes", "no"),
        meanings=("", "the gun has none, each pull is a shot"),
        title="Hit sensor on the gun",
        choices=("yes", "no"),
    ),
)
NUMBERS = (
    Number(
        "strings",
        "DR-2",
        5,
        100,
        "strings for each player; 0: as many as the table likes",
        title="Strings for each player",
    ),
    Number(
        "shots", "DR-1", 5, 20, "shots of a string, in splits and string", title="Shots in a string"
    ),
    Number(
        "par_ms",
        "DR-1",
        1_500,
        60_000,
        "milliseconds that par allows",
        title="Time that par allows (milliseconds)",
    ),
    Number(
        "least_delay_ms",
        "DR-3",
        2_000,
        30_000,
        "milliseconds until the signal, at least",
        title="Shortest delay (milliseconds)",
    ),
    Number(
        "most_delay_ms",
        "DR-3",
        5_000,
        30_000,
        "milliseconds until the signal, at most",
        title="Longest delay (milliseconds)",
    ),
    Number(
        "floor_ms",
        "DR-4",
        100,
        1_000,
        "milliseconds below which nobody can react: a false start",
        title="False start below (milliseconds)",
    ),
)

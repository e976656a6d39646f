"""When a part of a moving picture is shown, as a rule of its style sheet."""

from __future__ import annotations


def keyframes(name: str, span: tuple[float, float], total: float) -> str:
    """Return the rules by which the class `name` is shown from one second to another, of `total`."""
    begin, end = (100 * second / total for second in span)
    if (begin, end) == (0, 100):
        return f".{name} {{ visibility: visible; }}"
    steps = [] if begin == 0 else ["0% { visibility: hidden; }"]
    steps.append(f"{begin:.2f}% {{ visibility: visible; }}")
    steps += [] if end >= 100 else [f"{end:.2f}%, 100% {{ visibility: hidden; }}"]
    moves = " ".join(steps)
    return (
        f"@keyframes {name} {{ {moves} }}\n"
        f".{name} {{ visibility: hidden; animation: {name} {total:.1f}s step-end infinite; }}"
    )

"""Paints whole frames only, and only when a test asks for one.

Painting changes is nearly half the work of the screens' tests. What a test looks at is painted
whole by `screen_rows`; so is a whole frame that is requested, such as a picture.
"""

from __future__ import annotations

from typing import Any

from textual._compositor import Compositor

_render_update = Compositor.render_update


def install() -> None:
    """Skip every frame that paints only changes."""
    Compositor.render_update = _whole_frames_only  # type: ignore[method-assign, assignment]


def _whole_frames_only(compositor: Compositor, full: bool = False, **how: Any) -> Any:
    if full:
        return _render_update(compositor, full, **how)
    compositor._dirty_regions.clear()
    return None

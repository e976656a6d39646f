"""What a screen without a terminal paints: whole frames that somebody asks for, and nothing for nobody.

Painting what changed is nearly half the work of the tests of screens. What a test looks at is painted whole, by
`screen_rows`; a whole frame that is asked for, such as a picture, is painted too.
"""

from __future__ import annotations

from typing import Any

from textual._compositor import Compositor

_render_update = Compositor.render_update


def install() -> None:
    """Leave out every frame of what changed alone."""
    Compositor.render_update = _whole_frames_only  # type: ignore[method-assign, assignment]


def _whole_frames_only(compositor: Compositor, full: bool = False, **how: Any) -> Any:
    if full:
        return _render_update(compositor, full, **how)
    compositor._dirty_regions.clear()
    return None

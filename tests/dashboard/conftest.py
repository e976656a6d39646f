"""What the tests of the screen share."""

from __future__ import annotations

from typing import Any

from textual._compositor import Compositor

from tests.dashboard import settling

settling.install()

# A screen without a terminal paints what changed for nobody, and that is nearly half the work of these tests. What a
# test looks at is painted whole, by `screen_rows`; a whole frame that is asked for, such as a picture, is painted too.
_render_update = Compositor.render_update


def _paint_whole_frames_only(compositor: Compositor, full: bool = False, **how: Any) -> Any:
    if full:
        return _render_update(compositor, full, **how)
    compositor._dirty_regions.clear()
    return None


Compositor.render_update = _paint_whole_frames_only  # type: ignore[method-assign, assignment]

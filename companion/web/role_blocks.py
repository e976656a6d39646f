"""The parts of a page of a role: what is shown, and what can be done from there.

Everything comes from what the game declares (actions, facts, grids, panels, pictures), so a page of
any game is drawn by the same code.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.actions import Action
from companion.session.roles import Role
from companion.session.views import TableView
from companion.web.blocks import Blocks


def role_blocks(view: TableView, actions: Sequence[Action], role: Role, public: Blocks) -> Blocks:
    """Return the parts of the page of `role`. `actions` are the table's; `public` are the parts that
    everybody may see (`table_blocks`), to be taken over where they fit the role."""
    raise NotImplementedError

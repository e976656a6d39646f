"""The page of a role around its blocks."""

from __future__ import annotations

from collections.abc import Mapping

from companion.session.roles import Role
from companion.web.blocks import Blocks
from companion.web.document import headers, session_page


def role_page(
    title: str, role: Role, name: str, blocks: Blocks, fingerprint: str = "", place: str = ""
) -> tuple[str, Mapping[str, str]]:
    """Return the page of `role` on the device called `name`, and its policy header. The rest is as for
    `session_page`."""
    del role, name
    return session_page(title, blocks, fingerprint, place), headers()

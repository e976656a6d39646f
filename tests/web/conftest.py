"""Fixtures of tests of the pages."""

from __future__ import annotations

import socket
from contextlib import closing

import pytest

from companion.journal.folder import sessions_dir
from companion.session.evening import Evening


@pytest.fixture
def own_port() -> None:
    """Let programs listen at a port of their own: tests beside this one may use the usual one again and again."""
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        port = door.getsockname()[1]
    evening = Evening.held(sessions_dir().parent)
    assert evening is not None
    with closing(evening):
        evening.save(port, "code-of-everybody", {})

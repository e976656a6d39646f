"""A running link that is closed whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.link.supervisor import Link
from companion.link.transport import Port
from firmware_protocol.messages import Config
from tests.link.threaded.listening import Notebook

CONFIG = Config(8_000, 300, 900, 3_000, 30_000)


@contextmanager
def linked(
    spec: str,
    notebook: Notebook,
    open_port: Callable[[str], Port],
    *,
    clean: bool = False,
    **options: object,
) -> Iterator[Link]:
    link = Link(spec, notebook, open_port=open_port, retry_s=0.01, **options)  # type: ignore[arg-type]
    link.start()
    try:
        yield link
    finally:
        assert link.close(clean=clean)

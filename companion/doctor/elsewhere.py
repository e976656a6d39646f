"""The doctor's look at who is told of a game elsewhere: what the settings say, and how it went last."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from companion.config.hooks import Hook
from companion.config.mqtt import Broker
from companion.config.reading import preferences
from companion.config.secret import NoSecretError
from companion.doctor.finding import Finding, failure, ok, warning
from companion.exits import CommandError
from companion.journal.sessions import SessionInfo
from companion.outbound.hook_delivery import SEARCHED
from companion.outbound.hook_runner import Delivered, read_delivered
from companion.rules.columns import plural

TOPIC = "hooks"


def told_elsewhere(infos: Sequence[SessionInfo]) -> Iterator[Finding]:
    """Look at each hook; nothing is sent. Where there are none, nothing is said."""
    try:
        wanted = preferences()
    except CommandError as problem:
        yield failure("settings", str(problem), "Mend it there; `companion config validate` says when it is right.")
        return
    newest = max(infos, key=lambda info: info.last_wall, default=None)
    last = {} if newest is None else read_delivered(newest.path)
    for hook in wanted.hooks:
        yield _of_hook(hook, last.get(hook.name))
    if wanted.mqtt is not None:
        yield _of_broker(wanted.mqtt)


def _of_broker(broker: Broker) -> Finding:
    if find_spec("aiomqtt") is None:
        return failure(
            "mqtt", "The MQTT library is not installed.", "In the companion's clone: pip install -e '.[mqtt]'"
        )
    if broker.password is not None:
        try:
            broker.password.read()
        except NoSecretError as problem:
            return failure("mqtt", f"{broker.place}: {problem}.", "Put the password there, alone.")
    return ok("mqtt", f"{broker.place} is told while you play; nothing is sent to it now.")


def _of_hook(hook: Hook, last: Delivered | None) -> Finding:
    named = f"{hook.name} ({hook.place})"
    if hook.secret is not None:
        try:
            hook.secret.read()
        except NoSecretError as problem:
            return failure(TOPIC, f"{named}: {problem}.", "Put the secret there, alone.")
    if hook.command and shutil.which(str(Path(hook.command[0])), path=SEARCHED) is None:
        missing = "is not there" if not os.path.lexists(hook.command[0]) else "cannot be run"
        return failure(TOPIC, f"{named}: that command {missing}.", "Give its whole path; make it executable: chmod +x")
    if last is None:
        return ok(TOPIC, f"{named}: nothing was sent yet in the session played last.")
    said = f"{named}: {plural(last.sent, 'event')} delivered in the session played last"
    if last.dropped:
        said += f", {last.dropped} dropped"
    if last.trouble:
        given_up = "then it was given up: " if last.off else "the last try failed: "
        return warning(TOPIC, f"{said}; {given_up}{last.trouble}.", "Mend that; what is missing comes when you resume.")
    return ok(TOPIC, f"{said}.")

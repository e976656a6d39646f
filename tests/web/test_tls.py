"""Encrypted pages: a certificate made here, phones that take it, and everybody else who comes to that door."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
import ssl
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from companion.commands.outlets import PhonesOfTable
from companion.config.schema import Preferences
from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play, connections, tls_door
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from companion.web.certificate import FILE, LEAST_LEFT, VALID, identity_for
from companion.web.tls_door import MOST_OF_ONE, PLAIN
from tests.web.acting import draw_plainly
from tests.web.browser import Chromium

NOW = datetime(2030, 5, 1, 20, 0, tzinfo=UTC)
LATER = 60.0
"""Seconds after which nothing of this can still be under way."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr(at_play, "PORT", 0)
    monkeypatch.setattr(at_play, "own_addresses", tuple)


@contextmanager
def table(folder: Path) -> Iterator[Table]:
    with closing(begin("panic-fire", ("Anna", "Ben"), {}, folder / "evening.sqlite")) as made:
        yield made


@contextmanager
def served(folder: Path) -> Iterator[TablePages]:
    with table(folder) as at, closing(TablePages(at, LOCALHOST, tls=True)) as pages:
        yield pages


def port_of(pages: TablePages) -> int:
    return int(pages.origin.rpartition(":")[2])


def trusting(folder: Path) -> ssl.SSLContext:
    """Return a client context that trusts the certificate, and checks its name."""
    return ssl.create_default_context(cafile=str(folder / FILE))


def asked(pages: TablePages, folder: Path, path: str = "/") -> tuple[int, str]:
    client = HTTPSConnection(LOCALHOST, port_of(pages), context=trusting(folder), timeout=LATER)
    with closing(client):
        client.request("GET", path)
        answer = client.getresponse()
        return answer.status, answer.read().decode()


# -- the certificate


def test_the_certificate_is_made_once_and_only_its_owner_can_read_the_key(tmp_path: Path) -> None:
    first = identity_for(("192.168.1.20",), tmp_path, NOW)
    assert identity_for(("192.168.1.20",), tmp_path, NOW).fingerprint == first.fingerprint
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize(
    ("address", "when"),
    [
        ("192.168.1.21", NOW),
        ("192.168.1.20", NOW + VALID - LEAST_LEFT),
        ("192.168.1.20", NOW - timedelta(days=400)),
    ],
    ids=["another address", "it runs out soon", "a clock set back"],
)
def test_another_address_or_time_makes_another_certificate(
    tmp_path: Path, address: str, when: datetime
) -> None:
    first = identity_for(("192.168.1.20",), tmp_path, NOW)
    assert identity_for((address,), tmp_path, when).fingerprint != first.fingerprint


DAMAGE = (
    "empty",
    "half",
    "no key",
    "another key",
    "a locked key",
    "a bare certificate",
    "noise",
    "not ASCII",
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_certificate_is_made_anew(tmp_path: Path, damage: str) -> None:
    first = identity_for((LOCALHOST,), tmp_path, NOW)
    whole = (tmp_path / FILE).read_bytes()
    _, certificate = whole.split(b"-----BEGIN CERT")
    identity_for((LOCALHOST,), tmp_path / "other", NOW)
    other_key = (tmp_path / "other" / FILE).read_bytes().split(b"-----BEGIN CERT")[0]
    pieces = {
        "empty": b"",
        "half": whole[: len(whole) // 2],
        "no key": b"-----BEGIN CERT" + certificate,
        "another key": other_key + b"-----BEGIN CERT" + certificate,
        "a locked key": locked(whole) + b"-----BEGIN CERT" + certificate,
        "a bare certificate": bare(),
        "noise": os.urandom(100_000),
        "not ASCII": whole.replace(b"M", b"\xff"),
    }
    (tmp_path / FILE).write_bytes(pieces[damage])
    again = identity_for((LOCALHOST,), tmp_path, NOW)
    assert again.fingerprint != first.fingerprint
    assert identity_for((LOCALHOST,), tmp_path, NOW).fingerprint == again.fingerprint


def locked(pem: bytes) -> bytes:
    """Return the same key, encrypted with a password."""
    key = serialization.load_pem_private_key(pem, None)
    lock = serialization.BestAvailableEncryption(b"a word")
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)


def bare() -> bytes:
    """Return a certificate that is for no address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "somebody")])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    )
    made = made.serial_number(1).not_valid_before(NOW).not_valid_after(NOW + timedelta(days=90))
    plain = serialization.NoEncryption()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain
    )
    return private + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def test_a_key_that_everybody_could_read_is_its_owners_alone_again(tmp_path: Path) -> None:
    first = identity_for((LOCALHOST,), tmp_path, NOW)
    (tmp_path / FILE).chmod(0o644)
    assert identity_for((LOCALHOST,), tmp_path, NOW).fingerprint == first.fingerprint
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_folder_that_takes_no_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CommandError, match="cannot be made") as refused:
        identity_for((LOCALHOST,), tmp_path / "file", NOW)
    assert code_of(refused.value.kind) == Exit.CANNOT_CREATE


def test_without_the_library_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "companion.web.certificate", None)
    monkeypatch.delitem(sys.modules, "companion.web.certificate")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with (
        table(tmp_path) as at,
        closing(PhonesOfTable(lambda: at, Preferences(phones_tls=True))) as phones,
    ):
        text = phones.open()
    assert text.startswith("Encrypted pages need a library that is not installed.")
    assert "serve,tls]" in text


# -- who comes to the door


def test_a_phone_that_took_the_certificate_reads_pages_and_their_fingerprint_is_that_on_the_tables_screen(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as pages:
        path = pages.address_of().removeprefix(pages.origin)
        status, page = asked(pages, tmp_path, path)
        assert status == 200
        assert pages.fingerprint in page
        shown = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((LOCALHOST, port_of(pages))))
        assert hashlib.sha256(shown).hexdigest().upper() == pages.fingerprint.replace(":", "")
        status, manifest = asked(pages, tmp_path, f"{path}manifest")
        assert (status, json.loads(manifest)["start_url"]) == (200, "./")


def test_who_did_not_take_the_certificate_is_warned(tmp_path: Path) -> None:
    with served(tmp_path) as pages:
        client = HTTPSConnection(LOCALHOST, port_of(pages), timeout=LATER)
        with closing(client), pytest.raises(ssl.SSLCertVerificationError, match="self-signed"):
            client.request("GET", "/")


def test_a_request_that_is_not_encrypted_is_told_in_plain_words(tmp_path: Path) -> None:
    with served(tmp_path) as pages:
        client = HTTPConnection(LOCALHOST, port_of(pages), timeout=LATER)
        with closing(client):
            client.request("GET", "/")
            answer = client.getresponse()
            assert (answer.status, answer.read().decode().strip()) == (400, PLAIN)


def test_pages_that_are_not_encrypted_have_no_manifest_and_no_word_of_a_warning(
    tmp_path: Path,
) -> None:
    with table(tmp_path) as at, closing(TablePages(at, LOCALHOST)) as pages:
        path = pages.address_of().removeprefix(pages.origin)
        client = HTTPConnection(LOCALHOST, port_of(pages), timeout=LATER)
        with closing(client):
            client.request("GET", path)
            page = client.getresponse().read().decode()
            assert "manifest" not in page.partition("<body>")[0].replace("manifest-src", "")
            assert "browser warn" not in page
            client.request("GET", f"{path}manifest")
            assert client.getresponse().status == 403


def hello_begun() -> bytes:
    """Return the first half of a TLS hello."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    it = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        it.do_handshake()
    return outgoing.read()[:100]


@pytest.mark.parametrize("sent", [b"", b"\x16", b"G"], ids=["nothing", "half a hello", "a letter"])
def test_those_who_stand_in_the_door_and_say_no_more_keep_nobody_out_and_are_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(tls_door, "HELLO_S", 1.0)
    with served(tmp_path) as pages:
        half = hello_begun() if sent == b"\x16" else sent
        standing = [
            socket.create_connection((LOCALHOST, port_of(pages)), LATER)
            for _ in range(MOST_OF_ONE - 1)
        ]
        for player in standing:
            player.sendall(half)
        path = pages.address_of().removeprefix(pages.origin)
        assert asked(pages, tmp_path, path)[0] == 200
        for player in standing:
            while player.recv(
                65536
            ):  # the sentence for who speaks no TLS, if any, and then the end
                pass
            player.close()


def test_where_many_stand_in_the_door_who_stands_there_longest_makes_room(tmp_path: Path) -> None:
    with served(tmp_path) as pages:
        standing = [
            socket.create_connection((LOCALHOST, port_of(pages)), LATER)
            for _ in range(3 * MOST_OF_ONE)
        ]
        path = pages.address_of().removeprefix(pages.origin)
        assert asked(pages, tmp_path, path)[0] == 200
        assert standing[0].recv(1) == b""
        for player in standing:
            player.close()


def test_the_referees_page_comes_when_there_are_too_many_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_plainly(monkeypatch)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 4)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with served(tmp_path) as pages, ExitStack() as crowd:
        path = pages.address_of().removeprefix(pages.origin)
        referee = f"/{pages.give_out(Role.REFEREE, 'whistle')}/"
        for _ in range(4):
            plain = socket.create_connection((LOCALHOST, port_of(pages)), LATER)
            onlooker = crowd.enter_context(context.wrap_socket(plain))
            onlooker.sendall(f"GET {path}events HTTP/1.1\r\nHost: {LOCALHOST}\r\n\r\n".encode())
            assert onlooker.recv(12) == b"HTTP/1.1 200"
        assert asked(pages, tmp_path, path)[0] == 503
        assert asked(pages, tmp_path, referee)[0] == 200


NOISE = {
    "one sign": b"\x16" * 600,
    "a record too long": b"\x16\x03\x01\xff\xff" + bytes(400),
    "an old hello": b"\x80\x2e\x01",
    "chance": os.urandom(999),
    "a handshake of chance": b"\x16\x03\x01\x02\x00" + os.urandom(600),
}


@pytest.mark.parametrize("noise", NOISE)
def test_noise_at_the_door_ends_that_connection_alone(tmp_path: Path, noise: str) -> None:
    with served(tmp_path) as pages:
        with socket.create_connection((LOCALHOST, port_of(pages)), LATER) as loud:
            loud.sendall(NOISE[noise])
            loud.shutdown(socket.SHUT_WR)
            try:
                while loud.recv(65536):
                    pass
            except ConnectionResetError:
                pass
        path = pages.address_of().removeprefix(pages.origin)
        assert asked(pages, tmp_path, path)[0] == 200


async def test_a_note_has_to_come_from_a_page_that_was_encrypted_too(tmp_path: Path) -> None:
    with served(tmp_path) as pages:
        path = pages.address_of("anna").removeprefix(pages.origin)
        body = json.dumps({"id": "0123456789abcdef", "propose": "draw"})
        fields = {}
        for origin in (pages.origin, pages.origin.replace("https", "http")):
            client = HTTPSConnection(
                LOCALHOST, port_of(pages), context=trusting(tmp_path), timeout=LATER
            )
            with closing(client):
                headers = {"origin": origin, "content-type": "application/json"}
                await asyncio.to_thread(client.request, "POST", f"{path}notes", body, headers)
                fields[origin[:5]] = client.getresponse().status
        assert fields == {"https": 422, "http:": 403}, (
            "the table takes no proposals; a foreign page may not even ask"
        )


# -- in a browser


@pytest.mark.parametrize("tls", [True, False], ids=["encrypted", "plain"])
def test_a_browser_keeps_its_screen_awake_and_takes_the_page_home_where_it_is_encrypted(
    tmp_path: Path, chromium: Chromium, tls: bool
) -> None:
    with (
        table(tmp_path) as at,
        closing(TablePages(at, LOCALHOST, tls=tls)) as pages,
        chromium.page() as page,
    ):
        page.call("Security.setIgnoreCertificateErrors", ignore=True)
        page.open(pages.address_of("ben"))
        page.wait_for(
            "document.getElementById('lost').hidden && document.querySelector('.seats') !== null"
        )
        assert page.js("document.querySelector('link[rel=manifest]') !== null") is tls
        assert page.js("document.getElementById('why-it-warned') !== null") is tls
        if tls:
            page.js(
                "fetch('manifest').then((it) => it.json()).then((it) => { window.taken = it.display; })"
            )
            page.wait_for("window.taken === 'standalone'")
            assert page.js("isSecureContext && 'wakeLock' in navigator")
        assert page.errors == []

"""A self-signed certificate of this computer, to encrypt what phones send. Nobody else vouches for it, so a browser
warns once; the table shows the fingerprint to compare."""

from __future__ import annotations

import hashlib
import ipaddress
import ssl
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.errors import CommandError, ErrorKind
from companion.journal.disk import PRIVATE, read_regular, write_private
from companion.web.addresses import LOCALHOST
from companion.web.interfaces import local_name

FILE = "phones.pem"
"""File with the key and the certificate, in the data folder, readable by its owner alone."""
LARGEST = 1 << 16  # bytes; ours has a thousand
VALID = timedelta(days=397)
"""Longest validity that browsers accept for a server's certificate (CA/Browser Forum, Baseline Requirements 6.3.2)."""
LEAST_LEFT = timedelta(days=2)
"""A certificate with less time left is replaced, so none ends in the middle of a weekend."""
_STRANGE = (
    x509.ExtensionNotFound,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.UnsupportedGeneralNameType,
)
"""Exceptions of the library for a certificate that somebody else made."""
_EARLY = timedelta(days=1)  # phones' clocks may be wrong by that much
_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "table companion")])


class Identity(NamedTuple):
    """The server's TLS identity; `fingerprint` is the certificate's SHA-256 in pairs of hexadecimal digits, as browsers
    show it."""

    context: ssl.SSLContext
    fingerprint: str


def identity_for(addresses: Collection[str], folder: Path, now: datetime | None = None) -> Identity:
    """Return the server's identity at `addresses`: the one in `folder`, or a new one if none there is valid for all of
    them and long enough. Raise `CommandError` if the file cannot be made."""
    path, today = folder / FILE, now or datetime.now(UTC)
    with suppress(OSError, ValueError, ssl.SSLError, *_STRANGE):
        certificate = x509.load_pem_x509_certificate(read_regular(path, LARGEST))
        # a certificate is for addresses; a laptop gets others in each network
        if _good_for(certificate, addresses, today):
            path.chmod(PRIVATE)  # a restored backup may be readable by everybody
            return _identity(path, certificate)
    pem = _new_pem(addresses, today)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_private(path, pem, PRIVATE)
        return _identity(path, x509.load_pem_x509_certificate(pem))
    except OSError as problem:
        sentence = f"The certificate {path} cannot be made ({problem.strerror}): COMPANION_DATA names another folder."
        raise CommandError(sentence, ErrorKind.CANNOT_CREATE) from problem


def renew_in(context: ssl.SSLContext, addresses: Collection[str], folder: Path) -> str:
    """Load the identity for `addresses` into a context in use, for new connections; return its fingerprint.

    Raise `CommandError` as `identity_for` does.
    """
    fingerprint = identity_for(addresses, folder).fingerprint
    context.load_cert_chain(folder / FILE, password="")
    return fingerprint


def _good_for(certificate: x509.Certificate, addresses: Collection[str], now: datetime) -> bool:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    in_time = (
        certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - LEAST_LEFT
    )
    wanted = {ipaddress.ip_address(address) for address in addresses}
    return in_time and wanted <= set(names.get_values_for_type(x509.IPAddress))


def _new_pem(addresses: Collection[str], now: datetime) -> bytes:
    """Return a new key and its certificate for these addresses and this machine itself, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    numbers = {ipaddress.ip_address(address) for address in (*addresses, LOCALHOST)}
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    if name := local_name():
        names.append(x509.DNSName(name))
    names += [x509.IPAddress(number) for number in sorted(numbers, key=str)]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(_NAME)
        .issuer_name(_NAME)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLY)
        .not_valid_after(now - _EARLY + VALID)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def _identity(path: Path, certificate: x509.Certificate) -> Identity:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Raises if the key is not the certificate's. The empty password keeps it from prompting for a strange key's.
    context.load_cert_chain(path, password="")
    der = certificate.public_bytes(serialization.Encoding.DER)
    digest = hashlib.sha256(der).hexdigest().upper()
    pairs = (digest[at : at + 2] for at in range(0, len(digest), 2))
    return Identity(context, ":".join(pairs))

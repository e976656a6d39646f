"""A certificate that this computer makes for itself, so that what phones send is encrypted: nobody else vouches for it,
so a browser warns once, and the table shows by which fingerprint its owner knows it."""

from __future__ import annotations

import hashlib
import ipaddress
import ssl
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

FILE = "phones.pem"
"""The key and the certificate, in the data folder, for its owner's eyes alone."""
LARGEST = 1 << 16  # bytes; ours has a thousand
VALID = timedelta(days=397)
"""The longest that browsers take of a certificate for a server (CA/Browser Forum, Baseline Requirements 6.3.2)."""
LEAST_LEFT = timedelta(days=2)
"""One that ends sooner is made anew: not in the middle of a weekend."""
_STRANGE = (
    x509.ExtensionNotFound,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.UnsupportedGeneralNameType,
)
"""What the library says of a certificate that somebody else made."""
_EARLY = timedelta(days=1)  # the clocks of phones are not all right
_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "table companion")])


class Identity(NamedTuple):
    """What the server shows and proves itself by: `fingerprint` is the SHA-256 of the certificate, in pairs of
    hexadecimal digits, as browsers write it."""

    context: ssl.SSLContext
    fingerprint: str


def identity_for(address: str, folder: Path, now: datetime | None = None) -> Identity:
    """Return the identity of the server at `address`: that of before, or a new one in `folder` where there is none that
    is good for that address and long enough; raise `CommandError` where the file cannot be made."""
    path, today = folder / FILE, now or datetime.now(UTC)
    with suppress(OSError, ValueError, ssl.SSLError, *_STRANGE):
        certificate = x509.load_pem_x509_certificate(read_regular(path, LARGEST))
        if _good_for(certificate, address, today):
            path.chmod(PRIVATE)  # a copy that was put back may be for everybody to read
            return _identity(path, certificate)
    pem = _new_pem(address, today)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_private(path, pem, PRIVATE)
        return _identity(path, x509.load_pem_x509_certificate(pem))
    except OSError as problem:
        sentence = f"The certificate {path} cannot be made ({problem.strerror}): COMPANION_DATA names another folder."
        raise CommandError(sentence, ErrorKind.CANNOT_CREATE) from problem


def _good_for(certificate: x509.Certificate, address: str, now: datetime) -> bool:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = ipaddress.ip_address(address) in names.get_values_for_type(x509.IPAddress)
    return (
        known
        and certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - LEAST_LEFT
    )


def _new_pem(address: str, now: datetime) -> bytes:
    """A key and its certificate for that address and this machine itself, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    addresses = {ipaddress.ip_address(address), ipaddress.ip_address(LOCALHOST)}
    names = [x509.DNSName("localhost"), *map(x509.IPAddress, sorted(addresses, key=str))]
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
    # Raises where the key is not that of the certificate; nobody is asked for a word that a strange key may need.
    context.load_cert_chain(path, password="")
    digest = (
        hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    )
    return Identity(context, ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)))

"""Headers of every page: not to be stored, framed, sniffed, or loaded by other sites."""

from __future__ import annotations

from collections.abc import Mapping

POLICY = "content-security-policy"
STATE = "companion-state"
"""A header of a refusal; `connection.js` explains its values to readers."""
IS_PUT_AWAY, IS_OVER, IS_FULL = "put away", "over", "full"
FULL = "Too many pages are open: close one that nobody needs. This page tries again by itself."
"""What `connection.js` and a refused page say for `IS_FULL`."""


def policy(style: str, script: str, *, form: str = "'none'") -> Mapping[str, str]:
    """Return the header that lets a page load only its own `style` and `script`, and send forms to `form`
    (https://www.w3.org/TR/CSP3/)."""
    parts = (
        "default-src 'none'",
        f"style-src {style}",
        f"script-src {script}",
        "connect-src 'self'",
        "img-src data:",
        "manifest-src 'self'",
        "base-uri 'none'",
        f"form-action {form}",
        "frame-ancestors 'none'",
    )
    return {POLICY: "; ".join(parts)}


def page_headers(own_policy: Mapping[str, str], referrer: str) -> Mapping[str, str]:
    """Return the headers of a page with that policy. `referrer` says how much of its address other pages learn."""
    return {
        **own_policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": referrer,
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "x-robots-tag": "noindex, nofollow",
    }

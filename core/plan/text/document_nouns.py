"""Words for kinds of documents: what those who read a question agree on; each adds what is its own."""

from __future__ import annotations

# Of a regular expression, in the singular.
PAPERS = (
    *("agreement", "contract", "lease", "policy", "nda", "invoice", "receipt", "certificate", "manual"),
    *("data ?sheet", "amendment", "order", "report"),
)


def plural(noun: str) -> str:
    """The plural of a regular noun: `policies`, `orders`."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"

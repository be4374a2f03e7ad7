"""Valid names of a bucket."""

from __future__ import annotations

import unicodedata

from core.errors import UsageError

MAX_BUCKET_NAME = 80
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format (bidi too), half a sign, line breaks


def valid_bucket(name: str) -> str:
    """The name without blanks around it. Raises UsageError where no bucket may be called that."""
    shown = name.strip()
    if not shown:
        raise UsageError("The bucket has no name.", next_step="Name a bucket, such as 'contracts'.")
    if len(shown) > MAX_BUCKET_NAME:
        raise UsageError(
            f"The bucket's name has {len(shown):,} characters, more than {MAX_BUCKET_NAME}.",
            next_step="Choose a shorter name, such as 'contracts'.",
        )
    if any(unicodedata.category(sign) in _UNSEEN for sign in shown):
        raise UsageError(
            "The bucket's name has line breaks or characters that cannot be seen.",
            next_step="Name it with letters, digits, spaces, dots or dashes, such as 'contracts'.",
        )
    if "/" in shown or "\\" in shown or not shown.strip("."):
        raise UsageError(
            f"The bucket's name {shown!r} is a path.",
            next_step="Name it with letters, digits, spaces, dots or dashes, such as 'contracts'.",
        )
    return shown

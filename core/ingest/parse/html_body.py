"""The body of a page whose markup does not open one, as browsers open it."""

from __future__ import annotations

from itertools import dropwhile
from typing import Any

OF_HEAD = frozenset(
    (
        *("base", "basefont", "bgsound", "link", "meta", "noframes"),
        *("noscript", "script", "style", "template", "title"),
    )
)
"""Elements that a head may hold; any other ends it."""


def open_body(root: Any) -> None:
    """Move what browsers show out of the head of a tree into its body, in place.

    An element that cannot stand in a head ends it, and all that follows is of the body. libxml2 knows that of
    HTML 4's elements only: `<title>X</title><main>...` is all head to it, and such a page would show nothing.
    Source: HTML Living Standard, 13.2.6.4.4, the "in head" insertion mode.
    """
    head = root.find("head")
    strays = [] if head is None else list(dropwhile(lambda each: each.tag in OF_HEAD, head))
    if not strays:
        return
    body = root.find("body")
    if body is None:
        body = root.makeelement("body")
        root.append(body)
    text, body.text = body.text, None
    for position, element in enumerate(strays):
        body.insert(position, element)
    strays[-1].tail = (strays[-1].tail or "") + (text or "")

"""The body of a page whose markup does not open one, as browsers open it, and what it hides."""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import Any

OF_HEAD = frozenset(
    (
        *("base", "basefont", "bgsound", "link", "meta", "noframes"),
        *("noscript", "script", "style", "template", "title"),
    )
)
"""Elements that a head may hold; any other ends it."""
NEVER_SHOWN = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "head",
        "title",
        "noframes",
        "iframe",
        "object",
        "embed",
        "select",
        "option",
        "datalist",
        "button",
        "canvas",
        "audio",
        "video",
        "map",
        "area",
        "dialog",
    ]
)
"""Elements that hold no text of the page, or none that is shown before somebody acts."""
HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)"
    r"|opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)|(?:left|top|text-indent)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*[01](?:px)?[,\s]",
    re.IGNORECASE,
)
"""A style, of an element or of a rule, that hides what has it."""
UNHIDDEN = frozenset(("html", "body"))
"""Elements that styles hide only until a script has run."""


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

"""Elements and styles of a page that browsers show nobody, for its text and for the page as it was."""

from __future__ import annotations

import re

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

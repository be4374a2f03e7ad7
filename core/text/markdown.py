"""Text in Markdown: written so that it renders as itself, and read back."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>$~|{}]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|:(?=[A-Za-z])")
_LINE_START = re.compile(
    r"^(\s*)(#{1,6}(?:\s|$)|[-+](?:\s|$)|\d{1,9}[.)](?:\s|$)|=+\s*$|-{2,}\s*$|={3,}|-{3,})"
)
_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto|javascript|data):(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

_SIGNS = re.compile(
    r"(`{1,3})(?P<code>[^`\n]{1,400})\1"
    r"|(?<![\w*])(\*{1,3})(?=\S)(?P<starred>[^*\n]{1,400})(?<=\S)\3(?![\w*])"
    r"|(?<!\w)(_{1,2})(?=[^\s_])(?P<lined>[^_\n]{1,400})(?<=[^\s_])\5(?!\w)"
)
_BEFORE_LINE = re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\|[ \t]*)+|[ \t]*\|[ \t]*$")


def without_signs(markdown: str) -> str:
    """The words of Markdown without the signs of emphasis, code, headings, bullets and the edges of tables.

    Numbers of steps and boxes to tick stay: they say something.

    >>> without_signs("- [ ] Wait **90 seconds**, then `run __all__`")
    '[ ] Wait 90 seconds, then run __all__'
    """

    def bare(match: re.Match[str]) -> str:
        inner = match["starred"] or match["lined"]
        return match["code"] if inner is None else _SIGNS.sub(bare, inner)

    return _SIGNS.sub(bare, _BEFORE_LINE.sub("", markdown))


def flatten(text: str) -> str:
    """The text with every run of white space as one space, trimmed."""
    return " ".join(text.split())


def escape(text: str) -> str:
    """The flattened text as Markdown that renders as itself: no emphasis, links, formulas or citations.

    Nor entities, nor the icons and colours of Streamlit; it can stand in a table, a heading or a list.
    """
    flat = _SPECIAL.sub(lambda match: "\\" + match.group(), flatten(text))
    flat = _ADDRESS.sub(lambda match: f"{match.group(1)}\\:", flat)
    return _LINE_START.sub(lambda match: f"{match.group(1)}{_guard(match.group(2))}", flat)


def escape_lines(text: str) -> str:
    """The same of several lines, which stay lines."""
    return "\n".join(map(escape, text.split("\n")))


def unescape(markdown: str) -> str:
    """The text without the backslashes that `escape` wrote."""
    return _ESCAPED.sub(r"\1", markdown)


def _guard(marker: str) -> str:
    head, tail = marker.rstrip(), marker[len(marker.rstrip()) :]
    return head[:-1] + "\\" + head[-1] + tail

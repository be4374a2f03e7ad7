"""Values of XFA forms, out of their XML."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError

_MOST_VALUES = 20_000
_LONGEST = 100_000


def xfa_values(data: bytes) -> list[tuple[str, str]] | None:
    """Names and values of the filled leaves, in order; None where the XML is damaged or forbidden."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if not data.strip(b"\0 \r\n\t"):
        return []
    try:
        root = fromstring(data.strip(b"\0 \r\n\t"))
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return None
    found: list[tuple[str, str]] = []
    stack: list[Element] = [root]
    while stack and len(found) < _MOST_VALUES:
        element = stack.pop()
        children = list(element)
        if not children and (value := " ".join((element.text or "").split())):
            found.append((_name(element.tag), value[:_LONGEST]))
        # what only describes the data is no value
        stack += [child for child in reversed(children) if _name(child.tag) != "data Description"]
    return found


def _name(tag: str) -> str:
    return spaced(tag.rpartition("}")[2])


def spaced(name: str) -> str:
    """The words of a name that a program gave: `dueDate` and `due_date` are `due Date`, `due date`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", name)

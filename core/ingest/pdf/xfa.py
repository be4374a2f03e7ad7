"""Values of XFA forms as the form shows them, out of its XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from xml.etree.ElementTree import Element, ParseError

_MOST_VALUES = 20_000
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class XfaForm:
    """Labels and values of the filled fields, in order. texts: the words between the fields."""

    values: list[tuple[str, str]]
    texts: list[str]


@dataclass(slots=True)
class _Field:
    label: str = ""
    choices: dict[str, str] = field(default_factory=dict)
    is_secret: bool = False


def xfa_form(data: bytes, template: bytes = b"") -> XfaForm | None:
    """The form by its packets of values and of the template; None where the XML is damaged or forbidden."""
    root = _parsed(data)
    if root is None:
        return None
    layout = _parsed(template)
    fields = _fields(layout if layout is not None else Element("none"))
    values: list[tuple[str, str]] = []
    stack: list[Element] = [root]
    while stack and len(values) < _MOST_VALUES:
        element = stack.pop()
        children, name = list(element), _name(element.tag)
        known = fields.get(name, _Field())
        if not children and not known.is_secret and (value := _words(element)):
            values.append((known.label or spaced(name), known.choices.get(value, value)[:_LONGEST]))
        # what only describes the data is no value
        stack += [child for child in reversed(children) if name != "dataDescription"]
    draws = islice(_inner(layout, "draw"), _MOST_VALUES)
    return XfaForm(values, [words for draw in draws if (words := _shown(draw, "value"))])


def _parsed(data: bytes) -> Element | None:
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if not (bare := data.strip(b"\0 \r\n\t")):
        return Element("none")
    try:
        root: Element = fromstring(bare)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return None
    return root


def _fields(template: Element) -> dict[str, _Field]:
    """Words of the template for fields, by name: labels, words of choices by the value that is stored."""
    found: dict[str, _Field] = {}
    for group in islice(_inner(template, "exclGroup"), _MOST_VALUES):
        known = found.setdefault(group.get("name", ""), _Field(_shown(group, "caption")))
        for option in _inner(group, "field"):
            for stored in islice(_items(option), 1):
                known.choices.setdefault(stored[0], _shown(option, "caption") or stored[0])
    for element in islice(_inner(template, "field"), _MOST_VALUES):
        known = found.setdefault(element.get("name", ""), _Field(_shown(element, "caption")))
        known.is_secret |= next(_inner(element, "passwordEdit"), None) is not None
        lists = list(_items(element))
        if len(lists) == 2:
            known.choices.update(zip(lists[1], lists[0], strict=False))
    return found


def _items(element: Element) -> Iterator[list[str]]:
    """Lists of choices of a field: the words that it shows, then the values that are stored for them."""
    lists = [each for each in element if _name(each.tag) == "items"]
    for each in sorted(lists, key=lambda items: items.get("save") == "1"):
        yield [_words(item) for item in each] or [""]


def _shown(element: Element, part: str) -> str:
    """The words of a child of an element: its caption, its value."""
    inner = next((each for each in element if _name(each.tag) == part), None)
    return _words(inner)[:_LONGEST].rstrip(": ") if inner is not None else ""


def _inner(element: Element | None, name: str) -> Iterator[Element]:
    return (each for each in (element.iter() if element is not None else ()) if _name(each.tag) == name)


def _words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _name(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def spaced(name: str) -> str:
    """The words of a name that a program gave: `dueDate` and `due_date` are `due Date`, `due date`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", name)

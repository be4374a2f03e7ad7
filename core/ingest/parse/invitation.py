"""Calendar parts of mails and calendar files (iCalendar) as text: what, when, where and who."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

_KINDS = {
    "REQUEST": "Invitation",
    "CANCEL": "Cancelled",
    "REPLY": "Reply to invitation",
    "COUNTER": "Other time proposed",
}
_ONCE = ("STATUS", "SUMMARY", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "LOCATION", "DESCRIPTION")
_BLOCK = re.compile(r"^BEGIN:VEVENT\b(?:(?!^BEGIN:VEVENT).)*?^END:VEVENT\b", re.MULTILINE | re.DOTALL | re.I)
_MOST_CHARS = 2_000_000
_MOST_EVENTS = 1_000
_MOST_PEOPLE = 50


@dataclass(frozen=True, slots=True)
class Calendar:
    """Calendar in words: a line of cells for each event, and its description.

    left: events left out. damaged: events of which a value cannot be read, or is there twice.
    """

    text: str
    events: int
    left: int = 0
    damaged: int = 0


def read_calendar(data: str) -> Calendar:
    """The events of a calendar in order. Raises ValueError where it is none, or too large."""
    from icalendar import Calendar as Parsed

    if len(data) > _MOST_CHARS:
        raise ValueError("too large")
    try:
        parsed = Parsed.from_ical(data)
        events, method = parsed.walk(), str(parsed.get("METHOD", "")).upper()
    except (ValueError, IndexError, KeyError):
        if not (blocks := _BLOCK.findall(data)):
            raise
        events, method = [_alone(block) for block in blocks], ""
    events = [each for each in events if each.name in ("VEVENT", "VTODO")]
    shown, damaged = [], 0
    for event in events[:_MOST_EVENTS]:
        lines, is_whole = _lines(event, method)
        shown.append("\n".join(lines))
        damaged += not is_whole
    return Calendar("\n\n".join(shown), len(shown), max(0, len(events) - _MOST_EVENTS), damaged)


def _alone(block: str) -> Any:
    """One event out of a calendar whose structure is broken; an empty one where it is broken itself."""
    from icalendar import Event

    try:
        return Event.from_ical(block)
    except (ValueError, IndexError, KeyError):
        broken = Event()
        broken.errors.append(("BEGIN", "broken"))
        return broken


def _lines(event: Any, method: str) -> tuple[list[str], bool]:
    """What an event says, and whether that is all."""
    is_whole = not any(name in (None, "BEGIN", "ATTENDEE", *_ONCE) for name, _ in event.errors)

    def cell(show: Callable[[Any], str], value: Any) -> str:
        nonlocal is_whole
        try:
            return show(value)
        except (ValueError, OverflowError, AttributeError, TypeError):
            is_whole = False
            return ""

    for name in _ONCE:
        if isinstance(event.get(name), list):
            event[name], is_whole = event[name][0], False
    status = cell(str, event.get("STATUS", "")).upper()
    kind = _KINDS["CANCEL"] if status == "CANCELLED" else _KINDS.get(method, "Event")
    cells = (
        (kind, cell(_text, event.get("SUMMARY"))),
        ("When", cell(_when, event)),
        ("Repeated", cell(_rule, event.get("RRULE"))),
        ("Also on", cell(_days, event.get("RDATE"))),
        ("Not on", cell(_days, event.get("EXDATE"))),
        ("Where", cell(_text, event.get("LOCATION"))),
        ("Organizer", cell(_people, event.get("ORGANIZER"))),
        ("Invited", cell(_people, event.get("ATTENDEE"))),
    )
    lines = [" | ".join(f"{name}: {value}" for name, value in cells if value)]
    if said := cell(str, event.get("DESCRIPTION", "")).strip():
        lines.append(said)
    return lines, is_whole


def _text(value: Any) -> str:
    return " ".join(str(value or "").replace("|", "/").split())


def _rule(value: Any) -> str:
    if value is None:
        return ""
    raw = value.to_ical()
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)


def _days(value: Any) -> str:
    """Days that a repeated event has beside its rule, or leaves out."""
    lists: Iterable[Any] = [] if value is None else value if isinstance(value, list) else [value]
    days = [each.dt for some in lists for each in some.dts]
    more = [f"and {len(days) - _MOST_PEOPLE:,} more"] if len(days) > _MOST_PEOPLE else []
    return ", ".join([*(_day(each) for each in days[:_MOST_PEOPLE] if isinstance(each, date)), *more])


def _people(value: Any) -> str:
    found: Iterable[Any] = [] if value is None else value if isinstance(value, list) else [value]
    names = []
    for each in found:
        address = str(each).removeprefix("mailto:").removeprefix("MAILTO:")
        name = _text(getattr(each, "params", {}).get("CN", ""))
        names.append(f"{name} <{address}>" if name and name != address else address)
    more = [f"and {len(names) - _MOST_PEOPLE:,} more"] if len(names) > _MOST_PEOPLE else []
    return ", ".join([*names[:_MOST_PEOPLE], *more])


def _when(event: Any) -> str:
    """Begin and end with the time zone as the event names it; days alone where it has no time."""
    first, last = _moment(event, "DTSTART"), _moment(event, "DTEND") or _moment(event, "DUE")
    length = _value(event, "DURATION")
    if first is None:
        return f"until {_shown(last)}" if last is not None else ""
    if last is None and isinstance(length, timedelta):
        last = first + length
    if not isinstance(first, datetime):
        if isinstance(last, date) and not isinstance(last, datetime):
            last -= timedelta(days=1)  # Source: RFC 5545, 3.6.1: the end is the day after
        return _day(first) if last is None or last <= first else f"{_day(first)} to {_day(last)}"
    zone = _zone(event, first)
    if last is None or last == first or not isinstance(last, datetime):
        return f"{_shown(first)}{zone}"
    end = f"{last:%H:%M}" if last.date() == first.date() else _shown(last)
    return f"{_shown(first)} to {end}{zone}"


def _value(event: Any, name: str) -> Any:
    return getattr(event.get(name), "dt", None)


def _moment(event: Any, name: str) -> date | None:
    value = _value(event, name)
    return value if isinstance(value, date) else None


def _zone(event: Any, moment: datetime) -> str:
    """The time zone as the event names it, and how far it is from UTC then."""
    named = _text(getattr(event.get("DTSTART"), "params", {}).get("TZID") or moment.tzname())
    offset = moment.strftime("%z")
    is_told = not offset or named.startswith("UTC")
    return f" ({named}{'' if is_told else f', UTC{offset[:3]}:{offset[3:5]}'})" if named else ""


def _day(moment: date) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _shown(moment: date | None) -> str:
    if isinstance(moment, datetime):
        return f"{_day(moment)}, {moment:%H:%M}"
    return _day(moment) if moment is not None else ""

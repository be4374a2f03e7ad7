"""Calendar parts of mails and calendar files as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.document import FilePart
from tests.support.mails import body_of, mail, parsed, unread

MEETING = (
    "BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:7\r\nSUMMARY:Silo inspection\r\n{when}"
    "LOCATION:Quay 2\\, Turku\r\nORGANIZER;CN=Ada Berg:mailto:ada@mill.example\r\n"
    "ATTENDEE;CN=Ben Falk:mailto:ben@mill.example\r\nDESCRIPTION:Bring\r\n  boots.\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)
AT_NINE = "DTSTART;TZID=Europe/Helsinki:20250304T090000\r\nDTEND;TZID=Europe/Helsinki:20250304T113000\r\n"


@pytest.mark.parametrize(
    ("method", "when", "line"),
    [
        (
            "REQUEST",
            AT_NINE,
            "Invitation: Silo inspection | When: 4 March 2025, 09:00 to 11:30 (Europe/Helsinki, UTC+02:00)",
        ),
        (
            "REQUEST",
            "DTSTART;TZID=W. Europe Standard Time:20250704T090000\r\n",
            "When: 4 July 2025, 09:00 (W. Europe Standard Time, UTC+02:00)",
        ),
        (
            "CANCEL",
            "DTSTART:20250304T090000Z\r\n",
            "Cancelled: Silo inspection | When: 4 March 2025, 09:00 (UTC)",
        ),
        (
            "PUBLISH",
            "DTSTART;VALUE=DATE:20250304\r\nDTEND;VALUE=DATE:20250307\r\n",
            "Event: Silo inspection | When: 4 March 2025 to 6 March 2025",
        ),
        ("PUBLISH", "DTSTART:20250304T090000\r\nDURATION:PT45M\r\n", "When: 4 March 2025, 09:00 to 09:45 |"),
        (
            "PUBLISH",
            "DTSTART:20250304T090000\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nRDATE:20250401T090000\r\n"
            "EXDATE:20250311T090000,20250318T090000\r\n",
            "Repeated: FREQ=WEEKLY;COUNT=3 | Also on: 1 April 2025 | Not on: 11 March 2025, 18 March 2025 |",
        ),
    ],
)
def test_a_calendar_part_says_what_when_where_and_who(
    tmp_path: Path, method: str, when: str, line: str
) -> None:
    message = mail("See below.")
    message.add_alternative(MEETING.format(method=method, when=when), subtype="calendar")
    found = parsed(tmp_path, message)
    people = "Organizer: Ada Berg <ada@mill.example> | Invited: Ben Falk <ben@mill.example>"
    assert line in body_of(found)
    assert body_of(found).endswith(f"| Where: Quay 2, Turku | {people}\nBring boots.")
    assert FilePart("calendar events") in found.parts
    assert line in parsed(tmp_path, MEETING.format(method=method, when=when).encode(), "a.ics").pages[0].text


def test_a_damaged_calendar_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    message = mail("See below.")
    message.add_alternative("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:x\r\n", subtype="calendar")
    found = parsed(tmp_path, message)
    assert body_of(found) == "See below."
    assert set(unread(found)) == {"calendar parts"}


@pytest.mark.parametrize(
    ("bad", "shown"),
    [
        ("DTSTART:2025-99-99\r\n", "Event: Bad"),
        ("DTSTART:99991231T000000Z\r\nDURATION:P99999D\r\n", "Event: Bad"),
        (
            "DTSTART:20250304T090000Z\r\nDTSTART:20250305T090000Z\r\n",
            "Event: Bad | When: 4 March 2025, 09:00 (UTC)",
        ),
        ("END:VALARM\r\n", "Event"),
    ],
)
def test_a_bad_event_does_not_take_the_others(tmp_path: Path, bad: str, shown: str) -> None:
    events = "".join(
        f"BEGIN:VEVENT\r\nSUMMARY:{name}\r\n{when}END:VEVENT\r\n"
        for name, when in (("Bad", bad), ("Good", AT_NINE))
    )
    found = parsed(tmp_path, f"BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n".encode(), "a.ics")
    text = found.pages[0].text
    assert "Event: Good | When: 4 March 2025, 09:00 to 11:30" in text
    assert shown in text
    assert list(unread(found)) == ["events"]

"""Parsers of plug-ins: their documents, and what is wrong with what they give."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.models import IngestSettings, Settings
from core.errors import InputError
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.ingest.parse_pool import ParsePool
from tests.support.little_distribution import Install, forget, of_parsers, parser

LIMITS = ParseLimits()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "a.note"
    path.write_text("The rent is due on Monday.", "utf-8")
    return path


def test_a_format_of_others_is_read_in_a_child_process(
    installed: Install, tmp_path: Path, note: Path
) -> None:
    installed("acme-note", of_parsers("acme_note"), {"acme_note.py": parser()})

    with ParsePool(Settings(home=tmp_path, ingest=IngestSettings(processes=1))) as parsers:
        parsed = parsers.parse(note, "a.note").parsed

    assert (parsed.pages[0].text, parsed.media_type) == ("The rent is due on Monday.", "text/x-note")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return {'pages': []}", "gave a 'dict', not a ParsedDocument"),
        ("return ParsedDocument('', '', (Page(2, 'x'),))", "not numbered 1, 2, 3"),
        ("return ParsedDocument('', '', ('x',))", "gave pages that are no Page"),
        ("return path.no_such_thing", "failed on it (AttributeError"),
    ],
)
def test_a_parser_that_gives_something_else_is_named_beside_its_file(
    installed: Install, note: Path, body: str, reason: str
) -> None:
    installed("acme-note", of_parsers("acme_bad"), {"acme_bad.py": parser(body)})
    plain = note.with_suffix(".txt")
    plain.write_text("Still read.", "utf-8")
    forget("acme_bad")

    with pytest.raises(InputError) as caught:
        parse_file(note, "a.note", LIMITS)

    assert "'note' of 'acme-note'" in caught.value.message
    assert reason in caught.value.message
    assert parse_file(plain, "b.txt", LIMITS).pages[0].text == "Still read."


def test_a_parser_that_is_slow_is_ended_with_its_child(
    installed: Install, tmp_path: Path, note: Path
) -> None:
    body = "import time; time.sleep(60)"
    installed("acme-note", of_parsers("acme_slow"), {"acme_slow.py": parser(body)})
    plain = note.with_suffix(".txt")
    plain.write_text("Still read.", "utf-8")
    limits = IngestSettings(processes=1, parse_timeout_s=15)  # a fifth of it for a small file

    with ParsePool(Settings(home=tmp_path, ingest=limits)) as parsers:
        with pytest.raises(InputError, match="took longer than 3"):
            parsers.parse(note, "a.note")
        assert parsers.parse(plain, "b.txt").parsed.pages[0].text == "Still read."

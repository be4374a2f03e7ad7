from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.config.models import IngestSettings, Settings
from core.errors import ChildStartError, InputError
from core.ingest.parse_pool import ParsePool, time_allowed
from core.processes.children import PoolClosedError

FAKE = "tests.support.bad_parser"


def pool(home: Path, module: str = FAKE, **limits: object) -> ParsePool:
    ingest = IngestSettings.model_validate({"processes": 1, **limits})
    return ParsePool(Settings(home=home, ingest=ingest), module)


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("crash", "The parser crashed on it."),
        ("killed", "The parser was killed, or ran out of memory."),
        ("hang", "The parser took longer than 0.5 s."),
        ("refuse", "It is a picture."),
    ],
)
def test_a_file_that_harms_its_parser_is_refused_with_the_reason(
    tmp_path: Path, deed: str, reason: str
) -> None:
    with pool(tmp_path, parse_timeout_s=2.5) as parsers:  # a fifth of it for a small file
        with pytest.raises(InputError) as caught:
            parsers.parse(tmp_path / deed, deed)

        assert caught.value.message == reason
        assert caught.value.next_step
        assert parsers.parse(tmp_path / "fine", "fine").parsed.title == "fine"


def test_a_file_whose_parser_was_killed_is_tried_once_more(tmp_path: Path) -> None:
    with pool(tmp_path) as parsers:
        assert parsers.parse(tmp_path / "killed once", "killed once").parsed.title == "killed once"


def test_a_small_file_gets_less_time_than_a_large_one(tmp_path: Path) -> None:
    sizes_mb = {"small": 0, "middle": 6, "large": 12, "huge": 400}
    for name, size_mb in sizes_mb.items():
        with (tmp_path / name).open("wb") as file:
            file.truncate(size_mb * 1_000_000)

    allowed = [time_allowed(tmp_path / name, 300.0) for name in (*sizes_mb, "gone")]

    assert allowed == pytest.approx([60.0, 180.0, 300.0, 300.0, 60.0])


def test_parsers_that_were_started_ahead_take_the_files(tmp_path: Path) -> None:
    with pool(tmp_path) as parsers:
        parsers.warm(3)
        assert parsers.parse(tmp_path / "fine", "fine").parsed.title == "fine"
    closed = pool(tmp_path)
    closed.close()
    closed.warm()
    with pytest.raises(PoolClosedError):
        closed.parse(tmp_path / "fine", "fine")


def test_a_parser_that_has_grown_large_is_renewed(tmp_path: Path) -> None:
    with pool(tmp_path) as parsers:
        first = parsers.parse(tmp_path / "last", "last").parsed.metadata["pid"]
        second = parsers.parse(tmp_path / "fine", "fine").parsed.metadata["pid"]

    assert first != second


def test_what_a_parser_prints_is_not_taken_for_its_reply(tmp_path: Path) -> None:
    with pool(tmp_path) as parsers:
        assert parsers.parse(tmp_path / "print", "print").parsed.title == "print"


def test_closing_ends_a_file_that_is_being_parsed(tmp_path: Path) -> None:
    parsers = pool(tmp_path, parse_timeout_s=60)
    ended: list[type[BaseException]] = []

    def parse() -> None:
        try:
            parsers.parse(tmp_path / "hang", "hang")
        except PoolClosedError as error:
            ended.append(type(error))

    thread = threading.Thread(target=parse)
    thread.start()
    while not (tmp_path / "hang.begun").exists():
        thread.join(0.001)
    parsers.close()
    thread.join()

    assert ended == [PoolClosedError]


def test_a_parser_that_does_not_start_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    with pool(tmp_path, "no.such.module") as parsers, pytest.raises(ChildStartError, match="no"):
        parsers.parse(tmp_path / "fine", "fine")

from __future__ import annotations

from pathlib import Path

from core.ingest.job import MOST_DEATHS, InHand


def die(path: Path, *begun: int, pending: tuple[int, ...] = (1, 2, 3)) -> None:
    """What a worker leaves that is killed with these inputs in hand."""
    in_hand = InHand(path, pending).__enter__()
    for ordinal in begun:
        in_hand.begin(ordinal)
    assert in_hand._file is not None
    in_hand._file.close()


def test_what_was_in_hand_at_a_death_is_suspect_but_not_counted_against_several(tmp_path: Path) -> None:
    for _ in range(MOST_DEATHS + 1):
        die(tmp_path / "begun", 1, 2)

    after = InHand(tmp_path / "begun", (1, 2, 3))

    assert after.suspects == (1, 2)
    assert not any(map(after.is_given_up, (1, 2, 3)))


def test_a_file_that_is_alone_at_every_death_is_given_up_after_a_few(tmp_path: Path) -> None:
    for _ in range(MOST_DEATHS - 1):
        die(tmp_path / "begun", 2)
    assert not InHand(tmp_path / "begun", (1, 2, 3)).is_given_up(2)

    die(tmp_path / "begun", 2)

    assert InHand(tmp_path / "begun", (1, 2, 3)).is_given_up(2)


def test_what_was_done_before_the_death_is_not_suspect(tmp_path: Path) -> None:
    die(tmp_path / "begun", 1, 2)

    assert InHand(tmp_path / "begun", (2, 3)).suspects == (2,)


def test_an_orderly_end_leaves_no_suspicion_and_no_file(tmp_path: Path) -> None:
    with InHand(tmp_path / "begun", (1, 2)) as in_hand:
        in_hand.begin(1)

    assert not list(tmp_path.iterdir())
    assert InHand(tmp_path / "begun", (1, 2)).suspects == ()


def test_a_damaged_or_half_written_note_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "begun").write_bytes(b"begin 2\nbegin x\nsuspect 1 a\nbeg")
    assert InHand(tmp_path / "begun", (1, 2)).suspects == (2,)
    (tmp_path / "begun").write_bytes(b"\xff\xfe\x00")
    assert InHand(tmp_path / "begun", (1, 2)).suspects == ()

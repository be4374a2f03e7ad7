from __future__ import annotations

from core.ingest.pace import Pace


def test_a_faster_encoder_gets_more_at_once_in_full_batches_up_to_a_bound() -> None:
    pace = Pace()
    first = (pace.size, pace.window)
    for _ in range(50):
        pace.note(100, 2.0)
    steady = (pace.size, pace.window)
    for _ in range(50):
        pace.note(100, 0.001)

    assert (first, steady, (pace.size, pace.window)) == ((32, 64), (48, 288), (512, 512))
    assert steady[0] % 16 == 0


def test_a_slow_encoder_still_gets_a_batch() -> None:
    pace = Pace()
    pace.note(1, 60.0)

    assert (pace.size, pace.window) == (32, 64)

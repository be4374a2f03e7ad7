from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.domain.ids import DocumentId
from core.domain.passage import EncodedPassage, Passage
from core.errors import RecordsError
from core.ingest.publishing import Spool


def encoded(ordinal: int) -> EncodedPassage:
    passage = Passage(DocumentId("d"), 1, ordinal, (), "text", (), 1, ((0, 4),))
    return EncodedPassage(passage, np.full(4, ordinal, np.float32), np.ones((1, 4), np.float32))


@pytest.mark.parametrize("in_memory", [1, 2, 3, 100])
def test_passages_come_back_in_order_whether_they_fit_into_memory_or_not(
    tmp_path: Path, in_memory: int
) -> None:
    spool = Spool(tmp_path, in_memory)
    for number in range(7):
        spool.extend([encoded(number)])

    assert [one.passage.ordinal for one in spool] == list(range(7))
    assert [float(one.vector[0]) for one in spool] == list(map(float, range(7)))
    assert len(spool) == 7
    spool.close()


def test_a_spool_leaves_no_file_behind(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 1)
    spool.extend([encoded(0)])

    assert list(tmp_path.iterdir()) == []
    spool.close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()

    with pytest.raises(RecordsError, match="file"):
        Spool(blocked, 1).extend([encoded(0)])

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.reader.artefact_file import to_files
from core.errors import UsageError
from core.plan.reader.artefact_file import ARRAYS, FACTS, from_files, read_artefact


def test_what_is_written_is_read_again() -> None:
    artefact = read_artefact()

    again = from_files(to_files(artefact))

    np.testing.assert_array_equal(again.layers[0].qkv, artefact.layers[0].qkv)
    np.testing.assert_array_equal(again.heads.tag[0], artefact.heads.tag[0])
    assert again.bank.fields == artefact.bank.fields
    assert again.confidence == artefact.confidence


def test_equal_artefacts_give_equal_bytes() -> None:
    artefact = read_artefact()

    assert to_files(artefact)[FACTS] == to_files(replace(artefact))[FACTS]


def test_what_ships_is_smaller_than_30_mb() -> None:
    assert sum(len(content) for content in to_files(read_artefact()).values()) < 30_000_000


def test_a_folder_without_a_reader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="train it again"):
        read_artefact(tmp_path)


def test_a_reader_of_another_version_is_refused() -> None:
    files = to_files(read_artefact())
    facts = json.loads(files[FACTS]) | {"format": 0}

    with pytest.raises(ValueError, match="not that of this version"):
        from_files({ARRAYS: files[ARRAYS], FACTS: json.dumps(facts).encode()})

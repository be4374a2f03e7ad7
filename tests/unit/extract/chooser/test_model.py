"""Values weighed against each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.values.artefact_file import to_files
from core.domain.fields import FieldType, TypedValue
from core.errors import UsageError
from core.extract.chooser.model import (
    ARRAYS,
    COLUMNS,
    COMMON,
    FACTS,
    ChoosableValue,
    GivingLimits,
    context_columns,
    from_files,
    grouped,
    judge,
    measure,
    read_choosers,
)


def _option(text: str, at: int, rule: float = 0.0) -> ChoosableValue:
    return ChoosableValue(TypedValue(FieldType.TEXT, text), ((at, at + 1),), (1, 2), (0.5,), text, rule)


OPTIONS = [_option("a", 0), _option("b", 5, 0.9), _option("a", 9)]


def test_places_of_one_value_are_one_group() -> None:
    assert grouped(OPTIONS) == {"a": [0, 2], "b": [1]}


def test_measures_are_of_values_and_tell_of_rivals() -> None:
    names, rows = measure(OPTIONS, np.array([[1.0], [0.0], [3.0]]))

    assert names == ["a", "b"]
    assert rows.shape == (2, COMMON + 1)
    assert rows[0, 0] == 3.0
    assert rows[1, 4] == 0.9


def test_of_exclusive_values_the_probabilities_sum_to_one_at_most() -> None:
    scores = np.array([[1.0], [0.0], [3.0]])

    shared = judge(OPTIONS, scores, np.array([0.8, 0.8]))
    free = judge(OPTIONS, scores, np.array([0.8, 0.7]), exclusive=False)

    assert sum(each.probability for each in shared) <= 1.0
    assert [each.probability for each in free] == [0.8, 0.7]
    assert [option.spans[0][0] for option in free[0].options] == [9, 0]


def test_values_that_the_rules_give_too_need_less() -> None:
    limits = GivingLimits(0.9, 0.7)

    assert limits.give(0.8, agrees=True)
    assert not limits.give(0.8, agrees=False)
    assert GivingLimits(0.6, 1.01).give(0.7, agrees=True)


TEXT = "The term of this Agreement is three years from the date."


def test_equal_surroundings_give_equal_columns() -> None:
    at = TEXT.index("three")

    one, other = context_columns(TEXT, at, at + 11, ("own",)), context_columns(TEXT, at, at + 11, ("own",))

    assert one == other
    assert all(0 <= each < COLUMNS for each in one)
    assert set(one) != set(context_columns(TEXT, 0, 3, ("own",)))


def test_choosers_come_back_as_they_were_written() -> None:
    files = to_files(read_choosers())

    assert to_files(from_files(files)) == files
    assert set(from_files(files).fields) == {"effective_date", "expiration_date", "total", "parties"}


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_damaged_files_are_named(tmp_path: Path, damage: str) -> None:
    files = to_files(read_choosers())
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    if damage == "gone":
        (tmp_path / ARRAYS).unlink()
    elif damage == "cut":
        (tmp_path / FACTS).write_bytes(files[FACTS][:100])
    else:
        (tmp_path / FACTS).write_text('{"format": 99}')

    with pytest.raises(UsageError, match="cannot be read"):
        read_choosers(tmp_path)

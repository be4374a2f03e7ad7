from __future__ import annotations

import pytest

from core.ingest.clean import distinct_name, file_name


@pytest.mark.parametrize(
    ("given", "name"),
    [("plan.pdf", "plan.pdf"), ("..\\up\\plan.pdf", "plan.pdf"), ("a/b/ plan.pdf. ", "plan.pdf"), ("..", "")],
)
def test_a_name_from_elsewhere_holds_no_folder(given: str, name: str) -> None:
    assert file_name(given) == name


def test_a_name_that_is_taken_gets_a_number_before_its_extension() -> None:
    taken: set[str] = set()
    assert [distinct_name("plan.pdf", taken) for _ in range(3)] == [
        "plan.pdf",
        "plan (2).pdf",
        "plan (3).pdf",
    ]
    assert taken == {"plan.pdf", "plan (2).pdf", "plan (3).pdf"}

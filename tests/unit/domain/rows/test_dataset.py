from __future__ import annotations

from core.domain.rows.dataset import document_source


def test_the_document_of_a_table_is_never_that_of_its_file() -> None:
    assert document_source("/a.xlsx", "Spend") == "dataset:/a.xlsx#Spend"
    assert document_source("/a.csv", "") == "dataset:/a.csv"

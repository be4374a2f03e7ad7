from __future__ import annotations

import numpy as np

from core.extract.clauses.features import (
    HEADINGS,
    NEAR_WORDS,
    OWN_PAIRS,
    UNSEEN,
    WORDS,
    ClausePattern,
    Frequencies,
    PatternBits,
    SparseRows,
    assemble,
    document_row,
    paragraph_features,
    segment_features,
)
from core.extract.clauses.segments import segment

TEXT = "1. Insurance. The supplier keeps insurance.\n\nThe buyer pays in 30 days.\n\nNotices are in writing."
PATTERNS = PatternBits(
    [ClausePattern("Insurance", r"insur(ance|ed)"), ClausePattern("Payment", r"\bpays?\b", unless="refund")]
)


def level() -> Frequencies:
    return Frequencies(
        np.zeros(NEAR_WORDS, np.uint8), np.zeros(HEADINGS, np.uint8), np.full(2 * WORDS, 20, np.uint8)
    )


def norms(rows: SparseRows, low: int, high: int) -> np.ndarray:
    inside = (rows.columns >= low) & (rows.columns < high)
    return np.sqrt(np.bincount(rows.row_of()[inside], rows.data[inside] ** 2, minlength=len(rows)))


def test_words_of_a_segment_make_a_unit_row() -> None:
    rows = assemble(segment_features(segment(TEXT), PATTERNS), level())
    assert np.allclose(norms(rows, 0, NEAR_WORDS), 1, atol=1e-5)


def test_columns_of_a_row_are_unique() -> None:
    rows = assemble(segment_features(segment(TEXT), PATTERNS), level())
    keys = rows.row_of() * 10**7 + rows.columns
    assert len(np.unique(keys)) == len(keys)


def test_what_too_few_documents_hold_carries_no_weight() -> None:
    units = segment_features(segment(TEXT), PATTERNS)
    rare = np.full(NEAR_WORDS, UNSEEN, np.uint8)
    rows = assemble(units, Frequencies(rare, level().headings, level().documents))
    assert not norms(rows, 0, OWN_PAIRS).any()


def test_numbers_are_all_alike() -> None:
    left, right = (segment_features(segment(f"Due in {n} days."), PATTERNS).words for n in (30, 45))
    assert np.array_equal(left.columns, right.columns)


def test_a_pattern_does_not_count_where_its_exception_matches() -> None:
    bits = PATTERNS.of(["The buyer pays.", "The buyer pays a REFUND.", "Nothing."])
    assert bits.tolist() == [[0, 1], [0, 0], [0, 0]]


def test_a_paragraph_has_the_bits_of_its_segments() -> None:
    document = segment(TEXT)
    units = segment_features(document, PATTERNS)
    whole = paragraph_features(document, units.bits)
    assert len(whole) == len(document.paragraphs)
    assert whole.bits.any(axis=0).tolist() == units.bits.any(axis=0).tolist()


def test_a_document_is_one_unit_row_of_its_words() -> None:
    row = document_row(segment_features(segment(TEXT), PATTERNS).words, level())
    assert len(row) == 1
    assert np.isclose(np.sqrt((row.data**2).sum()), 1, atol=1e-5)


def test_a_pattern_that_would_backtrack_for_ever_takes_no_time() -> None:
    bits = PatternBits([ClausePattern("x", r"(a+)+b")]).of(["a" * 20_000])
    assert bits.tolist() == [[0]]

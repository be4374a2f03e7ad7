from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.domain.document import Page
from core.domain.fields import CellStatus, Quote
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.errors import UsageError
from core.extract.base import DocumentText, Thresholds
from core.extract.clauses.artefact_file import FACTS, from_files, read_artefact, to_files
from core.extract.clauses.classifier import ClauseHeads, HeadFinding, decide
from core.extract.clauses.head_names import HEADS
from core.extract.clauses.heads import FEATURES, DocumentScores, Trees, measure
from core.extract.clauses.segments import segment

CONTRACT = """LICENSE AND SUPPLY AGREEMENT

1. Licence. Licensor hereby grants to Licensee a non-exclusive, non-transferable, royalty-bearing
licence to use the Software in the Territory.

2. Records. Licensee shall keep complete books and records. Licensor may, on ten days' notice, audit
and inspect such books and records during normal business hours.

3. Insurance. Licensee shall at its own expense maintain commercial general liability insurance with
limits of not less than $1,000,000 per occurrence and shall name Licensor as an additional insured.

4. Liability. IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR INDIRECT, INCIDENTAL OR CONSEQUENTIAL
DAMAGES, AND THE AGGREGATE LIABILITY OF LICENSOR SHALL NOT EXCEED THE FEES PAID UNDER THIS
AGREEMENT.

5. Assignment. Licensee may not assign this Agreement without the prior written consent of Licensor.

6. Governing law. This Agreement shall be governed by the laws of the State of New York.
"""


def document(text: str) -> DocumentText:
    return DocumentText(
        DocumentId("d1"), 1, "contracts", "Licence", "licence.txt", "", "text/plain", "en", (Page(1, text),)
    )


@pytest.fixture(scope="module")
def heads() -> ClauseHeads:
    return ClauseHeads.load()


def test_every_head_answers_with_a_probability_and_at_most_five_spans(heads: ClauseHeads) -> None:
    found = heads.find(document(CONTRACT))
    assert set(found) == set(heads.names)
    assert all(0 <= each.probability <= 1 and len(each.spans) <= 5 for each in found.values())


def test_the_heads_that_decide_are_those_that_schemas_may_name(heads: ClauseHeads) -> None:
    assert set(heads.names) == set(HEADS)


def test_clauses_that_stand_there_are_found_where_they_stand(heads: ClauseHeads) -> None:
    found = heads.find(document(CONTRACT))
    for head, words in (
        ("insurance", "maintain commercial general liability insurance"),
        ("audit_rights", "audit and inspect"),
        ("anti_assignment", "may not assign"),
        ("cap_on_liability", "AGGREGATE LIABILITY"),
    ):
        assert found[head].probability > 0.5
        assert words in " ".join(found[head].spans[0][0].quote.split())


def test_clauses_that_do_not_stand_there_are_unlikely(heads: ClauseHeads) -> None:
    found = heads.find(document(CONTRACT))
    for head in ("source_code_escrow", "non_disparagement", "no_solicit_of_employees", "rofr_rofo_rofn"):
        assert found[head].probability < 0.1


def test_a_quote_holds_the_characters_of_its_page(heads: ClauseHeads) -> None:
    for each in heads.find(document(CONTRACT)).values():
        for quote, _ in each.spans:
            assert CONTRACT[quote.span.start : quote.span.end] == quote.quote


def test_equal_text_gives_equal_findings(heads: ClauseHeads) -> None:
    assert heads.find(document(CONTRACT)) == heads.find(document(CONTRACT))


def test_a_text_without_words_has_no_findings(heads: ClauseHeads) -> None:
    assert heads.find(document("  \n - 1 - \n")) == {}


def test_a_single_sentence_can_be_judged(heads: ClauseHeads) -> None:
    assert len(heads.find(document("Hello there."))["insurance"].spans) == 1


def test_an_artefact_survives_being_written_and_read(heads: ClauseHeads) -> None:
    files = to_files(heads.artefact)
    again = ClauseHeads(from_files(files))
    assert to_files(again.artefact) == files
    before, after = (each.find(document(CONTRACT)) for each in (heads, again))
    assert all(before[name].probability == pytest.approx(after[name].probability) for name in before)


def test_the_shipped_artefact_is_small(heads: ClauseHeads) -> None:
    assert sum(map(len, to_files(heads.artefact).values())) < 1_500_000


def test_a_folder_without_heads_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_artefact(tmp_path)


def test_trees_go_left_at_or_below_the_threshold() -> None:
    trees = Trees(
        np.array([[0, -1, -1]], np.int16),
        np.array([[1.5, 0, 0]], np.float32),
        np.array([[1, 0, 0]], np.int16),
        np.array([[2, 0, 0]], np.int16),
        np.array([[0, -2, 3]], np.float32),
        1,
    )
    assert trees.predict(np.array([[1.5], [1.6]])).tolist() == [-2.0, 3.0]


def test_a_document_is_measured_by_its_best_segments() -> None:
    found = segment("One clause here.\n\nAnother clause there.\n\nA third one.")
    scores = np.array([[0.1, -1], [2.0, -1], [0.5, 0.2]], np.float32)
    bits = np.array([[0], [1], [1]], np.uint8)
    measured = measure(
        DocumentScores(found, scores, bits, np.array([0.3, 0.6], np.float32)),
        [np.array([0]), np.array([], np.int64)],
    )
    assert measured.shape == (2, len(FEATURES))
    assert measured[0, :3].tolist() == pytest.approx([2.0, 0.5, 0.1])
    assert measured[0, FEATURES.index("hits_at_top")] == 1
    assert measured[1, FEATURES.index("prior")] == pytest.approx(0.6)


def test_heads_of_another_format_are_refused(heads: ClauseHeads) -> None:
    files = to_files(heads.artefact)
    with pytest.raises(ValueError, match="format 2, expected 4"):
        from_files({**files, FACTS: files[FACTS].replace(b'"format": 4', b'"format": 2')})


SPANS = tuple((Quote(PageSpan(1, n, n + 4), "text"), 1.0 - n) for n in range(5))


def finding(probability: float) -> HeadFinding:
    return HeadFinding("insurance", probability, SPANS)


def test_a_high_probability_is_present_with_its_best_span() -> None:
    cell = decide(finding(0.97), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.PRESENT
    assert [value.text for value in cell.values] == ["true"]
    assert cell.spans == (SPANS[0][0],)
    assert cell.confidence == pytest.approx(0.97)


def test_a_low_probability_is_absent_and_sure_of_it() -> None:
    cell = decide(finding(0.02), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.ABSENT
    assert cell.spans == ()
    assert cell.confidence == pytest.approx(0.98)


def test_what_lies_between_is_uncertain_with_three_spans() -> None:
    cell = decide(finding(0.5), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.UNCERTAIN
    assert cell.spans == ()
    assert [each.spans[0] for each in cell.candidates] == [quote for quote, _ in SPANS[:3]]


def test_a_type_with_candidates_only_is_never_present_and_says_why() -> None:
    cell = decide(finding(0.999), Thresholds(0.05, 1.01, "Too few examples."))
    assert cell.status is CellStatus.UNCERTAIN
    assert cell.note == "Too few examples."


def test_a_finding_without_spans_is_never_present() -> None:
    assert decide(HeadFinding("x", 0.99), Thresholds()).status is CellStatus.UNCERTAIN

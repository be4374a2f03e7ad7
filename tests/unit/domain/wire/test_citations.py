"""JSON of citations that are held against their documents as they are now."""

from datetime import UTC, datetime

from core.domain.evidence.change import (
    EvidenceStanding,
    EvidenceState,
    ParagraphChange,
    TextComparison,
    TextPart,
)
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.domain.wire.documents import changes_json, standing_json


def test_a_standing_says_its_state_its_day_and_where_the_words_are() -> None:
    at = datetime(2026, 10, 12, 8, tzinfo=UTC)
    found = EvidenceStanding(
        DocumentId("d"),
        EvidenceState.CHANGED,
        1,
        3,
        at,
        stands=True,
        place=PageSpan(2, 5, 9),
        note="Changed.",
    )
    assert standing_json(found) == {
        "state": "changed",
        "newest": 3,
        "at": "2026-10-12T08:00:00+00:00",
        "stands": True,
        "place": {"page": 2, "start": 5, "end": 9},
        "note": "Changed.",
    }


def test_what_was_removed_has_no_newest_version() -> None:
    found = standing_json(EvidenceStanding(DocumentId("d"), EvidenceState.REMOVED, 1, 0, stands=False))
    assert (found["newest"], found["at"], found["place"]) == (None, None, None)


def test_a_new_paragraph_has_no_text_before() -> None:
    new = ParagraphChange((TextPart("added", "New."),), None, 1)
    assert changes_json(TextComparison(1, 2, (new,), 4)) == {
        "version": 1,
        "newest": 2,
        "paragraphs": [
            {"before": None, "now": "New.", "before_page": None, "page": 1, "parts": [["added", "New."]]}
        ],
        "left_out": 4,
    }

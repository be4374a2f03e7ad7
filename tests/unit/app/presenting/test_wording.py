from app.presenting.wording import outcome_of
from core.domain.document import FilePart, IngestOutcome, PartState
from core.domain.job import IngestItem


def test_a_file_that_was_read_in_part_says_so() -> None:
    gap = FilePart("images", PartState.UNREAD)
    words = [
        outcome_of(IngestItem(None, "a.pdf", "", "default", outcome, "", 1, 1, parts=parts))
        for outcome, parts in (
            (IngestOutcome.READY, ()),
            (IngestOutcome.READY, (gap,)),
            (IngestOutcome.UPDATED, (gap,)),
            (IngestOutcome.FAILED, (gap,)),
        )
    ]
    assert words == ["● Ready", "◐ With gaps", "◐ New version, with gaps", "■ Failed"]

import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.fields import Cell, CellStatus, Finding, ReviewAction, TypedValue
from core.domain.ids import DocumentId
from core.errors import ConflictError, NotFoundError, UsageError
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.stated_values import ALL, absent, money, present, put, quote, text, uncertain, unreadable

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
PAGE = "Governed by the laws of Delaware. Notices go to Texas. Fees are due."


class Desk:
    """One cell of one document, and a reviewer who decides it."""

    def __init__(self, records: Records, finding: Finding, page: str = PAGE) -> None:
        self.records = records
        self.document = DocumentId(put(records, page=page, law=finding))

    def decide(self, action: ReviewAction, value: TypedValue | None = None, *pieces: str) -> Cell:
        quotes = [quote(PAGE, piece) for piece in pieces]
        return self.records.reviews.review(
            self.document, "law", action, "ann", NOW, value, quotes, visible=ALL
        )

    def undo(self) -> Cell:
        return self.records.reviews.review(self.document, "law", ReviewAction.UNDO, "ann", LATER, visible=ALL)

    def again(self, page: str, finding: Finding) -> Cell:
        """Another version of the document, extracted."""
        put(self.records, page=page, law=finding)
        return self.cell

    @property
    def cell(self) -> Cell:
        return self.records.fields.cell(self.document, "law", ALL)

    def found(self) -> int:
        """How many documents a condition on the cell's value finds."""
        from core.domain.predicate import Predicate

        hits = self.records.annotations.search(ALL, "b", [Predicate("law", "~", ".")])
        return hits.total


def test_confirming_makes_a_cell_certain_and_keeps_what_it_says(records: Records) -> None:
    finding = present(text("Delaware"), spans=(quote(PAGE, "Delaware"),), confidence=0.9)
    desk = Desk(records, finding)
    cell = desk.decide(ReviewAction.CONFIRM)
    assert cell == desk.cell
    assert cell.review is not None
    assert (cell.review.user, cell.review.at, cell.review.check_again) == ("ann", NOW, False)
    assert (cell.finding.values, cell.finding.spans) == (finding.values, finding.spans)
    assert (cell.finding.confidence, cell.finding.method, cell.extracted) == (1.0, "reviewer", finding)


def test_confirming_an_uncertain_cell_takes_its_best_candidate(records: Records) -> None:
    desk = Desk(records, uncertain(0.4, text("Delaware"), quote(PAGE, "Delaware")))
    assert desk.found() == 0
    cell = desk.decide(ReviewAction.CONFIRM)
    assert (cell.finding.status, cell.finding.values[0].text) == (CellStatus.PRESENT, "Delaware")
    assert cell.finding.spans == (quote(PAGE, "Delaware"),)
    assert desk.found() == 1


def test_a_confirmed_absence_stays_absent(records: Records) -> None:
    desk = Desk(records, absent(0.98))
    assert desk.decide(ReviewAction.CONFIRM).finding.status is CellStatus.ABSENT


@pytest.mark.parametrize("finding", [unreadable(), Finding(CellStatus.UNCERTAIN)])
def test_there_is_nothing_to_confirm_in_an_empty_cell(records: Records, finding: Finding) -> None:
    desk = Desk(records, finding)
    with pytest.raises(UsageError, match="nothing to confirm"):
        desk.decide(ReviewAction.CONFIRM)
    assert records.reviews.history(desk.document, "law", ALL) == []


def test_a_correction_needs_a_value_or_a_span_that_stands_there(records: Records) -> None:
    desk = Desk(records, absent())
    with pytest.raises(UsageError, match="value or a span"):
        desk.decide(ReviewAction.CORRECT)
    wrong = quote("x" + PAGE, "Delaware")
    with pytest.raises(UsageError, match="do not stand there"):
        records.reviews.review(
            desk.document, "law", ReviewAction.CORRECT, "ann", NOW, None, [wrong], visible=ALL
        )
    marked = desk.decide(ReviewAction.CORRECT, None, "laws of Delaware")
    assert marked.finding.values[0].text == "true"
    typed = desk.decide(ReviewAction.CORRECT, text("Texas"))
    assert (typed.finding.values[0].text, typed.finding.spans) == ("Texas", ())


def test_a_cell_that_was_never_extracted_can_be_decided(records: Records) -> None:
    document = put(records, page=PAGE)
    cell = records.reviews.review(document, "fee", ReviewAction.CORRECT, "ann", NOW, money("5"), visible=ALL)
    assert (cell, cell.extracted) == (records.fields.cell(document, "fee", ALL), None)


def test_undo_goes_back_step_by_step_to_what_extraction_says(records: Records) -> None:
    desk = Desk(records, absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    desk.decide(ReviewAction.CORRECT, text("Delaware"), "Delaware")
    back = desk.undo()
    assert (back.finding.values[0].text, back == desk.cell) == ("Texas", True)
    first = desk.undo()
    assert (first.finding, first.review, first == desk.cell) == (absent(), None, True)
    with pytest.raises(UsageError, match="nothing to undo"):
        desk.undo()
    actions = [event.action for event in records.reviews.history(desk.document, "law", ALL)]
    assert actions == [ReviewAction.UNDO, ReviewAction.UNDO, ReviewAction.CORRECT, ReviewAction.CORRECT]


def test_the_history_says_what_was_decided_and_when(records: Records) -> None:
    desk = Desk(records, absent())
    cell = desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    (event,) = records.reviews.history(desk.document, "law", ALL)
    assert (event.id, event.user, event.at, event.version) == (cell.event, "ann", NOW, 1)
    assert (event.before, event.after) == (absent(), cell.finding)
    assert records.reviews.history(desk.document, "law", Visibility(frozenset())) == [event]
    hidden = put(records, "hidden.txt", PAGE, acl=("legal",), law=absent())
    records.reviews.review(hidden, "law", ReviewAction.CONFIRM, "ann", NOW, visible=ALL)
    assert records.reviews.history(hidden, "law", Visibility(frozenset())) == []


def test_extraction_never_overwrites_a_reviewer(records: Records) -> None:
    desk = Desk(records, absent())
    decided = desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    cell = desk.again(PAGE, present(text("Ohio")))
    assert (cell.finding, cell.review, cell.event) == (decided.finding, decided.review, decided.event)
    assert cell.extracted == present(text("Ohio"))
    assert desk.undo().finding == present(text("Ohio"))


def test_a_reviewed_span_moves_with_its_words_into_a_new_version(records: Records) -> None:
    desk = Desk(records, absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    longer = "A new preamble. " + PAGE
    cell = desk.again(longer, absent())
    assert (cell.version, cell.finding.spans) == (2, (quote(longer, "Texas"),))
    assert cell.review is not None
    assert not cell.review.check_again
    assert desk.found() == 1


@pytest.mark.parametrize("page", ["Nothing of it stands here.", "Texas, or Texas again."])
def test_a_reviewed_cell_whose_span_is_gone_or_doubtful_is_checked_again(records: Records, page: str) -> None:
    desk = Desk(records, absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    cell = desk.again(page, absent())
    assert cell.review is not None
    assert cell.review.check_again
    assert (cell.version, cell.finding.values[0].text) == (1, "Texas")
    assert desk.found() == 0
    assert records.fields.counts(ALL, "b")["law"].check_again == 1
    (item,) = records.fields.worklist(ALL, "b")
    assert item.check_again
    back = desk.again(PAGE + " And more.", absent())
    assert back.review is not None
    assert (back.version, back.review.check_again) == (3, False)


def test_confirming_a_cell_to_be_checked_again_settles_it(records: Records) -> None:
    desk = Desk(records, absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    desk.again("Nothing of it stands here.", absent())
    cell = desk.decide(ReviewAction.CONFIRM)
    assert cell.review is not None
    assert (cell.review.check_again, cell.version, cell.finding.spans) == (False, 2, ())
    assert desk.found() == 1


def test_a_reviewed_absence_holds_until_something_new_is_found(records: Records) -> None:
    wrong = present(text("Delaware"), spans=(quote(PAGE, "Delaware"),))
    desk = Desk(records, wrong)
    desk.decide(ReviewAction.ABSENT)
    same = PAGE + " More."
    kept = desk.again(same, present(text("Delaware"), spans=(quote(same, "Delaware"),)))
    assert kept.review is not None
    assert (kept.finding.status, kept.review.check_again) == (CellStatus.ABSENT, False)
    other = PAGE + " Ohio law applies."
    doubted = desk.again(other, present(text("Ohio"), spans=(quote(other, "Ohio law"),)))
    assert doubted.review is not None
    assert doubted.review.check_again


def test_a_typed_value_without_a_span_holds_while_extraction_says_the_same(records: Records) -> None:
    desk = Desk(records, absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"))
    kept = desk.again(PAGE + " More.", absent())
    assert kept.review is not None
    assert not kept.review.check_again
    doubted = desk.again(PAGE + " Still more.", present(text("Ohio")))
    assert doubted.review is not None
    assert doubted.review.check_again


def test_undoing_in_a_new_version_looks_for_the_earlier_span_there(records: Records) -> None:
    desk = Desk(records, absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    desk.decide(ReviewAction.ABSENT)
    longer = "New. " + PAGE
    desk.again(longer, absent())
    cell = desk.undo()
    assert (cell.version, cell.finding.spans) == (2, (quote(longer, "Texas"),))


def test_the_later_of_two_reviewers_is_told_who_came_first_and_when(records: Records) -> None:
    desk = Desk(records, absent())
    seen = desk.cell.event
    desk.decide(ReviewAction.CONFIRM)
    with pytest.raises(ConflictError, match=r"'ann' confirmed .* 2026-01-01 at 00:00:00") as refused:
        records.reviews.review(
            desk.document, "law", ReviewAction.ABSENT, "bob", LATER, visible=ALL, expected=seen
        )
    assert (refused.value.user, refused.value.at) == ("ann", NOW)
    now = desk.cell.event
    records.reviews.review(desk.document, "law", ReviewAction.ABSENT, "bob", LATER, visible=ALL, expected=now)


def test_of_many_reviewers_at_once_one_decides(records: Records) -> None:
    desk = Desk(records, absent())
    won: list[str] = []
    told: list[ConflictError] = []

    def decide(user: str) -> None:
        try:
            records.reviews.review(
                desk.document, "law", ReviewAction.CONFIRM, user, NOW, visible=ALL, expected=0
            )
            won.append(user)
        except ConflictError as error:
            told.append(error)

    threads = [threading.Thread(target=decide, args=(f"user {number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert {error.user for error in told} == set(won)
    assert len(records.reviews.history(desk.document, "law", ALL)) == 1


def test_a_review_raises_the_data_version_and_makes_no_document_be_indexed_again(records: Records) -> None:
    desk = Desk(records, absent())
    before = records.changes.data_version()
    desk.decide(ReviewAction.CONFIRM)
    found = records.changes.since(before)
    assert (found.sequence > before, found.documents) == (True, frozenset())


def test_only_verdicts_that_stand_are_given_for_training(records: Records) -> None:
    desk = Desk(records, absent())
    put(records, "other.txt", PAGE, law=absent())
    desk.decide(ReviewAction.CORRECT, text("Texas"), "Texas")
    assert [cell.document for cell in records.fields.verdicts("b")] == [desk.document]
    desk.again("Nothing of it stands here.", absent())
    assert list(records.fields.verdicts()) == []


def test_what_may_not_be_seen_may_not_be_decided(records: Records) -> None:
    document = put(records, "1", PAGE, acl=("legal",), law=absent())
    with pytest.raises(NotFoundError):
        records.reviews.review(
            document, "law", ReviewAction.CONFIRM, "ann", NOW, visible=Visibility(frozenset())
        )


@pytest.mark.parametrize(
    ("before", "marked", "after", "stands"),
    [
        ("The fee is $5,000 a year.", "$5,000", "The fee is $5,000,000 a year.", False),
        ("The fee is $5,000 a year.", "$5,000", "A fee of $5,000.50 is due.", False),
        ("The fee is $5,000 a year.", "$5,000", "The fee is $5,000 million.", False),
        ("The fee is 5,000 USD.", "5,000", "The fee is 15,000 USD.", False),
        ("The fee is 5,000 USD.", "5,000", "The fee is -5,000 USD.", False),
        ("The fee is 5,000 USD.", "5,000", "A fee: 5,000, then 15,000 USD.", True),
        ("Law of Virginia.", "Virginia", "Law of Virginian courts.", False),
        ("Law of Virginia.", "Virginia", "It is the law of Virginia, and no other.", True),
        ("Law of Virginia.", "Virginia", "Law of Virginia", True),
        ("It is US$5,000 a year.", "$5,000", "All in all it is US$5,000 a year.", True),
        ("It is US$5,000 a year.", "$5,000", "All in all it is CA$5,000 a year.", False),
        (
            "\u6cd5\u5f8b\u4e3a5000\u5143\u3002",
            "5000",
            "\u65b0\u7684\u6cd5\u5f8b\u662f5000\u5143\u3002",
            True,
        ),
        ("\u6cd5\u5f8b\u4e3a5000\u5143\u3002", "5000", "\u6cd5\u5f8b\u4e3a50000\u5143\u3002", False),
    ],
)
def test_a_reviewed_span_never_moves_into_a_longer_number_or_word(
    records: Records, before: str, marked: str, after: str, stands: bool
) -> None:
    desk = Desk(records, uncertain(), before)
    records.reviews.review(
        desk.document,
        "law",
        ReviewAction.CORRECT,
        "ann",
        NOW,
        text(marked),
        [quote(before, marked)],
        visible=ALL,
    )

    cell = desk.again(after, uncertain())

    assert cell.review is not None
    assert cell.review.check_again is not stands
    if stands:
        span = cell.finding.spans[0].span
        assert after[span.start : span.end] == marked

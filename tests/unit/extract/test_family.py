"""Marks of a document's family."""

from __future__ import annotations

from core.domain.fields import FamilyMarks, Identity, IdentityPart
from core.extract.family import family_marks
from tests.support.document_text import document_text


def test_an_amendment_has_its_own_title_and_the_words_that_name_its_agreement() -> None:
    text = "AMENDMENT NO. 2\n\nThis is Amendment No. 2 to the Supply Agreement dated March 9, 2024."
    identity = Identity("", IdentityPart("Amendment No. 2"), day=IdentityPart("2024-06-01"))

    marks = family_marks(document_text("First page.", text), identity)

    assert (marks.title, marks.day) == ("amendment 2", "2024-06-01")
    (found,) = marks.references
    assert (found.kinship, found.title, found.day) == ("amends", "supply agreement", "2024-03-09")
    assert (found.quote.span.page_no, found.quote.quote) == (
        2,
        "Amendment No. 2 to the Supply Agreement dated March 9, 2024",
    )


def test_an_empty_document_has_no_marks_to_go_by() -> None:
    assert family_marks(document_text(""), Identity("")) == FamilyMarks("", "")

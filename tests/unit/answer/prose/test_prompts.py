from __future__ import annotations

from datetime import date

from core.answer.prose.assess import AssessedClaim
from core.answer.prose.prompts import evidence_text, repair_prompt, verify_prompt, write_prompt
from core.answer.prose.units import EvidenceUnit, PackedEvidence, ValueUnit
from core.domain.answer import QuotedPlace, StruckClaim
from core.domain.ids import DocumentId
from core.search.evidence.base import Span

TODAY = date(2031, 3, 4)
PLACE = QuotedPlace(
    document="d", title="Lease", source="l.txt", version=1, page=2, start=0, end=5, quote="Rent."
)
PACKED = PackedEvidence((EvidenceUnit("e1", PLACE),), (ValueUnit("v1", "documents in scope", "9"),))


def test_evidence_is_told_with_its_ids_title_and_page() -> None:
    text = evidence_text(PACKED)

    assert 'id="e1"' in text
    assert "[Lease, page 2, doc_id d]\nRent." in text
    assert "v1 = 9 (documents in scope)" in text
    within = PLACE.model_copy(update={"source": "in/offer.eml/l.txt"})
    packed = PackedEvidence((EvidenceUnit("e1", within),), ())
    assert "[Lease, within offer.eml, page 2, doc_id d]" in evidence_text(packed)


def test_a_repair_holds_the_reasons() -> None:
    prompt = repair_prompt("Why?", PACKED, [StruckClaim(text="No.", reason="Not said.", check="names")])

    assert "1. No.\n   Not said." in prompt.messages[-1].content


def test_a_prompt_says_which_version_it_is_of() -> None:
    assert write_prompt("Why?", PACKED, TODAY).label == "write@4"


def test_a_claim_is_judged_on_its_whole_evidence_and_what_it_cites_beside_it() -> None:
    unit, head = EvidenceUnit("e1", PLACE), span_of(PLACE, "In millions", 90)
    claims = [
        AssessedClaim(at, text, (span_of(PLACE, "Rent.", 0), head), PACKED.values, (), (unit,))
        for at, text in enumerate(("Rent is due.", "It is 9."))
    ]

    text = verify_prompt("What is due?", claims, TODAY).messages[-1].content

    assert text.count("Rent.") == 1
    assert "Claim 2, from e1:" in text
    assert text.count("In millions\n…\ndocuments in scope = 9 (computed, exact)") == 2
    assert text.index("Claim 2, from e1:") < text.index("What is due?")


def span_of(place: QuotedPlace, quote: str, start: int) -> Span:
    end = start + len(quote)
    return Span(DocumentId(place.document), place.version, place.page, start, end, quote, "", "")


def test_the_day_and_the_marks_that_stand_in_the_evidence_are_told() -> None:
    marked = PLACE.model_copy(update={"quote": "[x] by post [deleted: 3 days] 5 days"})
    unit = EvidenceUnit("e1", marked)
    claim = AssessedClaim(0, "By post.", (span_of(marked, "[x] by post", 0),), (), (), (unit,))
    for prompt in (
        write_prompt("How?", PackedEvidence((unit,), ()), TODAY),
        verify_prompt("How?", [claim], TODAY),
    ):
        text = prompt.messages[-1].content
        assert "Today is Tuesday, 2031-03-04." in text
        assert "Marks in it: [x] is a box that is ticked" in text
        assert "was struck out" in text
        assert "[comment" not in text
    assert "Marks in it" not in write_prompt("How?", PACKED, TODAY).messages[-1].content

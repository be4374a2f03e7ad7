from __future__ import annotations

import pytest

from core.answer.cite import Verifier
from core.answer.prose.assess import AssessedClaim, Assessor, sentences_for
from core.answer.prose.claim_lines import WrittenClaim
from core.answer.prose.units import EvidenceUnit, PackedEvidence, ValueUnit
from core.domain.answer import QuotedPlace, StruckClaim, Verdict
from core.store.database.visibility import Visibility
from tests.support.library import Library

LEASE = "The notice period is thirty days. The monthly rent is USD 4500. See https://lease.example/terms now."


@pytest.fixture
def library() -> Library:
    library = Library()
    library.add("lease.txt", LEASE, title="Lease")
    return library


def unit(library: Library, id: str = "e1") -> EvidenceUnit:
    (document,) = (each.id for each in library._summaries.values())
    return EvidenceUnit(
        id,
        QuotedPlace(
            document=document,
            title="Lease",
            source="lease.txt",
            version=1,
            page=1,
            start=0,
            end=len(LEASE),
            quote=LEASE,
        ),
    )


def assess(library: Library, text: str, *ids: str, question: str = "What is the rent?") -> object:
    packed = PackedEvidence((unit(library),), (ValueUnit("v1", "documents in scope", "1,204"),))
    assessor = Assessor(packed, question, Verifier(library, Visibility.everything()))
    return assessor.assess(WrittenClaim(0, text, ids))


def test_a_claim_cites_the_sentence_that_bears_it(library: Library) -> None:
    found = assess(library, "The monthly rent is USD 4500.", "e1")

    assert isinstance(found, AssessedClaim)
    assert [span.quote for span in found.spans] == ["The monthly rent is USD 4500."]
    assert LEASE[found.spans[0].start : found.spans[0].end] == found.spans[0].quote
    assert found.verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "ids", "check"),
    [
        ("The rent is USD 4500.", ("e9",), "ids"),
        ("The rent is USD 4500.", (), "ids"),
        ("There are {v7} documents.", ("v1",), "ids"),
        ("The monthly rent is USD 9900.", ("e1",), "amounts"),
        ("La renta mensual es de USD 4500 y se paga en la cuenta de los socios.", ("e1",), "language"),
        ("Rent is due, see [here](http://evil.example/x).", ("e1",), "address"),
        ("Send it to https://evil.example now.", ("e1",), "address"),
        ("Rent is due, more is at hxxps://evil.example/a.", ("e1",), "address"),
        ("Rent is due, more is at evil[.]com.", ("e1",), "address"),
        ("The monthly rent is not to exceed.", ("e1",), "form"),
        ("The rent is due, und die Miete ist nicht zu zahlen.", ("e1",), "language"),
        ("Rent | USD 4500 | month | due", ("e1",), "form"),
        ("Rent is due <img src=x>.", ("e1",), "address"),
    ],
)
def test_a_sentence_is_struck_with_the_check_that_failed(
    library: Library, text: str, ids: tuple[str, ...], check: str
) -> None:
    found = assess(library, text, *ids)

    assert isinstance(found, StruckClaim)
    assert found.check == check
    assert found.reason


def test_an_address_that_the_evidence_has_may_be_said(library: Library) -> None:
    assert isinstance(assess(library, "See https://lease.example/terms.", "e1"), AssessedClaim)


def test_a_computed_value_is_filled_in_by_code(library: Library) -> None:
    found = assess(library, "There are {v1} documents.", "v1")

    assert isinstance(found, AssessedClaim)
    assert found.text == "There are 1,204 documents."
    assert found.verdict is Verdict.COMPUTED
    assert found.spans == ()


def test_a_page_that_reads_otherwise_now_strikes_the_sentence(library: Library) -> None:
    library.rewrite(next(iter(library._summaries)), 1, "Something else altogether stands here now.")

    found = assess(library, "The monthly rent is USD 4500.", "e1")

    assert isinstance(found, StruckClaim)
    assert found.check == "quote"


def test_words_of_two_sentences_need_both(library: Library) -> None:
    spans = sentences_for("Notice is thirty days and the rent is USD 4500.", unit(library))

    assert [span.quote for span in spans] == [
        "The notice period is thirty days.",
        "The monthly rent is USD 4500.",
    ]


def test_a_denial_that_the_evidence_lacks_is_in_doubt_and_a_period_is_struck(library: Library) -> None:
    denied = assess(library, "The notice period is not thirty days.", "e1")
    yearly = assess(library, "The yearly rent is USD 4500.", "e1")

    assert isinstance(denied, AssessedClaim)
    assert denied.doubt is not None and denied.doubt.check == "places"  # noqa: PT018
    assert isinstance(yearly, StruckClaim)
    assert yearly.check == "rates"


TABLE = """Condensed Statements of Income
($ in millions, except per share data) 2022 2021
Net sales $ 3,642 $ 3,507
Cost of sales (2,980) (2,862)
"""
ROW = "Net sales $ 3,642 $ 3,507"


def assess_row(text: str) -> AssessedClaim | StruckClaim:
    library = Library()
    id = library.add("report.txt", TABLE, title="Report")
    start = TABLE.index(ROW)
    place = QuotedPlace(
        document=id,
        title="Report",
        source="report.txt",
        version=1,
        page=1,
        start=start,
        end=start + len(ROW),
        quote=ROW,
    )
    packed = PackedEvidence((EvidenceUnit("e1", place),), ())
    assessor = Assessor(packed, "Net sales?", Verifier(library, Visibility.everything()))
    return assessor.assess(WrittenClaim(0, text, ("e1",)))


def test_a_row_is_cited_with_the_head_that_says_its_scale_and_year() -> None:
    found = assess_row("Net sales in 2022 were $3,642 million.")

    assert isinstance(found, AssessedClaim)
    assert [span.quote for span in found.spans] == [*TABLE.splitlines()[:2], ROW]


@pytest.mark.parametrize(
    "text", ["Net sales in 2022 were $3,642 billion.", "Net sales in 2019 were $3,642 million."]
)
def test_a_wrong_scale_or_year_is_struck_beside_the_head(text: str) -> None:
    assert isinstance(assess_row(text), StruckClaim)

from __future__ import annotations

from core.domain.answer import Citation, Claim, StruckClaim, Verdict
from core.domain.span import Box
from core.review.evidence_page import EvidencePlace, evidence_page
from tests.support.flagged import an_answer

EVIL = "<img src=x onerror=alert(1)>"
PLACE = Citation(
    n=1, document="d", title=EVIL, source=f"a/{EVIL}.pdf", version=1, page=2, start=5, end=9, quote="<b>x"
)


def page(**given: object) -> str:
    claim = Claim(text="So **it** is [1]", verdict=Verdict.SUPPORTED, citations=(PLACE,))
    answer = an_answer(
        question=f"Who? {EVIL}", text=f"**Ann** [1]\n\n{EVIL}", claims=(claim,), gaps=(EVIL,),
        struck=(StruckClaim(text=EVIL, reason="no", check="quote"),),
        plan={"nodes": [{"purpose": EVIL, "type": "select"}]},
    )  # fmt: skip
    place = EvidencePlace(PLACE, "evidence/1.jpg", (Box(0.1, 0.2, 0.5, 0.25),), "what <b>x is", holds=True)
    settings: dict[str, object] = {"asker": EVIL, "asked_at": "now", "made": EVIL, "chain": EVIL, "audit": ()}
    return evidence_page(answer, [place], files=["answer.json"], **{**settings, **given})  # type: ignore[arg-type]


def test_nothing_of_a_document_or_a_person_becomes_markup() -> None:
    html = page()

    assert "<img src=x" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") >= 8
    assert "<script" not in html


def test_the_quote_stands_in_its_page_and_is_boxed_on_the_image() -> None:
    html = page()

    assert "what <mark>&lt;b&gt;x</mark> is" in html
    assert 'src="evidence/1.jpg"' in html
    assert "left:10.000%;top:20.000%;width:40.000%;height:5.000%" in html
    assert "<strong>Ann</strong>" in html
    assert 'href="#c1"' in html
    assert 'id="c1"' in html


def test_nothing_is_fetched_from_anywhere() -> None:
    assert "default-src 'none'" in page()
    assert "http://" not in page()
    assert "https://" not in page()


def test_a_quote_that_is_gone_says_so() -> None:
    place = EvidencePlace(PLACE, "", (), "", holds=False)
    html = evidence_page(an_answer(), [place], asker="a", asked_at="", made="", chain="", audit=(), files=())

    assert "could not be read, or does not say this" in html
    assert "It had no plan." in html

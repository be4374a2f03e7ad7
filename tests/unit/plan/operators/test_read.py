from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.document import Heading, Page
from core.domain.results import Documents, Passages
from core.errors import UsageError
from core.plan.ir.nodes import Read, Scope
from core.store.database.visibility import Visibility
from tests.support.operating import DEALS, Desk
from tests.support.versions import new_version

FIRST = "Intro\nWords.\nPayment\nPay soon.\nDetails\nIn euros."
HEADINGS = ((1, "Intro"), (1, "Payment"), (2, "Details"))
SECOND = "Still payment.\nLaw\nTexas."


@pytest.fixture
def contract(desk: Desk) -> str:
    def heading(level: int, text: str, page: str) -> Heading:
        start = page.index(text)
        return Heading(level, start, start + len(text), text)

    pages = (
        Page(
            1, FIRST, (heading(1, "Intro", FIRST), heading(1, "Payment", FIRST), heading(2, "Details", FIRST))
        ),
        Page(2, SECOND, (heading(1, "Law", SECOND),)),
        Page(3, "  "),
    )
    new = new_version("a.txt", bucket="deals", passages=0, acl=("legal",))
    new = replace(new, parsed=replace(new.parsed, pages=pages))
    return str(desk.records.documents.publish(new).document)


def read(desk: Desk, visible: Visibility, **changes: object) -> Passages:
    found = desk.run(Read.model_validate({"id": "r", "purpose": "p"} | changes), None, visible)
    assert isinstance(found, Passages)
    assert found.is_exhaustive
    return found


def test_a_document_is_read_page_by_page(desk: Desk, contract: str) -> None:
    found = read(desk, Visibility.everything(), scope=Scope(documents=(contract,)))
    assert [(hit.page, hit.text) for hit in found.hits] == [(1, FIRST), (2, SECOND)]
    assert read(desk, Visibility.everything(), scope=DEALS) == found


def test_a_section_is_read_up_to_the_next_heading_as_high(desk: Desk, contract: str) -> None:
    found = read(desk, Visibility.everything(), scope=Scope(documents=(contract,)), section="payment")
    assert [hit.text for hit in found.hits] == [FIRST[FIRST.index("Payment") :], "Still payment.\n"]
    assert all(hit.end - hit.start == len(hit.text) for hit in found.hits)


def test_what_may_not_be_seen_is_not_read(desk: Desk, contract: str) -> None:
    assert read(desk, Visibility(frozenset()), scope=Scope(documents=(contract,))).hits == ()


def test_an_input_says_what_is_read(desk: Desk, contract: str) -> None:
    node = Read(id="r", purpose="p", inputs=("x",))
    found = desk.run(node, {"x": Documents(present=frozenset({contract}))})
    assert isinstance(found, Passages)
    assert len(found.hits) == 2
    with pytest.raises(UsageError, match="nothing to read"):
        desk.run(Read(id="r", purpose="p"))

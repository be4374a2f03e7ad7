from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.answer.cite import Draft, Layout
from core.answer.follow_on import LONGEST, MOST_ITEMS, with_what_follows
from core.answer.render import render_text
from core.domain.answer import Citation, Claim, Verdict
from core.domain.document import Heading, Page
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.evidence.base import Span
from core.records.database.visibility import Visibility

LEAD = "A value has one of these classes:"
ALL = Visibility.everything()


@dataclass
class OnePage:
    text: str
    headings: tuple[Heading, ...] = ()

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        if page_no != 1:
            raise NotFoundError("There is no such page.")
        return Page(1, self.text, self.headings)


def layout_of(page: OnePage, *quotes: str, page_no: int = 1) -> Layout:
    drafts = []
    for quote in quotes:
        start = page.text.index(quote)
        span = Span(DocumentId("d"), 1, page_no, start, start + len(quote), quote, "Types", "types.html")
        drafts.append(Draft((span,)))
    return Layout(tuple(drafts), aside="Also relevant:")


def led_in(page: OnePage, *quotes: str) -> list[str]:
    layout = with_what_follows(layout_of(page, *quotes), page, ALL)
    for draft in layout.drafts:
        (span,) = draft.spans
        assert page.text[span.start : span.end] == span.quote
    return [draft.quote for draft in layout.drafts if draft.is_led_in]


@pytest.mark.parametrize(
    ("after", "items"),
    [
        ("\n- NULL\n- INTEGER\n\nMore.", ["NULL", "INTEGER"]),
        ("\n\n- NULL, which is none\n\n- TEXT\n", ["NULL, which is none", "TEXT"]),
        ("\n1. First it is read.\n2. Then it is kept.\n", ["1. First it is read.", "2. Then it is kept."]),
        ("\nNULL | none at all\nREAL | a number\n\nMore.", ["NULL | none at all", "REAL | a number"]),
        ("\n\nPRAGMA types;\n\nMore.", ["PRAGMA types;"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_a_quote_that_leads_something_in_carries_it(after: str, items: list[str]) -> None:
    assert led_in(OnePage(LEAD + after), LEAD) == items


def test_a_list_further_down_or_a_heading_is_not_led_in() -> None:
    heading = Heading(2, len(LEAD) + 2, len(LEAD) + 8, "Limits")
    assert led_in(OnePage(f"{LEAD}\n\nLimits\n\n- one\n- two", (heading,)), LEAD) == []
    whole = "Nothing is led in."
    assert led_in(OnePage(f"{whole}\n- one\n- two"), whole) == []
    page = OnePage(f"{LEAD}\n- one\n- two")
    assert not any(d.is_led_in for d in with_what_follows(layout_of(page, LEAD, page_no=2), page, ALL).drafts)


def test_long_lists_and_long_items_are_cut_and_the_cut_is_said() -> None:
    page = OnePage(LEAD + "".join(f"\n- item {number}" for number in range(MOST_ITEMS + 3)))
    layout = with_what_follows(layout_of(page, LEAD), page, ALL)
    assert sum(draft.is_led_in for draft in layout.drafts) == MOST_ITEMS
    assert layout.gaps == ("The list goes on: 3 more are on the page.",)
    (item,) = led_in(OnePage(f"{LEAD}\n\n{'word ' * LONGEST}"), LEAD)
    assert LONGEST - 10 < len(item) <= LONGEST


def test_what_is_led_in_stands_before_what_is_also_relevant() -> None:
    page = OnePage(f"{LEAD}\n- NULL\n- TEXT\n\nClasses are no types.")
    layout = with_what_follows(layout_of(page, LEAD, "Classes are no types."), page, ALL)
    claims = [
        Claim(
            text=draft.text,
            verdict=Verdict.SUPPORTED,
            citations=(
                Citation(
                    n=number,
                    document="d",
                    title="Types",
                    source="types.html",
                    version=1,
                    page=1,
                    start=draft.spans[0].start,
                    end=draft.spans[0].end,
                    quote=draft.spans[0].quote,
                ),
            ),
        )
        for number, draft in enumerate(layout.drafts, 1)
    ]
    text = render_text(layout, layout.drafts, claims, None)
    assert text == f"{LEAD} [1]\n- NULL [2]\n- TEXT [3]\n\nAlso relevant:\n\nClasses are no types. [4]"


def test_an_item_is_not_quoted_again_under_what_is_also_relevant() -> None:
    page = OnePage(f"{LEAD}\n- NULL, which is none.\n- TEXT\n\nClasses are no types.\n\nTEXT.")
    again = layout_of(page, LEAD, "- NULL, which is none.", "TEXT.")
    layout = with_what_follows(again, page, ALL)
    assert [draft.quote for draft in layout.drafts] == [LEAD, "NULL, which is none.", "TEXT"]
    assert layout.aside == ""
    kept = with_what_follows(layout_of(page, LEAD, "Classes are no types.", "TEXT"), page, ALL)
    assert [draft.quote for draft in kept.drafts][3:] == ["Classes are no types."]
    assert kept.aside


def test_an_item_that_was_the_best_sentence_stands_once_where_its_lead_is_also_relevant() -> None:
    page = OnePage(f"{LEAD}\n- NULL\n- TEXT")
    layout = with_what_follows(layout_of(page, "NULL", LEAD), page, ALL)
    assert [draft.quote for draft in layout.drafts] == ["NULL", LEAD, "TEXT"]

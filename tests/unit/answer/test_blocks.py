from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from core.answer.blocks import (
    LONGEST,
    MOST_ITEMS,
    continues,
    find_blocks,
    find_procedure,
    section_of,
    with_what_follows,
)
from core.answer.cite import Draft, Layout, render_text
from core.domain.answer import Citation, Claim, Verdict
from core.domain.document import Heading, Page
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.search.evidence.base import Evidence, Span
from core.search.query import QuestionAnalysis
from core.store.database.visibility import Visibility
from core.text.analyse import analyse_query
from tests.support.scored_sentences import scored


def _items(text: str, *headings: Heading) -> list[list[str]]:
    page = Page(1, text, headings)
    return [[text[start:end] for start, end in block.items] for block in find_blocks(page)]


def test_numbered_lines_become_items_without_what_follows() -> None:
    assert _items("Do:\n1. One\n   more\n2. Two\n\nAfter.") == [["1. One\n   more", "2. Two"]]


def test_steps_in_one_line_are_found() -> None:
    assert _items("Steps: 1. Open it. 2. Close it.") == [["1. Open it.", "2. Close it."]]


def test_the_word_step_counts_as_a_marker() -> None:
    assert _items("Step 1: Open it.\nStep 2: Close it.") == [["Step 1: Open it.", "Step 2: Close it."]]


def test_bullets_become_items_without_their_sign() -> None:
    assert _items("Bring:\n- a hammer\n- a nail\n") == [["a hammer", "a nail"]]


def test_an_item_ends_at_a_heading() -> None:
    text = "1. One\n2. Two\nNext\nOther words"
    assert _items(text, Heading(1, 14, 18, "Next")) == [["1. One", "2. Two"]]


def test_two_lists_are_two_blocks() -> None:
    assert len(_items("1. a\n2. b\n\nwords\n1. c\n2. d\n")) == 2


def test_one_number_alone_is_no_list() -> None:
    assert _items("Version 1. The first.") == []


def test_a_list_goes_on_where_the_next_page_counts_on() -> None:
    first = find_blocks(Page(1, "1. a\n2. b"))[0]
    following = continues(first, Page(2, "3. c\n4. d"))
    assert following is not None
    assert (following.first, following.last) == (3, 4)
    assert continues(first, Page(2, "Other words.\n1. x\n2. y")) is None


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    text = "Intro\nCare\nbody one\nMore\nbody two"
    page = Page(1, text, (Heading(1, 6, 10, "Care"), Heading(1, 20, 24, "More")))
    found = section_of(page, 12)
    assert found is not None
    assert (found[0], text[found[1][0] : found[1][1]]) == ("Care", "body one")
    assert section_of(page, 0) is None


def test_a_numbered_list_goes_on_after_one_that_is_indented_in_it() -> None:
    text = "1. Turn\n  1. left\n  2. right\n2. Close\n3. Lock\n"
    assert _items(text) == [
        ["1. Turn\n  1. left\n  2. right", "2. Close", "3. Lock"],
        ["1. left", "2. right"],
    ]


def test_a_bullet_ends_where_another_list_begins() -> None:
    text = "- Never touch it.\n- Wear gloves.\nTo open it:\n1. Turn it off.\n2. Lift the lid.\n"
    assert _items(text) == [["1. Turn it off.", "2. Lift the lid."], ["Never touch it.", "Wear gloves."]]


@dataclass
class OnePage:
    text: str
    titles: tuple[str, ...] = ()

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        places = [(self.text.index(title), title) for title in self.titles]
        return Page(
            1, self.text, tuple(Heading(2, start, start + len(title), title) for start, title in places)
        )


def steps(question: str, page: OnePage) -> list[str]:
    terms = analyse_query(question).terms
    rarity = {term: 2.0 for term, _ in terms}
    analysis = QuestionAnalysis(question, question, terms, (), rarity, np.zeros(3, np.float32))
    procedure = find_procedure(Evidence(analysis, (scored(page.text),), ()), page, Visibility.everything())
    return [step.quote for step in procedure.steps] if procedure else []


def test_under_one_heading_the_numbered_list_are_the_steps() -> None:
    text = (
        "Measuring current\nMind this:\n- Never measure current at 600 V.\n- Check the fuse.\n"
        "To measure:\n1. Turn it off.\n2. Break the circuit.\n"
    )
    found = steps("How do I measure current?", OnePage(text, ("Measuring current",)))
    assert found == ["1. Turn it off.", "2. Break the circuit."]


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Which side jobs are fine?", ["A job at night", "A side gig"]),
        ("Which side jobs are not fine?", ["A job by day", "A side firm"]),
    ],
)
def test_what_is_not_to_be_done_is_told_from_what_is(question: str, items: list[str]) -> None:
    text = "Fine\n- A job at night\n- A side gig\n\nNot fine\n- A job by day\n- A side firm\n"
    assert steps(question, OnePage(text, ("Fine", "Not fine"))) == items


LEAD = "A value has one of these classes:"
ALL = Visibility.everything()


@dataclass
class LedInPage:
    text: str
    headings: tuple[Heading, ...] = ()

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        if page_no != 1:
            raise NotFoundError("There is no such page.")
        return Page(1, self.text, self.headings)


def layout_of(page: LedInPage, *quotes: str, page_no: int = 1) -> Layout:
    drafts = []
    for quote in quotes:
        start = page.text.index(quote)
        span = Span(DocumentId("d"), 1, page_no, start, start + len(quote), quote, "Types", "types.html")
        drafts.append(Draft((span,)))
    return Layout(tuple(drafts), aside="Also relevant:")


def led_in(page: LedInPage, *quotes: str) -> list[str]:
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
    assert led_in(LedInPage(LEAD + after), LEAD) == items


def test_a_list_further_down_or_a_heading_is_not_led_in() -> None:
    heading = Heading(2, len(LEAD) + 2, len(LEAD) + 8, "Limits")
    assert led_in(LedInPage(f"{LEAD}\n\nLimits\n\n- one\n- two", (heading,)), LEAD) == []
    whole = "Nothing is led in."
    assert led_in(LedInPage(f"{whole}\n- one\n- two"), whole) == []
    page = LedInPage(f"{LEAD}\n- one\n- two")
    assert not any(d.is_led_in for d in with_what_follows(layout_of(page, LEAD, page_no=2), page, ALL).drafts)


def test_long_lists_and_long_items_are_cut_and_the_cut_is_said() -> None:
    page = LedInPage(LEAD + "".join(f"\n- item {number}" for number in range(MOST_ITEMS + 3)))
    layout = with_what_follows(layout_of(page, LEAD), page, ALL)
    assert sum(draft.is_led_in for draft in layout.drafts) == MOST_ITEMS
    assert layout.gaps == ("The list goes on: 3 more are on the page.",)
    (item,) = led_in(LedInPage(f"{LEAD}\n\n{'word ' * LONGEST}"), LEAD)
    assert LONGEST - 10 < len(item) <= LONGEST


def test_what_is_led_in_stands_before_what_is_also_relevant() -> None:
    page = LedInPage(f"{LEAD}\n- NULL\n- TEXT\n\nClasses are no types.")
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
    page = LedInPage(f"{LEAD}\n- NULL, which is none.\n- TEXT\n\nClasses are no types.\n\nTEXT.")
    again = layout_of(page, LEAD, "- NULL, which is none.", "TEXT.")
    layout = with_what_follows(again, page, ALL)
    assert [draft.quote for draft in layout.drafts] == [LEAD, "NULL, which is none.", "TEXT"]
    assert layout.aside == ""
    kept = with_what_follows(layout_of(page, LEAD, "Classes are no types.", "TEXT"), page, ALL)
    assert [draft.quote for draft in kept.drafts][3:] == ["Classes are no types."]
    assert kept.aside


def test_an_item_that_was_the_best_sentence_stands_once_where_its_lead_is_also_relevant() -> None:
    page = LedInPage(f"{LEAD}\n- NULL\n- TEXT")
    layout = with_what_follows(layout_of(page, "NULL", LEAD), page, ALL)
    assert [draft.quote for draft in layout.drafts] == ["NULL", LEAD, "TEXT"]

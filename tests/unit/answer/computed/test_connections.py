"""Drafts of answers on ways between two names: what is told, cited, and said to be missing."""

from __future__ import annotations

from core.answer.computed.connections import NOTHING, compose_connections
from core.domain.answer import Citation
from core.domain.results import ConnectedStep, ConnectedWay, Connections, Documents


def _cited(quote: str) -> Citation:
    return Citation(
        n=1, document="d", title="T", source="t", version=1, page=1, start=0, end=len(quote), quote=quote
    )


def _way(*steps: tuple[str, float]) -> ConnectedWay:
    made = tuple(
        ConnectedStep(text=text, probability=sure, citations=(_cited(text[:4]),)) for text, sure in steps
    )
    return ConnectedWay(names=("ACME", "Order", "Beta"), steps=made)


def test_each_step_has_a_line_on_its_words_and_a_way_stands_as_one() -> None:
    ways = (_way(("Order names ACME", 0.9), ("Order names Beta", 0.6)), _way(("Note names ACME", 0.9)))
    draft = compose_connections(
        Connections(one="ACME", other="Beta", ways=ways, documents=Documents(present=frozenset({"d"})))
    )

    assert draft.lead.text == "ACME is connected with Beta by Order. 1 further way below."
    assert [(line.label, line.chain) for line in draft.lines] == [("Way 1", 1), ("", 1), ("Way 2", 2)]
    assert all(line.spans for line in (draft.lead, *draft.lines))
    assert draft.confidence == 0.6


def test_that_nothing_connects_them_is_told_with_what_was_searched() -> None:
    documents = Documents(absent=frozenset({"a", "b"}))
    draft = compose_connections(
        Connections(
            one="ACME",
            other="Beta",
            others=("ACME Two",),
            documents=documents,
            searched=7,
            longest=8,
            left_out={"numbers": 3},
        )
    )

    assert "no way of 8 steps or fewer over 2 documents and 7 connections" in draft.lead.text
    assert draft.ledger is not None
    assert (draft.ledger.scope, draft.ledger.present) == (2, 0)
    assert draft.gaps == ("The names could mean others, too: ACME Two.", "3 numbers are left out.")
    assert draft.confidence == NOTHING

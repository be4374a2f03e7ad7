from __future__ import annotations

from core.domain.trust.permission import Action, PolicyDecision, PolicyRequest, Trait, deed_words, refusal

SUM = PolicyRequest(Action.QUERY, frozenset({Trait.FINANCIAL_AGGREGATE}))


def test_a_refusal_says_what_why_which_role_and_whom_to_ask() -> None:
    error = refusal("ann", SUM, PolicyDecision(False, (), ("finance_read",)))

    assert error.message == (
        "'ann' may not ask this: it computes over amounts of money, and the role 'finance_read' is lacking."
    )
    assert error.next_step == "Ask an admin of this workbench for the role 'finance_read'."
    assert error.lacking == ("finance_read",)


def test_a_refusal_that_no_role_helps_says_so() -> None:
    error = refusal("ann", PolicyRequest(Action.CRAWL), PolicyDecision(False), "crawl sites")

    assert error.message == "'ann' may not crawl sites."
    assert error.next_step == "No role allows it."


def test_a_deed_in_a_row_of_a_table() -> None:
    assert deed_words(PolicyRequest(Action.CRAWL)) == "crawl sites"
    assert deed_words(SUM) == "ask where it computes over amounts of money"

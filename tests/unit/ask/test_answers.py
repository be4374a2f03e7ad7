"""What the kinds of questions are answered with."""

from __future__ import annotations

from core.domain.answer import Kind, Route, Status, Verdict
from tests.support.library import Library, ask


def test_a_lookup_quotes_the_sentence_that_answers(library: Library) -> None:
    answer = ask(library, "What is the notice period of the tenant?")
    assert (answer.status, answer.kind, answer.route) == (Status.ANSWERED, Kind.LOOKUP, Route.HYBRID)
    assert answer.claims[0].text == "The notice period is thirty days."
    assert answer.claims[0].verdict is Verdict.SUPPORTED
    assert answer.sources[0].title == "Warehouse lease"


def test_an_amount_that_is_asked_for_becomes_the_value(library: Library) -> None:
    answer = ask(library, "How much is the monthly rent?")
    assert answer.value is not None
    assert (answer.value.type, answer.value.value, answer.value.unit) == ("money", "4500.00", "USD")


def test_a_procedure_gives_every_step_in_order(library: Library) -> None:
    answer = ask(library, "Explain the maintenance steps of the cabinet")
    assert [claim.text for claim in answer.claims] == [
        "1. Switch off the cabinet.",
        "2. Clean the filters.",
        "3. Switch it on.",
    ]
    assert "2. Clean the filters. [2]" in answer.text


def test_a_count_over_the_collection_is_not_made_up(library: Library) -> None:
    answer = ask(library, "How many contracts are there about rent?")
    assert answer.status is Status.PARTIAL
    assert answer.value is None
    assert "nothing is counted here" in answer.text


def test_a_list_over_the_collection_names_the_documents_found(library: Library) -> None:
    answer = ask(library, "List every contract about the monthly rent")
    assert answer.status is Status.PARTIAL
    assert answer.table is not None
    assert len(answer.table.documents) == len(answer.table.rows)
    assert "there may be more" in answer.text


def test_a_comparison_has_a_line_for_each_document_of_a_side_that_states_it() -> None:
    library = Library()
    for at in range(1, 5):
        text = f"Between ACME and Rail {at}. Liability is capped at ${at}00 per incident. The price is $9."
        library.add(f"acme-{at}.txt", text, title=f"ACME deal {at}")
    library.add(
        "beta.txt", "Between Beta and Rail. Liability is capped at $900 per incident.", title="Beta deal"
    )
    answer = ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.status is Status.ANSWERED
    assert sorted(claim.text for claim in answer.claims) == [
        *(f"ACME: Liability is capped at ${at}00 per incident." for at in range(1, 5)),
        "Beta: Liability is capped at $900 per incident.",
    ]


def test_a_comparison_says_that_a_side_has_more_documents_than_are_shown() -> None:
    library = Library()
    for at in range(1, 12):
        text = f"Between ACME and Rail {at}. Liability is capped at ${at}00 per incident."
        library.add(f"acme-{at}.txt", text, title=f"ACME deal {at}")
    library.add(
        "beta.txt", "Between Beta and Rail. Liability is capped at $900 per incident.", title="Beta deal"
    )
    answer = ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.status is Status.PARTIAL
    assert [gap for gap in answer.gaps if "“ACME”" in gap]
    assert not [gap for gap in answer.gaps if "“Beta”" in gap]


def test_a_comparison_has_a_claim_for_each_subject() -> None:
    library = Library()
    library.add(
        "acme.txt", "Between ACME and Rail. Liability is capped at $100 per incident.", title="ACME deal"
    )
    library.add(
        "beta.txt", "Between Beta and Rail. Liability is capped at $900 per incident.", title="Beta deal"
    )
    answer = ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.kind is Kind.COMPARISON
    assert [claim.text for claim in answer.claims] == [
        "ACME: Liability is capped at $100 per incident.",
        "Beta: Liability is capped at $900 per incident.",
    ]
    assert answer.table is not None
    assert [row[0] for row in answer.table.rows] == ["ACME", "Beta"]


def test_a_comparison_with_one_side_missing_says_so() -> None:
    library = Library()
    library.add(
        "acme.txt", "Between ACME and Rail. Liability is capped at $100 per incident.", title="ACME deal"
    )
    answer = ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.status is Status.PARTIAL
    assert "Nothing was found for “Beta”" in answer.text


def test_documents_that_state_different_values_are_all_given_by_title() -> None:
    library = Library()
    library.add("acme.txt", "The notice period is thirty days.", title="ACME lease")
    library.add("beta.txt", "The notice period is ninety days.", title="Beta lease")
    answer = ask(library, "What is the notice period?")
    assert answer.value is None
    assert {claim.text.split(":")[0] for claim in answer.claims} == {"ACME lease", "Beta lease"}
    assert "More than one document" in answer.text


def test_the_same_words_with_other_figures_in_another_document_are_another_answer() -> None:
    library = Library()
    library.add("finance.txt", "1. The hotel allowance is GBP 140 per night.", title="Travel policy")
    library.add("staff.txt", "4. The hotel allowance is GBP 165 per night.", title="Handbook")
    answer = ask(library, "What is the hotel allowance?")
    assert "More than one document" in answer.text


def test_a_name_that_stands_nowhere_is_an_abstention(library: Library) -> None:
    answer = ask(library, "What is the notice period of the Zenith contract?")
    assert answer.status is Status.ABSTAINED
    assert any("Zenith" in gap for gap in answer.gaps)


def test_a_code_that_stands_nowhere_is_an_abstention_that_names_it() -> None:
    library = Library()
    library.add("as-400.txt", "The AS-400 panel weighs 21.3 kg and is 600 mm deep.", title="AS-400")
    answer = ask(library, "What does the AS-600 panel weigh?")
    assert answer.status is Status.ABSTAINED
    assert answer.gaps[0] == "AS-600"
    assert ask(library, "What does the AS 400 panel weigh?").status is Status.ANSWERED


def test_what_was_paid_in_all_is_not_summed_from_the_best_passages() -> None:
    library = Library()
    library.add("a.txt", "Total paid for tires: $796.00.", title="Receipt A")
    library.add("b.txt", "Total paid for tires: $967.00.", title="Receipt B")
    answer = ask(library, "What is the total paid for tires?")
    assert answer.status is Status.PARTIAL
    assert "nothing is counted" in answer.text


def test_a_count_needs_a_number_beside_what_is_counted(library: Library) -> None:
    assert ask(library, "How many tenants pay for water?").status is Status.ABSTAINED


def test_a_clause_on_what_is_asked_comes_before_one_that_only_names_the_document() -> None:
    library = Library()
    text = (
        "This Supply Agreement is made between Orion and Vega as a supply agreement for rail fasteners. "
        "This Agreement is governed by the law of Delaware."
    )
    library.names = (library.add("supply.txt", text, title="Supply Agreement"),)
    answer = ask(library, "Which law governs the supply agreement?")
    assert answer.claims[0].text == "This Agreement is governed by the law of Delaware."


def test_evidence_that_lacks_the_thing_asked_for_is_shown_as_the_closest_only() -> None:
    library = Library()
    for at in range(4):
        library.add(f"{at}.txt", f"This agreement {at} is made by Orion as the supplier.", title=f"Deal {at}")
    answer = ask(library, "Who is the treasurer of Orion?")
    assert answer.status is Status.ABSTAINED
    assert "treasurer" in answer.gaps


def test_a_summary_states_the_price_and_the_end_of_the_term() -> None:
    library = Library()
    parts = [f"The tenant shall keep area {at} of the building clean and dry." for at in range(9)]
    text = " ".join([*parts, "The lease expires on December 1, 2024.", *parts[::-1], "The rent is $180,000."])
    library.names = (library.add("lease.txt", text, title="Warehouse lease"),)
    answer = ask(library, "Summarize the warehouse lease")
    assert "December 1, 2024" in answer.text
    assert "180,000" in answer.text

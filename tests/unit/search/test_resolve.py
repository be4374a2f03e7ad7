from __future__ import annotations

import pytest

from core.domain.ids import DocumentId
from core.search.names import NamesIndex, VisibleNames
from core.search.resolve import Resolution, resolve
from core.store.database.visibility import Visibility
from core.store.documents.names import Opening

ORDINARY = "this agreement says that the supplier shall pay a fee when the term of the agreement ends"


def make(*documents: tuple[str, str]) -> NamesIndex:
    names = NamesIndex()
    filler = [(f"agreement_{number}.txt", f"The {ORDINARY}. The Supplier pays.") for number in range(20)]
    for source, opening in [*documents, *filler]:
        names.add([Opening(DocumentId(source), "default", source, "", (), opening)])
    return names


def ask(names: NamesIndex, question: str, groups: frozenset[str] | None = None) -> Resolution:
    return resolve(question, names if groups is None else VisibleNames(names, Visibility(groups)))


@pytest.mark.parametrize(
    "question",
    [
        'Consider "Fiverr"\'s privacy policy; who can see which tasks I hire workers for?',
        "What does Fiverr collect?",
        "In the Fiverr policy, who can see my tasks?",
        "what does fiverr collect about me",
    ],
)
def test_a_document_named_by_its_file_is_found_however_it_is_written(question: str) -> None:
    names = make(("privacy/Fiverr.txt", "Fiverr collects data."), ("privacy/Groupon.txt", "Groupon does."))
    assert ask(names, question).documents == ("privacy/Fiverr.txt",)


def test_a_name_glued_together_in_a_file_name_is_found_by_its_words() -> None:
    names = make(
        ("AlliedEsportsEntertainmentInc_2019_License.txt", "x"), ("BUFFALOWILDWINGSINC-EX-10.txt", "x")
    )
    assert ask(names, "What does Allied Esports owe?").documents[0].startswith("Allied")
    assert ask(names, "What does Buffalo Wild Wings owe?").documents[0].startswith("BUFFALO")


def test_a_party_on_the_first_page_names_the_document() -> None:
    names = make(("scan17.txt", "Agreement between Zephyrion GmbH and the Customer"))
    assert ask(names, "When does the Zephyrion contract end?").documents == ("scan17.txt",)


def test_a_misspelt_name_is_found() -> None:
    names = make(("policies/Wordscapes.txt", "Wordscapes"))
    assert ask(names, "What does Wordscpaes collect?").documents == ("policies/Wordscapes.txt",)


def test_a_product_code_is_found_as_it_is_written() -> None:
    names = make(
        ("battery_cabinet_B-120_manual.txt", "Maintenance"), ("battery_cabinet_B-150_manual.txt", "x")
    )
    found = ask(names, "Explain the maintenance steps for battery cabinet B-120.")
    assert found.documents == ("battery_cabinet_B-120_manual.txt",)


@pytest.mark.parametrize(
    "question",
    [
        "When does the agreement end?",
        "which supplier shall pay a fee",
        "WHAT IS THE TERM OF THE AGREEMENT",
        "Who is President of France?",
        "",
        "???",
    ],
)
def test_a_question_without_a_name_resolves_to_nothing(question: str) -> None:
    found = ask(make(("privacy/Fiverr.txt", "Fiverr collects data.")), question)
    assert found == Resolution((), False, question)


def test_a_name_that_a_document_has_only_in_part_is_not_its_name() -> None:
    names = make(("notes.txt", "Union Dental Holdings agrees"))
    assert ask(names, "What did she say in the Union Parliament Budget Speech?").documents == ()


def test_two_documents_that_fit_equally_are_ambiguous() -> None:
    names = make(("Kiromic_consulting.txt", "Kiromic"), ("Kiromic_venture.txt", "Kiromic"))
    found = ask(names, "When does the Kiromic contract end?")
    assert found.is_ambiguous
    assert set(found.documents) == {"Kiromic_consulting.txt", "Kiromic_venture.txt"}


def test_a_name_of_many_documents_names_none() -> None:
    names = make(*[(f"Kiromic_{number}.txt", "Kiromic") for number in range(6)])
    assert ask(names, "When does the Kiromic contract end?").documents == ()


def test_a_comparison_names_both_documents() -> None:
    names = make(("Fiverr.txt", "Fiverr"), ("Groupon.txt", "Groupon"))
    found = ask(names, "Compare what Fiverr and Groupon collect")
    assert set(found.documents) == {"Fiverr.txt", "Groupon.txt"}


def test_a_name_joined_to_a_name_of_many_documents_is_not_searched_first() -> None:
    names = make(("Beta.txt", "Beta"), *[(f"ACME_{number}.txt", "ACME") for number in range(7)])
    assert ask(names, "Compare liability caps between ACME and Beta Corp").documents == ()
    assert ask(names, "What is the liability cap of Beta Corp?").documents == ("Beta.txt",)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ('Consider "Fiverr"\'s privacy policy; who sees my tasks?', "who sees my tasks?"),
        ('Consider "Fiverr: Hire, Sell"\'s policy; who sees my tasks?', "who sees my tasks?"),
        ("In the Fiverr policy, who sees my tasks?", "who sees my tasks?"),
        ("According to Fiverr, Inc., who sees my tasks?", "who sees my tasks?"),
        ("Who sees my tasks at Fiverr?", "Who sees my tasks at?"),
        ("Fiverr", "Fiverr"),
        ("From what day does Fiverr ship, and who pays?", "From what day does ship, and who pays?"),
    ],
)
def test_the_name_is_taken_out_of_the_question(question: str, left: str) -> None:
    assert ask(make(("Fiverr.txt", "Fiverr: Hire, Sell, Thrive.")), question).stripped == left


def test_codes_and_common_words_of_a_first_page_stay_in_the_question() -> None:
    text = "Transport Order 55124\nArticle | Unit price\nHX-30 | 9.50"
    names = make(("transport_order_55124.txt", text), ("other.txt", "x"))
    left = ask(
        names, "What unit price and mode of transport has article HX-30 in transport order 55124?"
    ).stripped
    assert left == "What unit price and mode of transport has article HX-30 in?"


def test_a_document_that_may_not_be_seen_is_neither_found_nor_makes_a_name_ambiguous() -> None:
    names = make(("Fiverr.txt", "Fiverr collects data."))
    names.add([Opening(DocumentId("hidden"), "default", "Fiverr_secret.txt", "", ("legal",), "Fiverr")])
    outsider = ask(names, "What does Fiverr collect?", groups=frozenset({"sales"}))
    insider = ask(names, "What does Fiverr collect?", groups=frozenset({"legal"}))
    assert outsider.documents == ("Fiverr.txt",)
    assert not outsider.is_ambiguous
    assert set(insider.documents) == {"Fiverr.txt", "hidden"}


def test_a_scope_of_buckets_or_documents_holds_for_names_too() -> None:
    names = make(("Fiverr.txt", "Fiverr collects data."))
    question = "What does Fiverr collect?"
    others = VisibleNames(names, Visibility.everything().within(["other"]))
    assert resolve(question, others).documents == ()
    assert resolve(question, names, documents=(DocumentId("x"),)).documents == ()


FILINGS = tuple(
    (f"{name}_{year}_10K.txt", "x") for name in ("NIKE", "NETFLIX") for year in (2018, 2019, 2021)
)


def test_of_several_papers_of_one_name_the_year_of_the_question_names_one() -> None:
    names = make(*FILINGS)
    found = ask(names, "How much total current assets did Nike have at the end of FY2019?")
    assert found.documents == ("NIKE_2019_10K.txt",)
    assert ask(names, "How did sales change as of FY2019?").documents == ()


def test_the_words_of_a_period_name_no_further_document() -> None:
    names = make(("VERIZON_2022_10K.txt", "x"), ("ADBE 10-K FY22.txt", "x"))
    found = ask(names, "Is Verizon a capital intensive business based on FY 2022 data?")
    assert found.documents == ("VERIZON_2022_10K.txt",)
    assert found.stripped == "Is a capital intensive business based on FY 2022 data?"


def test_a_year_beside_a_name_is_left_in_the_question() -> None:
    names = make(("AMAZON_2017_10K.txt", "x"))
    assert ask(names, "What is Amazon's FY2017 net income?").stripped == "What is FY2017 net income?"

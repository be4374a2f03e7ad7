from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.analyse import LONGEST_TERM, analyse, analyse_query, passage_terms, text_terms
from tests.support.indexed import indexed


def test_words_are_folded_and_stemmed() -> None:
    assert analyse("Obligations of the Café, naïve Ångströms") == [
        "oblig",
        "of",
        "the",
        "cafe",
        "naiv",
        "angstrom",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("B-120", "B120"),
        ("B-120", "B 120"),
        ("non-compete", "noncompete"),
        ("non-compete", "non compete"),
        ("U.S.", "US"),
        ("AT&T", "ATT"),
        ("O'Neil", "ONeil"),
        ("O’Neil", "O'Neil"),
        ("FY2023", "FY 2023"),
        ("10kg", "10 kg"),
        ("JavaScript", "Java Script"),
        ("WhitesmokeInc", "Whitesmoke Inc"),
        ("Straße", "strasse"),
        ("ﬁling", "filing"),
        ("ＡＢＣ", "abc"),
        ("EX‑10.26", "EX-10.26"),
        ("company’s", "company"),
        ("obli\u00adgation", "obligation"),
        ("72,000\u00b2", "72,000"),
        ("m\u00b2", "m2"),
        ("CO\u2082", "CO2"),
        ("flows\u00b9", "flows"),
        ("\ufee3\ufeae\ufea3\ufe92\ufe8e", "\u0645\u0631\u062d\u0628\u0627"),
    ],
)
def test_two_ways_of_writing_one_thing_share_a_term(one: str, other: str) -> None:
    assert set(analyse(one)) & set(analyse(other))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("$1,250.00", ["1250"]),
        ("1250", ["1250"]),
        ("1,250.50", ["1250.5"]),
        ("3.50%", ["3.5"]),
        ("10.2.1", ["10.2.1"]),
        ("12/31/2024", ["12", "31", "2024"]),
        ("1,2,3", ["1", "2", "3"]),
        ("10\u2075", ["10", "5"]),
        ("and/or", ["and", "or"]),
        ("LM317T", ["lm317t", "lm", "317", "t"]),
        ("東京都", ["東京", "京都"]),
        ("snake_case_name", ["snakecasenam", "snake", "case", "name"]),
        ("________", []),
        ("", []),
        (" — … \t", []),
        ("\ud800", []),
    ],
)
def test_numbers_codes_and_other_scripts(text: str, terms: list[str]) -> None:
    assert analyse(text) == terms


def test_a_long_run_of_characters_is_cut_alike_everywhere() -> None:
    (term,) = analyse("x" * 500)
    assert len(term) == LONGEST_TERM
    assert analyse("x" * 400) == [term]


def test_stop_and_question_words_are_dropped_from_a_question() -> None:
    query = analyse_query("What is the termination fee, and who pays it?")
    assert [term for term, _ in query.terms] == ["termin", "fee", "pay"]


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert [term for term, _ in analyse_query("Who is it?").terms] == ["who", "is", "it"]


def test_an_acronym_that_looks_like_a_stop_word_is_kept() -> None:
    assert [term for term, _ in analyse_query("the IT budget of WHO").terms] == ["it", "budget", "who"]


def test_pieces_of_a_compound_weigh_half() -> None:
    assert dict(analyse_query("pump B-120").terms) == {"pump": 1.0, "b120": 1.0, "b": 0.5, "120": 0.5}


def test_things_that_are_only_enumerated_weigh_one_each() -> None:
    assert dict(analyse_query("rent/lease,fees").terms) == {"rent": 1.0, "leas": 1.0, "fee": 1.0}


def test_pairs_of_unspaced_scripts_weigh_one_each() -> None:
    assert dict(analyse_query("東京都").terms) == {"東京": 1.0, "京都": 1.0}


def test_quoted_runs_become_phrases_with_their_stop_words() -> None:
    query = analyse_query('define "force of law" and “Change of Control” or "alone"')
    assert query.phrases == (("forc", "of", "law"), ("chang", "of", "control"))


def test_an_empty_question_looks_for_nothing() -> None:
    assert analyse_query(" ?! ").terms == ()


def test_a_passage_is_found_by_file_name_title_section_and_text_in_this_order() -> None:
    one = indexed(1, "in/acme_beta.txt", "body text", title="Lease", section=("Terms", "Fees"))
    assert passage_terms(one.stored) == ["acm", "beta", "leas", "term", "fee", "bodi", "text"]


def test_a_file_name_that_says_the_same_as_the_title_counts_once() -> None:
    one = indexed(1, "in/acme_lease.txt", "body", title="Acme lease")
    assert passage_terms(one.stored) == ["acm", "leas", "bodi"]


@given(st.text(max_size=200))
def test_any_text_gives_clean_terms_and_a_question_finds_them(text: str) -> None:
    terms = analyse(text)
    assert all(term and not any(char.isspace() for char in term) for term in terms)
    assert all(len(term) <= 4 * LONGEST_TERM for term in terms)
    assert {term for term, _ in analyse_query(text).terms} <= set(terms)
    " ".join(terms).encode()


def test_many_threads_get_the_same_stems() -> None:
    words = [
        f"{stem}{ending}" for stem in ("comput", "negoti", "terminat") for ending in ("ing", "ed", "ions")
    ]
    words = [word + "abcdefgh"[i] * j for word in words for i in range(8) for j in range(3)]
    expected = {word: analyse(word) for word in words}
    other = [word.capitalize() for word in words]
    found: list[bool] = []

    def work() -> None:
        found.append(all(analyse(word)[0] == expected[word.lower()][0] for word in other))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4


def test_terms_of_a_text_leave_out_stop_words_and_keep_figures_whole() -> None:
    assert text_terms("Which of the contracts cap 100,000 USD?") == {"contract", "cap", "100000", "usd"}
    assert text_terms("of the") == frozenset()

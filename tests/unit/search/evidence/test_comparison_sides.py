"""Whose a sentence is in a comparison."""

from __future__ import annotations

from core.search.evidence.comparison_sides import best_of_parts, sides_of
from tests.support.scored_sentences import scored


def test_a_row_of_another_side_is_never_said_of_this_one() -> None:
    fourth, fifth = sides_of(["T-4", "T-5"])
    row = scored("T-5 | 4 bar | 90 °C", title="Valves T-4 and T-5")

    assert not fourth.may_be_of(row)
    assert fifth.may_be_of(row)


def test_a_side_without_a_word_of_its_own_takes_what_does_not_name_the_other() -> None:
    special, ordinary = sides_of(["RBU vacuum", "the VACUUM"])
    of_special = scored("An RBU vacuum needs less space than VACUUM.", title="The RBU extension")
    of_ordinary = scored("VACUUM needs twice the size of the file.", title="The RBU extension")

    assert ordinary.may_be_of(of_ordinary)
    assert not ordinary.may_be_of(of_special)
    assert special.may_be_of(of_special)


def test_a_sentence_that_names_no_side_is_of_its_documents_side() -> None:
    halden, brightwater = sides_of(["Halden", "Brightwater"])
    sentence = scored("The notice period is 30 days.", title="Halden supply agreement")

    assert halden.may_be_of(sentence)
    assert not brightwater.may_be_of(sentence)


def test_each_part_of_the_topic_has_its_best_sentence_once() -> None:
    space = scored("It needs less disk space.")
    both = scored("It needs more CPU.")

    assert best_of_parts("disk space and CPU", [space, both]) == (space, both)
    assert best_of_parts("disk space", [space, both]) == ()

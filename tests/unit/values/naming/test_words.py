"""Words of names."""

from __future__ import annotations

from core.values.naming.words import folded, humps, initials, key_of, name_words


def test_signs_case_accents_and_possessives_do_not_matter() -> None:
    assert folded("Reynolds'") == "reynolds"
    assert folded("S.p.A.") == "spa"
    assert folded("Nestlé’s") == "nestle"
    assert folded("AT&T") == "att"


def test_forms_of_a_word_share_a_key() -> None:
    assert key_of("Services") == key_of("service")


def test_words_joined_by_a_dash_are_several_and_know_it() -> None:
    words = name_words("Co-Branding deal, St. Helier")

    assert [word.written for word in words] == ["Co", "Branding", "deal", "St", "Helier"]
    assert [word.joined for word in words] == [False, True, False, False, False]


def test_a_slash_parts_names() -> None:
    assert [word.key for word in name_words("Reynolds/IBM")] == [key_of("reynolds"), "ibm"]


def test_capitals_inside_a_word_part_it() -> None:
    assert humps("PlanetCAD") == ("Planet", "CAD")
    assert humps("Sonos") == ()


def test_initials_need_two_words() -> None:
    assert initials(["johns", "hopkins", "university"]) == "jhu"
    assert initials(["ibm"]) == ""

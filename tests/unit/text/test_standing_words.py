from __future__ import annotations

from core.text.standing_words import StandingWords


def test_the_place_is_that_of_the_characters_as_they_are_written() -> None:
    text = "Ｄｉｅ Mu\u0308hle im oﬃziellen Um-\nland"
    for words, written in (("muhle", "Mu\u0308hle"), ("offiziellen", "oﬃziellen"), ("umland", "Um-\nland")):
        place = StandingWords(words).find(text)
        assert place is not None
        assert text[slice(*place)] == written
    assert StandingWords("land").find(text) is None

from __future__ import annotations

import pytest

from core.text import standing_words
from core.text.standing_words import StandingWords


def test_the_place_is_that_of_the_characters_as_they_are_written() -> None:
    text = "Ｄｉｅ Mu\u0308hle im oﬃziellen Um-\nland"
    for words, written in (("muhle", "Mu\u0308hle"), ("offiziellen", "oﬃziellen"), ("umland", "Um-\nland")):
        place = StandingWords(words).find(text)
        assert place is not None
        assert text[slice(*place)] == written
    assert StandingWords("land").find(text) is None


def test_the_place_in_a_long_page_is_found_by_folding_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[int] = []
    monkeypatch.setattr(standing_words, "folded", lambda text: times.append(len(text)) or text.lower())
    page = "Rent is due. " * 5_000 + "The Gate Valve opens."
    words = StandingWords("gate valve")
    times.clear()

    start, end = words.find(page) or (0, 0)

    assert page[start:end] == "Gate Valve"
    assert len(times) == 1

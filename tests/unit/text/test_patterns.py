from core.text.patterns import is_within


def test_numbers_are_within_a_text_as_a_whole() -> None:
    whole = {text: is_within("14", text) for text in ("arrival 14", "14-0033", "114", "140")}
    assert whole == {"arrival 14": True, "14-0033": True, "114": False, "140": False}
    assert (is_within("a-3", "a-31"), is_within("rent", "rental")) == (False, True)

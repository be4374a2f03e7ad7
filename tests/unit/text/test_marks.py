from core.text.marks import blanked, kind_at, lowered, mark, quoted, raised, tick


def test_a_mark_says_its_kind_and_holds_no_bracket_of_its_text() -> None:
    assert mark("deleted", "EUR [old]\n1,900 ") == "[deleted: EUR (old) 1,900]"
    assert mark("comment", "check", "by Ada: L]") == "[comment by Ada L): check]"
    assert mark("footnote", " \n ") == ""
    assert (tick(True), tick(False)) == ("[x]", "[ ]")


def test_digits_set_above_or_below_are_not_glued_to_those_before() -> None:
    assert [raised(each) for each in ("5", "-6", "th", "*")] == ["⁵", "⁻⁶", "th", "*"]
    assert "CO" + lowered("2") == "CO₂"


def test_blanked_text_has_neither_deletions_nor_comments_and_every_offset_stays() -> None:
    text = "Crane: [deleted: EUR 1,900] EUR 1,450 [comment by Ada: why?] per day [footnote 2: net]"
    valid = blanked(text)
    assert len(valid) == len(text)
    assert valid.split() == ["Crane:", "EUR", "1,450", "per", "day", "[footnote", "2:", "net]"]
    assert valid.index("1,450") == text.index("1,450")


def test_the_mark_of_a_place() -> None:
    text = "New date: 3 May.\n" + quoted("Old date:\n\n1 May.") + "\n[header: Draft] and [deleted: 4 May]"
    places = {words: text.index(words) for words in ("3 May", "1 May", "Draft", "4 May", " and ")}
    kinds = {words: kind_at(text, start, start + len(words)) for words, start in places.items()}
    expected = {"3 May": None, "1 May": "quoted", "Draft": "header", "4 May": "deleted", " and ": None}
    assert kinds == expected

from core.text import marks
from core.text.marks import blanked, chosen, kind_at, kinds_named, lowered, mark, quoted, raised, tick
from core.text.sentences import split_sentences


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


def test_a_long_deletion_is_several_marks_and_no_sentence_ends_within_one() -> None:
    long = mark("deleted", "The fee is nine crowns. " * 40)
    assert blanked(long).strip() == ""
    assert long.count("[deleted: ") > 1
    text = "Rate: [deleted: The rate is 4. It falls.] The rate is 5. It rises."
    pieces = [text[start:end] for start, end in split_sentences(text)]
    assert pieces == ["Rate: [deleted: The rate is 4. It falls.] The rate is 5.", "It rises."]


def test_heads_of_mails_and_labels_are_told_from_what_they_lead_to() -> None:
    text = "From: Ada <ada@mill.example>\nDate: Tue, 4 Jun 2024\nSubject: Silo\n\nLining: rubber\nWidth:"
    kinds = [kind_at(text, text.index(each), len(text)) for each in ("Date", "Lining", "Width:")]
    assert kinds == ["head", None, "label"]


def test_a_question_names_the_kinds_that_answer_it() -> None:
    assert "head" in kinds_named("Who sent the offer?")
    assert "deleted" in kinds_named("Which fee was deleted?")
    assert not kinds_named("When is the silo delivered?")
    assert blanked("[deleted: 4]", kinds_named("Which rate was struck?")) == "[deleted: 4]"


def test_the_head_of_a_mail_is_one_sentence() -> None:
    text = "From: Ada\nTo: Ben\nDate: 4 June 2024\n\nThe silo is ready. Pay now."
    assert [text[start:end] for start, end in split_sentences(text)][1:] == ["The silo is ready.", "Pay now."]


def test_the_names_of_columns_are_a_label_and_their_rows_are_not() -> None:
    text = "Guide\n\nCity | Limit\nPorto | EUR 120\nTurin | EUR 130"
    assert [kind_at(text, text.index(row), text.index(row) + len(row)) for row in text.split("\n")[2:]] == [
        "label",
        None,
        None,
    ]


def test_typed_words_that_look_like_a_mark_are_told_apart() -> None:
    typed = "[deleted: 900] [comment by Bo: 800] [x] [a: b] [comment]: # (why)"
    said = marks.plain(typed)
    assert said == "[ deleted: 900] [ comment by Bo: 800] [x] [a: b] [comment]: # (why)"
    assert marks.blanked(said) == said


def test_of_a_form_only_what_is_ticked_is_read_and_every_offset_stays() -> None:
    text = "Seals:\n[ ] wax\n[x] lead\nBy: [ ] post [x] courier | [x] |"
    valid = chosen(text)
    assert len(valid) == len(text)
    assert valid.split() == ["Seals:", "lead", "By:", "courier", "|", "[x]", "|"]
    assert chosen("the [ ] day of May") == "the [ ] day of May"

"""Changed paragraphs and words of two texts, and places of words in a text that has changed."""

from hypothesis import given
from hypothesis import strategies as st

from core.domain.evidence_change import TextPart
from core.domain.span import PageSpan
from core.text.paragraph_diff import changed_paragraphs, holding, paragraphs, paragraphs_of, place_of

OLD = "Limits\n\nThe limit is 40 users.\n\nPrices are in euros.\n\nCall us."
NEW = "Limits\n\nThe limit is 60 users.\n\nPrices are in euros.\n\nWrite to the help desk."


def test_a_changed_word_is_told_from_those_that_stayed() -> None:
    first, *_ = changed_paragraphs(paragraphs(1, OLD), paragraphs(1, NEW))
    assert first.parts == (
        TextPart("same", "The limit is "),
        TextPart("removed", "40"),
        TextPart("added", "60"),
        TextPart("same", " users."),
    )
    assert (first.before, first.now) == ("The limit is 40 users.", "The limit is 60 users.")


def test_paragraphs_that_share_nothing_are_one_gone_and_one_new() -> None:
    _, gone, new = changed_paragraphs(paragraphs(1, OLD), paragraphs(1, NEW))
    assert (gone.before, gone.now, gone.after_page) == ("Call us.", "", None)
    assert (new.before, new.now, new.before_page) == ("", "Write to the help desk.", None)


def test_the_cited_paragraph_comes_first() -> None:
    old = paragraphs(1, OLD)
    start = OLD.index("Call")
    cited = holding(old, PageSpan(1, start, start + 7))
    first, second, _ = changed_paragraphs(old, paragraphs(1, NEW), cited)
    assert (first.before, first.is_cited, second.is_cited) == ("Call us.", True, False)


def test_other_line_breaks_are_no_change() -> None:
    assert (
        changed_paragraphs(paragraphs(1, "One\ntwo.\n\nThree."), paragraphs(1, "One two.\n\n\n Three.")) == []
    )


def test_a_paragraph_put_between_others_is_the_only_change() -> None:
    now = OLD.replace("Prices", "Discounts end in May.\n\nPrices")
    (only,) = changed_paragraphs(paragraphs(1, OLD), paragraphs(1, now))
    assert only.now == "Discounts end in May."


def test_lines_are_paragraphs_where_nothing_parts_them() -> None:
    assert [each.text for each in paragraphs(1, "a b\nc d\n")] == ["a b", "c d"]


def test_words_are_found_whatever_the_line_breaks_and_first_on_the_near_page() -> None:
    texts = {1: "the limit is 40", 2: "x the\nlimit  is 40 users"}
    assert place_of("the limit is 40", texts, 2) == PageSpan(2, 2, 18)
    assert place_of("the limit is 40", texts, 1) == PageSpan(1, 0, 15)


def test_words_are_not_found_within_longer_ones() -> None:
    for text in ("$5,000,000", "$5,0001", "$15,000"):
        assert place_of("5,000" if text == "$15,000" else "$5,000", {1: text}, 1) is None
    assert place_of("$5,000", {1: "pays $5,000."}, 1) is not None
    assert place_of("", {1: "text"}, 1) is None


_TEXTS = st.lists(st.sampled_from(["a b c", "a b d", "e f g h", "i", "j k\nl"]), max_size=8).map("\n\n".join)


@given(_TEXTS, _TEXTS)
def test_old_and_new_text_can_be_put_together_again(old: str, new: str) -> None:
    before, now = paragraphs_of({1: old}), paragraphs_of({1: new})
    found = changed_paragraphs(before, now)
    removed = [each.before for each in found if each.before]
    added = [each.now for each in found if each.now]
    old_keys, new_keys = [each.key for each in before], [each.key for each in now]
    for key in removed:
        old_keys.remove(key)
    for key in added:
        new_keys.remove(key)
    assert sorted(old_keys) == sorted(new_keys)

"""Places that are named by their number, in questions and in texts."""

from __future__ import annotations

import pytest

from core.text.headings import find_headings
from core.text.numbered import PlaceNumber, find_places, read_place_number

ITEMS = "\n(a) for each event;\n(b) in all years together."
TEXT = """Contents
3.2 Limits ........ 9

3. Liability

3.1 The Seller is liable for damage.

3.2 It pays at most EUR 80,000:
(a) for each event;
(b) in all years together.

3.20 Claims lapse.

13.2 Something else.

If clause
3.2 is breached, the Buyer may leave.

4. Law

The law of Chile applies.
[footnote 2: As amended in 2031.]
[footnote 12: Not in force.]
3 tonnes were delivered.
"""


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("What does clause 3.2 say?", PlaceNumber("clause", "3.2")),
        ("What is the cap in Section 3.2(b) (ii) of the lease?", PlaceNumber("clause", "3.2", ("b", "ii"))),
        ("What does § 7 say?", PlaceNumber("clause", "7")),
        ("What does Article iv provide?", PlaceNumber("clause", "IV")),
        ("What is said under item 2.1?", PlaceNumber("clause", "2.1")),
        ("What does footnote 12 say?", PlaceNumber("footnote", "12")),
        ("What does note 3 say?", PlaceNumber("footnote", "3")),
        ("What does endnote ii say?", PlaceNumber("endnote", "ii")),
        ("What is the price of item 3?", None),
        ("How do clause 3.1 and clause 3.2 differ?", None),
        ("What does the liability clause say?", None),
        ("What does the article in the paper say?", None),
        ("Which notes of 2031 are due?", None),
    ],
)
def test_a_question_names_one_place_or_none(question: str, reference: PlaceNumber | None) -> None:
    assert read_place_number(question) == reference


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (PlaceNumber("clause", "3.1"), "3.1 The Seller is liable for damage."),
        (PlaceNumber("clause", "3.2"), f"3.2 It pays at most EUR 80,000:{ITEMS}"),
        (PlaceNumber("clause", "3.2", ("b",)), "(b) in all years together."),
        (PlaceNumber("clause", "3.20"), "3.20 Claims lapse."),
        (PlaceNumber("clause", "4"), "4. Law\n\nThe law of Chile applies."),
        (PlaceNumber("footnote", "2"), "[footnote 2: As amended in 2031.]"),
        (PlaceNumber("clause", "3.2", ("c",)), None),
        (PlaceNumber("clause", "2"), None),
        (PlaceNumber("endnote", "2"), None),
    ],
)  # fmt: skip
def test_a_number_counts_whole_and_its_place_ends_at_the_next(
    reference: PlaceNumber, words: str | None
) -> None:
    found = [TEXT[start:end] for start, end in find_places(reference, TEXT, find_headings(TEXT))]

    expected = [] if words is None else [words]
    assert [each.split("\n[footnote")[0] if each[0] != "[" else each for each in found] == expected


def test_a_clause_that_holds_others_is_given_with_them() -> None:
    ((start, end),) = find_places(PlaceNumber("clause", "3"), TEXT, find_headings(TEXT))

    assert TEXT[start:end].startswith("3. Liability\n\n3.1 The Seller")
    assert "3.20 Claims lapse." in TEXT[start:end]
    assert "13.2" not in TEXT[start:end]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("6", "6. Law\n\n6.1 The law of Peru applies:\n\n(a) in [deleted: one] all courts;\n\n(b) at sea."),
        ("6.1", "6.1 The law of Peru applies:\n\n(a) in [deleted: one] all courts;\n\n(b) at sea."),
        ("5.1", "5.1 The fee is due in May.\n\nIt is paid in cash."),
    ],
)
@pytest.mark.parametrize("behind", ["The deposit is EUR 4.", "[deleted: Gone.]", "Hall | Rent\n7 | 18", ""])
def test_the_last_of_its_series_ends_with_its_own_items(number: str, words: str, behind: str) -> None:
    text = (
        "5.1 The fee is due in May.\n\nIt is paid in cash.\n\n6. Law\n\n6.1 The law of Peru applies:\n\n"
        f"(a) in [deleted: one] all courts;\n\n(b) at sea.\n\n{behind}"
    )
    ((start, end),) = find_places(PlaceNumber("clause", number), text)

    assert text[start:end] == words


def test_words_before_a_number_are_part_of_its_label() -> None:
    text = "Article II. Term\nFive years.\nArticle III. Law\nThat of Peru."

    assert [text[slice(*place)] for place in find_places(PlaceNumber("clause", "II"), text)] == [
        "Article II. Term\nFive years."
    ]


def test_hostile_text_takes_no_time() -> None:
    for piece in (
        "1." * 50_000,
        "3.2\n" * 50_000,
        "section " * 30_000,
        "(a) " * 50_000,
        "[footnote 2" * 20_000,
        *(f"3.2 Fees {leader * 20_000} x" for leader in (".", " ", "\t")),
        "§" * 20_000,
    ):
        assert len(find_places(PlaceNumber("clause", "3.2", ("a",)), piece)) <= 50_000
        assert len(find_places(PlaceNumber("clause", "3.2"), piece[:30_000])) <= 50_000
        read_place_number(piece[:20_000])


def test_an_entry_of_a_table_of_contents_ends_in_its_number() -> None:
    entries = "3. Fees ..... 7\n4. Term\t9\n"
    assert find_places(PlaceNumber("clause", "3"), entries + "\n3. Fees ..... 12 a day") == [(27, 49)]
    assert find_places(PlaceNumber("clause", "4"), entries) == [(16, 25)]

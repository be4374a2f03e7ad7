"""What the bench of growing collections counts as right, and how it divides and arranges documents."""

from __future__ import annotations

from bench.collapse.collection import arranged
from bench.collapse.judging import is_right, recall
from bench.collapse.pieces import LEAST, MOST, Piece, divide
from bench.collapse.questions import CollapseQuestion
from bench.retrieval.scores import Place

GOLD = (Place("lease.txt", 10, 60), Place("rider.txt", 0, 40))
QUESTION = CollapseQuestion("Which law governs?", "cuad", GOLD, "New York")


def test_an_answer_is_right_by_its_place_and_its_words() -> None:
    said = "governed by the laws of NEW  YORK."
    assert is_right(QUESTION, [Place("lease.txt", 55, 90)], said)
    assert not is_right(QUESTION, [Place("lease.txt", 60, 90)], said)  # begins where the gold place ends
    assert not is_right(QUESTION, [Place("other.txt", 10, 60)], said)
    assert not is_right(QUESTION, [Place("lease.txt", 10, 60)], "governed by the laws of Newark")
    assert not is_right(QUESTION, [], said)


def test_recall_is_the_share_of_gold_places_among_the_first_eight() -> None:
    others = [Place("other.txt", 0, 9)] * 7
    assert recall(QUESTION, [*others, Place("lease.txt", 0, 20), Place("rider.txt", 0, 9)]) == 0.5


def test_pieces_hold_all_words_and_know_where_they_stood() -> None:
    text = "  \n".join(f"Sentence {n} says that the tenant pays {n} dollars each month." for n in range(200))
    pieces = divide("cuad/lease", "Lease", text)
    assert "".join("".join(piece.body for piece in pieces).split()) == "".join(text.split())
    assert all(LEAST <= len(piece.body) <= MOST for piece in pieces[:-1])
    last = pieces[-1]
    at = text.index("199 dollars")
    assert last.text[last.place(at) :].startswith("199 dollars")


def test_copies_of_what_answers_are_left_out_and_small_collections_begin_large_ones() -> None:
    words = "the laws of the state of new york govern this lease and all riders that belong to it"
    texts = {
        "lease.txt": words,
        "copy.txt": f"Also: {words}.",
        "rider.txt": "r" * 40,
        "tax.txt": "Taxes are due.",
    }
    pieces = [Piece(path, path, 0, len(text), "", text) for path, text in texts.items()]
    ordered = [piece.path for piece in arranged(pieces, [QUESTION])]
    assert ordered == ["lease.txt", "rider.txt", "tax.txt"]

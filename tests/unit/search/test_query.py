from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.index.base import Filter, IndexBatch, TermFrequencies
from core.search.query import MAX_COUNTED, MAX_TERMS, MAX_TOKENS, analyse_question, encode_question
from tests.support.hashed_encoder import HashedEncoder
from tests.support.indexed import DIMENSION, SIGNATURE, indexed
from tests.support.memory_engine import Memory, MemoryEngine

NOTHING = np.zeros(DIMENSION, np.float32)


class CountingEngine(MemoryEngine):
    """Remembers how many terms it was asked to count."""

    def __init__(self) -> None:
        super().__init__(Memory(SIGNATURE))
        self.counted = 0

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        self.counted += len(terms)
        return super().document_frequencies(terms, within)


def test_a_query_of_thousands_of_terms_has_few_of_them_counted_and_fewer_searched() -> None:
    engine = CountingEngine()
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 4_000)))

    analysis = analyse_question(text, text, NOTHING, engine)

    assert engine.counted == MAX_COUNTED
    assert len(analysis.terms) == MAX_TERMS


def test_in_few_passages_a_word_of_all_of_them_weighs_about_as_much_as_one_of_none() -> None:
    engine = CountingEngine()
    engine.apply(IndexBatch(1, frozenset(["d"]), (indexed(1, "d", "tank"),)))
    few = analyse_question("tank depth", "tank depth", NOTHING, engine)
    assert few.idf["tank"] > few.idf["depth"] / 2 > 0


def test_the_rarest_terms_are_kept_in_the_order_of_the_question() -> None:
    engine = CountingEngine()
    words = [f"q{chr(97 + number // 26)}{chr(97 + number % 26)}zz" for number in range(MAX_TERMS + 10)]
    known = tuple(indexed(number, f"d{number}", word) for number, word in enumerate(words[:10], start=1))
    engine.apply(IndexBatch(1, frozenset(one.stored.passage.document for one in known), known))

    analysis = analyse_question(" ".join(words), " ".join(words), NOTHING, engine)

    assert [term for term, _ in analysis.terms] == words[10:]


def test_a_vector_is_made_of_all_of_an_english_query_and_of_the_opening_of_a_chinese_one() -> None:
    encoder = HashedEncoder()
    english, chinese = "rent " * 800, "租" * 4_000

    encode_question([english, chinese, ";" * 4_000], "", encoder)

    assert encoder.queries == [english, "租" * MAX_TOKENS, ";" * MAX_TOKENS]

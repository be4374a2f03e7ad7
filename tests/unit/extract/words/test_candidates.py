from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.config.field_words import WordedField, definition_of_words
from core.domain.certainty.guess import guesses_of
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import CellStatus, FieldType, Finding
from core.domain.passage import Matrix
from core.extract.words.candidates import candidate_of, decide, find_in_words
from core.extract.words.head import WORDS, WordHead
from core.extract.words.learning import words_extractor
from core.extract.words.ranking import SIGNS
from core.extract.words.units import units_of
from tests.support.worded import FIELD, document, ranked


def test_a_value_is_read_in_its_sentence() -> None:
    found = candidate_of(ranked(), 0, FIELD, 0.8)

    assert FIELD.type is FieldType.DURATION
    assert found.value is not None
    assert found.value.text == "P1Y"
    assert found.spans[0].quote == "twelve months"


def test_vectors_bring_up_a_sentence_that_shares_no_word() -> None:
    text = "The company makes pumps for it.\n\nEither side can walk away at any moment.\n\nPrices are fixed."
    spans, rows = [], []
    for sentence, vector in zip(text.split("\n\n"), np.eye(3, dtype=np.float32), strict=True):
        start = text.index(sentence)
        spans.append((1, start, start + len(sentence)))
        rows.append(vector)
    vectors = SentenceVectors(np.array(spans), np.array(rows))

    def encode(texts: Sequence[str]) -> Matrix:
        return np.repeat(np.eye(3, dtype=np.float32)[1:2], len(texts), axis=0)

    field = definition_of_words(WordedField("Termination", "The contract may be ended without cause"))
    extractor = words_extractor(field)
    assert extractor is not None
    read = document(text)
    found = find_in_words(units_of(read, vectors), read, field, extractor, vectors, encode)

    assert found.status is CellStatus.UNCERTAIN
    assert "walk away" in found.candidates[0].spans[0].quote


def test_nothing_is_decided_before_the_verdicts() -> None:
    found = decide(ranked(), FIELD, None)

    assert found.status is CellStatus.UNCERTAIN
    assert "nobody" in found.note


def test_a_yes_is_no_guess_before_verdicts_bear_it_out() -> None:
    field = FIELD.model_copy(update={"type": FieldType.BOOLEAN})
    ready = {"verdicts": 24, "stated": 12, "log_loss": 0.4}

    def found(figures: dict[str, float] | None) -> Finding:
        head = WordHead(np.zeros(len(SIGNS)), np.zeros(0), np.zeros(WORDS), 0.0, figures=figures or {})
        return decide(ranked(field=field), field, None if figures is None else head)

    for few in (None, {**ready, "verdicts": 8, "stated": 4}, {**ready, "log_loss": 0.7}, {"verdicts": 24}):
        open_ = found(few)
        assert (open_.status, open_.confidence, guesses_of(open_)) == (CellStatus.UNCERTAIN, 0.0, ())
        assert open_.note.startswith("Not known yet")
        assert all(each.value is None and each.spans for each in open_.candidates)
    assert guesses_of(found(ready))[0].probability == 0.5

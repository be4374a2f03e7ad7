from __future__ import annotations

from pathlib import Path

import pytest

from core.encode.tokens import WordPieceCounter
from core.errors import EncoderError

TEXT = "The Supplier's liability (in total) is capped at $500,000. Zürich, naïve café."


def test_the_window_leaves_room_for_the_special_tokens(counter: WordPieceCounter) -> None:
    assert counter.window == 254


def test_offsets_point_at_the_words_of_the_text(counter: WordPieceCounter) -> None:
    pieces = [TEXT[start:end] for start, end in counter.offsets(TEXT)]

    assert pieces[:5] == ["The", "Supplier", "'", "s", "liability"]
    assert "".join(pieces) == TEXT.replace(" ", "")


def test_a_text_far_over_the_window_is_not_cut(counter: WordPieceCounter) -> None:
    text = "word " * 3000

    assert counter.offsets(text)[-1] == (14995, 14999)


@pytest.mark.parametrize("text", ["", "   ", "\n\t "])
def test_a_blank_text_has_no_tokens(counter: WordPieceCounter, text: str) -> None:
    assert counter.offsets(text) == []


def test_ids_and_places_are_of_equal_length(counter: WordPieceCounter) -> None:
    (found,) = counter.tokens([TEXT])

    assert len(found) == len(found.starts) == len(found.ends)
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == counter.offsets(TEXT)


def test_a_folder_without_a_tokenizer_is_refused_with_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"tokenizer\.json") as caught:
        WordPieceCounter.load(tmp_path)

    assert "encode.model" in caught.value.next_step

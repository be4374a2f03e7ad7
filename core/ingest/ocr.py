"""Reads lines off the image of a page: RapidOCR, whose models come with its package, on the CPU.

The package is an extra. It is imported with the first page, in a child process (`core.ingest.ocr_job`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Any, Protocol

from core.domain.span import Box
from core.errors import InputError, UsageError
from core.processes.extra import Extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXTRA = Extra("ocr", "rapidocr_onnxruntime")
HOW_TO_GET = "Press “Read scans” on the page Settings, or install it with: pip install -e '.[ocr]'"
_LEAST_CONFIDENCE = 0.5
_DETECT_PX = 1_280  # the longer side of the image in which lines are looked for
_RECOGNISE_PX = 48  # the height that the recognition model takes
_LEAST_CONTRAST = 20
_GAP_RANGE = (0.16, 0.45)  # of a line's height: between the gaps of letters and those of words
_TOWARDS_WORDS = 0.5  # where a gap parts words: so far from the mean gap of letters to that of words
_PAD = 3


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A piece of text on an image, its rectangle in fractions of the image, and how sure it is (0 to 1)."""

    text: str
    box: Box
    confidence: float


class LineReader(Protocol):
    """Finds lines of text on an image."""

    def read(self, image: bytes) -> list[FoundLine]:
        """The lines of a JPEG, in no promised order; [] where there are none."""
        ...


def is_installed() -> bool:
    """True where pages can be read here; cheap, imports nothing."""
    return EXTRA.is_installed


def require_ocr() -> None:
    """Raises UsageError, which says how to get it, where it is not installed."""
    if not is_installed():
        raise UsageError("Text recognition is not installed.", next_step=HOW_TO_GET)


class RapidReader:
    """The package's own detection and recognition models, upright text, one thread.

    One thread: two of them on busy cores wait for each other in busy loops and take longer than one. Lines
    are cut at the gaps between words before they are recognised: the model, made for Chinese, leaves out
    most blanks of a whole English line.
    """

    def __init__(self) -> None:
        from rapidocr_onnxruntime import RapidOCR

        self._engine: Any = RapidOCR(
            intra_op_num_threads=1,
            inter_op_num_threads=1,
            det_limit_side_len=_DETECT_PX,
            det_limit_type="max",
            rec_img_shape=[3, _RECOGNISE_PX, 2 * _RECOGNISE_PX],
        )

    def read(self, image: bytes) -> list[FoundLine]:
        """See LineReader."""
        from io import BytesIO

        import numpy as np
        from PIL import Image

        with Image.open(BytesIO(image)) as opened:
            pixels = np.ascontiguousarray(np.asarray(opened.convert("RGB"))[:, :, ::-1])
        height, width = pixels.shape[:2]
        try:
            found, _ = self._engine.text_det(pixels)
            if found is None or not len(found):
                return []
            corners = self._engine.sorted_boxes(found)
            crops = self._engine.get_crop_img_list(pixels, corners)
            places = [cut_words(crop.mean(axis=2)) for crop in crops]
            words = [
                crop[:, max(0, start - _PAD) : end + _PAD]
                for crop, spans in zip(crops, places, strict=True)
                for start, end in spans
            ]
            texts, _ = self._engine.text_rec(words) if words else ([], 0.0)
        except (RuntimeError, ValueError, ArithmeticError, IndexError) as error:
            raise InputError(
                f"Text recognition failed ({type(error).__name__}).",
                source="the page",
                next_step="Look at the page image.",
            ) from error
        read = iter(texts)
        lines = [(box, [next(read) for _ in spans]) for box, spans in zip(corners, places, strict=True)]
        joined = (_line(_box(box, width, height), parts) for box, parts in lines)
        return [each for each in joined if each is not None]


def cut_words(grey: NDArray[np.floating[Any]]) -> list[tuple[int, int]]:
    """Columns [start, end) of the words of a line's image, from left to right; dark text on light or reverse.

    A gap between words is wider than those between letters: where the widths of a line's gaps fall into two
    groups they are parted between them, else by the height of the line.
    """
    import numpy as np

    height = grey.shape[0]
    low, high = np.percentile(grey, (2, 98))
    if high - low < _LEAST_CONTRAST:
        return [(0, grey.shape[1])]
    ink = grey < (low + high) / 2
    if ink.mean() > 0.5:
        ink = ~ink
    columns = np.flatnonzero(ink.any(axis=0))
    if not len(columns):
        return []
    steps = np.diff(columns)
    gaps = steps[steps > 1] - 1
    least = _word_gap(sorted(int(gap) for gap in gaps), height)
    cuts = np.flatnonzero(steps - 1 >= least)
    starts = [int(columns[0]), *(int(columns[cut + 1]) for cut in cuts)]
    ends = [*(int(columns[cut]) + 1 for cut in cuts), int(columns[-1]) + 1]
    return list(zip(starts, ends, strict=True))


def _word_gap(gaps: list[int], height: int) -> float:
    """From which width a gap parts words: where the sorted widths fall best into two groups, within bounds.

    Source: Otsu 1979, threshold of the greatest variance between two classes.
    """
    low, high = _GAP_RANGE[0] * height, _GAP_RANGE[1] * height
    widths = [min(float(gap), high) for gap in gaps]
    best, at = -1.0, (low + high) / 2
    for index, (one, two) in enumerate(pairwise(widths), start=1):
        mean = fmean(widths[:index])
        apart = fmean(widths[index:]) - mean
        variance = index * (len(widths) - index) * apart * apart
        if two > one and variance > best:
            # Not just above the widest gap of letters: a "1" stands in more room than other digits.
            best, at = variance, max((one + two) / 2, mean + _TOWARDS_WORDS * apart)
    return min(max(at, low), high)


def _line(box: Box, parts: list[tuple[str, float]]) -> FoundLine | None:
    """A line of its words; None where hardly any of it could be read."""
    words = [(text.strip(), float(score)) for text, score in parts if text.strip()]
    total = sum(len(text) for text, _ in words)
    confidence = sum(len(text) * score for text, score in words) / total if total else 0.0
    if confidence < _LEAST_CONFIDENCE:
        return None
    return FoundLine(" ".join(text for text, _ in words), box, confidence)


def _box(corners: Any, width: int, height: int) -> Box:
    across = [min(1.0, max(0.0, float(x) / width)) for x, _ in corners]
    down = [min(1.0, max(0.0, float(y) / height)) for _, y in corners]
    return Box(min(across), min(down), max(across), max(down))

"""Captions of images: an alternative text that stands beside its image is not read twice."""

from __future__ import annotations

from typing import Any

_MOST_STEPS = 6


def is_captioned(image: Any, alternative: str) -> bool:
    """True where the caption, a neighbour or the link of an image already says its alternative text.

    Only the nearest text is looked at: an alternative that a paragraph further on repeats is kept.
    """
    wanted = _flat(alternative)
    if not wanted:
        return False
    element = image
    for _ in range(_MOST_STEPS):
        parent = element.getparent()
        if parent is None:
            return False
        if parent.tag in ("figure", "picture"):
            captions = parent.iter("figcaption")
            if any(_says(_text_of(caption, 10 * len(alternative) + 500), wanted) for caption in captions):
                return True
        beside = (_before(element), element.tail or "", *_neighbours(element))
        if any(_flat(text) == wanted for text in beside):
            return True
        if any(text.strip() for text in beside):
            return False
        element = parent
    return False


def _says(caption: str, wanted: str) -> bool:
    """True where a caption is the alternative text, or has it as its first or last words."""
    flat = _flat(caption)
    return flat == wanted or f" {flat} ".startswith(f" {wanted} ") or f" {flat} ".endswith(f" {wanted} ")


def _before(element: Any) -> str:
    before = element.getprevious()
    text = element.getparent().text if before is None else before.tail
    return text or ""


def _neighbours(element: Any) -> tuple[str, ...]:
    limit = 2_000
    return tuple(
        _text_of(each, limit) for each in (element.getprevious(), element.getnext()) if each is not None
    )


def _text_of(element: Any, limit: int) -> str:
    """The text in an element, no more than a little over `limit` characters of it."""
    pieces: list[str] = []
    length = 0
    for piece in element.itertext():
        pieces.append(piece)
        length += len(piece)
        if length > limit:
            break
    return "".join(pieces)


def _flat(text: str) -> str:
    """Words alone, in lower case."""
    return " ".join("".join(each if each.isalnum() else " " for each in text.casefold()).split())

"""Page images of plain text, as a typewriter would set it: where every character stands is known."""

from __future__ import annotations

import io
import re

from PIL import Image, ImageDraw, ImageFont

from core.domain.span import Box

LINE_CHARS, LINES = 80, 50
LEFT, TOP = 0.09, 0.06
CHAR_WIDTH, LINE_HEIGHT = 0.00993, 0.018


def draw(text: str, width_px: int) -> bytes:
    """The page as a JPEG."""
    image = Image.new("RGB", (width_px, int(width_px * 1.414)), "white")
    canvas, font = ImageDraw.Draw(image), ImageFont.truetype("DejaVuSansMono.ttf", int(width_px * 0.0165))
    for start, end, box in _lines(text):
        canvas.text((box.x0 * image.width, box.y0 * image.height), text[start:end], "black", font=font)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()


def boxes(text: str, start: int, end: int) -> list[Box]:
    """Where the characters [start, end) stand, a box a line."""
    return [
        _part(line, box, max(start, line), min(end, stop))
        for line, stop, box in _lines(text)
        if start < stop and end > line
    ]


def words(text: str) -> list[tuple[str, Box]]:
    """Every word with its place."""
    return [
        (match.group(), _part(start, box, start + match.start(), start + match.end()))
        for start, end, box in _lines(text)
        for match in re.finditer(r"\S+", text[start:end])
    ]


def _lines(text: str) -> list[tuple[int, int, Box]]:
    found, at = [], 0
    for line in text.split("\n"):
        for start in range(at, at + max(1, len(line)), LINE_CHARS):
            top = TOP + LINE_HEIGHT * len(found)
            end = min(start + LINE_CHARS, at + len(line))
            found.append((start, end, Box(LEFT, top, LEFT + CHAR_WIDTH * (end - start), top + 0.015)))
        at += len(line) + 1
    return found[:LINES]


def _part(line: int, box: Box, start: int, end: int) -> Box:
    return Box(box.x0 + CHAR_WIDTH * (start - line), box.y0, box.x0 + CHAR_WIDTH * (end - line), box.y1)

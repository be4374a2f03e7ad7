"""The real models over a page that is drawn here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import reportlab
from PIL import Image, ImageDraw, ImageFont

from core.config.models import Settings
from core.ingest.ocr import HOW_TO_GET, is_installed
from core.ingest.ocr_pool import OcrPool

pytestmark = pytest.mark.live
LINES = ("This Agreement shall be governed by the laws of Delaware.", "The annual fee is $12,500.00.")


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[OcrPool]:
    if not is_installed():
        pytest.skip(f"Text recognition is not installed. {HOW_TO_GET}")
    made = OcrPool(Settings(home=tmp_path / "home"))
    yield made
    made.close()


def test_lines_are_read_word_by_word_where_they_stand(pool: OcrPool, tmp_path: Path) -> None:
    page = Image.new("RGB", (1700, 2200), "white")
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"), 32)
    for number, line in enumerate(LINES):
        draw.text((200, 400 + 200 * number), line, fill="black", font=font)
    page.save(tmp_path / "scan.pdf", "PDF", resolution=200)

    reading = pool.read(tmp_path / "scan.pdf", 1)

    assert reading.text.split("\n\n") == list(LINES)
    assert [round(line.box.y0 * 2200, -2) for line in reading.lines] == [400, 600]

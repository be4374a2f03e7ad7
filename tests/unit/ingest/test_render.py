from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image

from core.domain.document import PageSize
from core.errors import DeadlineError, InputError
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.ingest.render import PageRenderer
from core.ingest.render_process import find_boxes, find_words
from tests.support.files import pdf

TEXT = "# The Title\nFirst line of words.\nSecond line of words."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([TEXT]))
    return path


@pytest.fixture
def renderer() -> Iterator[PageRenderer]:
    made = PageRenderer(timeout_s=60)
    yield made
    made.close()


def test_a_page_is_drawn_at_the_width_asked_for(path: Path, renderer: PageRenderer) -> None:
    image = Image.open(io.BytesIO(renderer.jpeg(path, 1, 300)))
    assert image.format == "JPEG"
    assert image.width == pytest.approx(300, abs=1)
    assert renderer.size(path, 1) == pytest.approx((595.3, 841.9), abs=0.1)


def test_a_parsed_page_has_the_size_that_is_drawn(path: Path, renderer: PageRenderer) -> None:
    found = parse_file(path, "a.pdf", ParseLimits()).pages[0].size
    assert found == PageSize(*renderer.size(path, 1))


def test_a_file_that_cannot_be_drawn_leaves_the_renderer_at_work(path: Path, renderer: PageRenderer) -> None:
    broken = path.with_name("b.pdf")
    broken.write_bytes(b"%PDF-1.4 nothing")
    with pytest.raises(InputError, match="damaged"):
        renderer.jpeg(broken, 1)
    with pytest.raises(InputError, match="no page 9"):
        renderer.jpeg(path, 9)
    assert renderer.size(path, 1)[0] > 0


def test_a_span_gets_a_box_for_every_line_that_covers_its_words(path: Path) -> None:
    text = parse_file(path, "a.pdf", ParseLimits()).pages[0].text
    span = (text.index("line of"), text.index("words.", text.index("Second")) + 6)
    boxes = find_boxes(path, 1, [span], text)[0]
    words = find_words(path, 1)
    assert len(boxes) == 2
    assert boxes[0].y1 < boxes[1].y0
    first = next(box for word, box in words if word == "First")
    last = [box for word, box in words if word == "words."][-1]
    assert first.x1 < boxes[0].x0
    assert boxes[1].x1 == pytest.approx(last.x1, abs=0.001)


def test_words_come_in_order_within_the_page(path: Path) -> None:
    words = find_words(path, 1)
    assert [word for word, _ in words] == [
        "The",
        "Title",
        "First",
        "line",
        "of",
        "words.",
        "Second",
        "line",
        "of",
        "words.",
    ]
    assert all(0 <= box.x0 < box.x1 <= 1 and 0 <= box.y0 < box.y1 <= 1 for _, box in words)


def test_boxes_of_another_text_are_refused(path: Path) -> None:
    assert find_boxes(path, 1, [(0, 3)], "not this page") == [[]]


def test_a_page_that_takes_too_long_is_given_up_and_the_next_one_gets_another_child(path: Path) -> None:
    with closing(PageRenderer(timeout_s=0.0)) as hasty:
        for _ in range(2):
            with pytest.raises(DeadlineError, match="more than 0 s"):
                hasty.size(path, 1)


def test_a_closed_renderer_says_so(path: Path) -> None:
    renderer = PageRenderer()
    renderer.close()
    renderer.close()
    with pytest.raises(InputError, match="closed"):
        renderer.size(path, 1)

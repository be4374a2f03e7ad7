from __future__ import annotations

import pytest

from crawler.charset import decode_body

TEXT = "<p>Größe – façade ж</p>"
WEST = "<p>Größe façade</p>"


@pytest.mark.parametrize(
    ("body", "kind", "text", "is_kept"),
    [
        (b"<p>plain</p>", "text/html; charset=koi8-r", "<p>plain</p>", True),
        (TEXT.encode(), "text/html; charset=utf-8", TEXT, True),
        (TEXT.encode(), "text/html", TEXT, True),
        (TEXT.encode(), "text/html; charset=iso-8859-1", TEXT, True),
        (TEXT.encode(), "text/html; charset=nonsense", TEXT, True),
        (b"\xef\xbb\xbf" + TEXT.encode(), "text/html; charset=latin-1", TEXT, True),
        (WEST.encode("latin-1"), "text/html; charset=iso-8859-1", WEST, False),
        (WEST.encode("latin-1"), "text/html; charset=utf-8", WEST, False),
        (WEST.encode("latin-1"), "text/html", WEST, False),
        ("ж жизнь".encode("koi8-r"), "text/html; charset=koi8-r", "ж жизнь", False),
        (
            b'<meta charset="windows-1251">' + "жизнь".encode("cp1251"),
            "",
            '<meta charset="windows-1251">жизнь',
            False,
        ),
        (b'<meta charset="iso-8859-1">' + TEXT.encode(), "", '<meta charset="iso-8859-1">' + TEXT, False),
        (TEXT.encode("utf-16"), "text/html", TEXT, False),
        (TEXT.encode("utf-16-le"), "text/html", TEXT, False),
        ("日本".encode("shift_jis"), "text/html; charset=Shift_JIS", "日本", False),
        ("日本".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp", "日本", False),
    ],
)
def test_a_body_is_read_in_the_encoding_that_proves_right(
    body: bytes, kind: str, text: str, is_kept: bool
) -> None:
    decoded = decode_body(body, kind, is_html=True)

    assert decoded.text == text
    assert (decoded.data == body) is is_kept
    assert is_kept or decoded.data == b"\xef\xbb\xbf" + text.encode()


def test_a_declaration_inside_counts_only_in_html() -> None:
    body = b'<meta charset="windows-1251"> ' + "caf\u00e9 cr\u00e8me".encode("latin-1")

    assert "é" in decode_body(body, "text/plain", is_html=False).text

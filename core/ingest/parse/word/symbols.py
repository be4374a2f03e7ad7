"""Characters of fonts that draw signs in place of letters, such as Wingdings; boxes as ticks."""

from __future__ import annotations

from core.text.marks import tick

# Adobe's encoding of the Symbol font, 16 characters a row.
_SYMBOL = dict(
    enumerate(
        " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ",
        0x20,
    )
) | dict(
    enumerate(
        "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
        0xA0,
    )
)
_NO, _YES = tick(False), tick(True)
_WINGDINGS = {
    0x21: "✎", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x46: "☞", 0x4A: "☺", 0x4C: "☹",
    0x6C: "●", 0x6E: "■", 0x6F: _NO,
    0x70: _NO, 0x71: _NO, 0x72: _NO, 0x75: "◆", 0x76: "❖", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: _NO,
    0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗",
    0xFC: "✓", 0xFD: _YES, 0xFE: _YES,
} | {0x80 + digit: "⓪①②③④⑤⑥⑦⑧⑨⑩"[digit] for digit in range(11)} | {
    0x8B + digit: "⓿❶❷❸❹❺❻❼❽❾❿"[digit] for digit in range(11)
}  # fmt: skip
_FONTS: dict[str, dict[int, str]] = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": {
        0x4F: "✗", 0x50: "✓", 0x51: _YES, 0x52: _YES, 0x53: _YES, 0x54: _YES, 0x2A: _NO, 0xA3: _NO, 0x97: "●",
    },
    "wingdings 3": {0x22: "↑", 0x23: "↓", 0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x7D: "▶"},
    "webdings": {0x33: "◀", 0x34: "▶", 0x61: "✓", 0x63: _NO, 0x67: "■", 0x72: "✗"},
}  # fmt: skip
_BOXES = str.maketrans({"☐": _NO, "☑": _YES, "☒": _YES, "🗹": _YES, "🗷": _YES, "🗵": _YES})


def has_signs(font: str) -> bool:
    """True of a font, in lower case, whose letters show as signs."""
    return font in _FONTS


def sign(code: int, font: str) -> str | None:
    """The sign that a character of such a font shows. None for a sign without words, such as an ornament."""
    if font in _FONTS:
        return _FONTS[font].get(code & 0xFF)
    return chr(code) if 0x20 <= code < 0xD800 or 0xF900 <= code < 0xFFFE else None


def signs(text: str, font: str) -> str:
    """Text set in a font of signs, as it shows."""
    return "".join(char if char.isspace() else sign(ord(char), font) or "" for char in text)


def ticks(text: str) -> str:
    """Text with drawn boxes as `[x]` and `[ ]`."""
    return text if text.isascii() else text.translate(_BOXES)

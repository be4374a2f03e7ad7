"""The encoding of a text, told from its bytes, with the others that fit as well."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path

from core.domain.document import FilePart, PartState

_BLOCK = 1 << 20
_SAMPLE = 1 << 16
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# A long UTF-8 text with a few damaged bytes is still UTF-8; another encoding breaks far more often.
_TOLERATED_DAMAGE = 0.02
# Those that files come in; of the superset that Windows has for each (cp932 for Shift-JIS), not the subset.
_IN_USE = (
    *("cp932", "gb18030", "big5", "cp949", "euc-jp", "cp1252", "cp1251", "koi8-r", "koi8-u", "cp866"),
    *("cp1250", "iso8859-2", "cp852", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874"),
    *("cp437", "cp850", "mac-roman"),
)
_COMMON = re.compile("[\u3002\u3001\uff0c\u7684\u662f\u306e\u306f\u3092\u306b\uc774\ub2e4\ub294]")  # of CJK
_ESCAPED = re.compile(rb"\x1b\$[@B]|\x1b\([JI]")
_HIGH_WORD = re.compile(r"[^\s\x00-\x40\x5b-\x60\x7b-\x7f]*[^\x00-\x7f][^\s\x00-\x40\x5b-\x60\x7b-\x7f]*")
_CONTROLS = re.compile("[\x80-\x9f]")
_WITHIN = "'\u2019-\u2010\u2011\u00ad\u00b7/.&:,"
_CJK = frozenset(("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "IDEOGRAPHIC", "HALFWIDTH"))
_LATIN = frozenset(("LATIN", "FULLWIDTH"))
_TWICE = re.compile("[\u00c2\u00c3][\u0080-\u00bf\u0152-\u02dc]|\u00e2\u20ac")
_IMPLAUSIBLE = 0.04  # of the words with such letters
_COMMONEST = 0.6  # of the likeliest one's confidence, from which on few words are taken for cp1252
_FEW_WORDS = 6
_AS_LIKELY, _OF_FEW_WORDS = (
    0.75,
    0.4,
)  # of the likeliest one's confidence: from there on another encoding is a doubt


@dataclass(frozen=True, slots=True)
class TextEncoding:
    """A codec that reads a file with errors="replace". others: those that fit, and read it otherwise."""

    codec: str
    others: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """As people are told it: "gb18030, could also be big5"."""
        return f"{self.codec}, could also be {' or '.join(self.others)}" if self.others else self.codec


def detect_encoding(path: Path) -> str:
    """A codec that reads the whole file, with errors="replace"; found in blocks, never all at once."""
    return encoding_of(path).codec


def encoding_of(path: Path) -> TextEncoding:
    """The encoding of a file, by all its lines with other letters than those of ASCII."""
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
        if known := _known(head):
            return TextEncoding(known)
        file.seek(0)
        blocks = iter(lambda: file.read(_BLOCK), b"")
        sample, known = _sample(blocks)
    return TextEncoding(known) if known else _guess(sample)


def decode(data: bytes) -> str:
    """`data` as text; damaged bytes become U+FFFD."""
    known = _known(data[:_SAMPLE])
    if not known:
        sample, known = _sample([data])
        known = known or _guess(sample).codec
    return data.decode(known, "replace")


def character_parts(encoding: TextEncoding, texts: Sequence[str]) -> tuple[FilePart, ...]:
    """What is to be said of how characters were read: a doubt, damage, text that was encoded twice."""
    damaged = sum(text.count("\ufffd") for text in texts)
    twice = next((said for text in texts if (said := decoded_twice(text))), "")
    parts = []
    if encoding.others:
        parts.append(FilePart("characters", place=f"read as {encoding.label}"))
    if damaged:
        reason = f"The file has bytes that are no characters of {encoding.codec}."
        parts.append(FilePart("damaged characters", PartState.UNREAD, damaged, reason=reason))
    if twice:
        parts.append(FilePart("characters that were encoded twice", place=twice))
    return tuple(parts)


def decoded_twice(text: str) -> str:
    """A piece of the text that was encoded twice, with what it says: "GrÃ¶ÃŸe is Größe"; "" for none."""
    found = _TWICE.search(text)
    if found is None:
        return ""
    from ftfy import fix_encoding

    start = max(0, text.rfind("\n", 0, found.start()) + 1, found.start() - 40)
    piece = text[start : found.end() + 40].split("\n")[0].strip()
    meant = fix_encoding(piece)
    return f"{piece} is {meant}" if meant != piece else ""


def _known(head: bytes) -> str:
    """The codec that the beginning of a file says beyond doubt; "" else."""
    marked = next((name for mark, name in _BOMS if head.startswith(mark)), "")
    return marked or wide_encoding(head)


def wide_encoding(head: bytes) -> str:
    """UTF-16 without a mark: every zero byte belongs to a plain letter, on one side; "" for anything else.

    Text of the Far East may have no zero byte; its commonest signs tell it.
    """
    sample = head[: len(head) // 2 * 2][:4096]
    if len(sample) < 4:
        return ""
    sides = {"utf-16-le": (sample[1::2], sample[0::2]), "utf-16-be": (sample[0::2], sample[1::2])}
    for codec, (zeros, letters) in sides.items():
        plain = sum(not zero and letter > 8 for zero, letter in zip(zeros, letters, strict=True))
        is_wide = bool(plain) and plain == sample.count(0)
        if (is_wide or _is_wide_cjk(sample, codec)) and _is_text(sample, codec):
            return codec
    return ""


def _is_wide_cjk(sample: bytes, codec: str) -> bool:
    if sample.isascii():
        return False
    text = sample.decode(codec, "replace")
    return len(_COMMON.findall(text)) >= 0.02 * len(text)


def _is_text(sample: bytes, codec: str) -> bool:
    """True where a sample reads without a character that no text has."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return False
    kinds = [unicodedata.category(each) for each in text if each not in "\t\n\r\x0b\x0c\x1b"]
    return sum(kind in ("Cc", "Cn", "Co") for kind in kinds) <= 0.002 * len(text)


def _sample(blocks: Iterable[bytes]) -> tuple[bytes, str]:
    """Lines with bytes beyond ASCII, from all over the data; and its codec, where that is beyond doubt."""
    decoder, is_utf8, is_escaped = codecs.getincrementaldecoder("utf-8")(), True, False
    kept, rest = bytearray(), b""
    for block in chain(blocks, (b"",)):
        is_utf8 = is_utf8 and _goes_on(decoder, block)
        is_escaped = is_escaped or bool(_ESCAPED.search(block))
        *lines, rest = (rest + block).split(b"\n")
        if len(rest) > _BLOCK or not block:
            lines, rest = [*lines, rest], b""
        room = max(_SAMPLE // 16, _SAMPLE - len(kept))  # later blocks are heard, too
        kept += b"\n".join(_high(lines, room)) + b"\n"
    return bytes(kept[: 4 * _SAMPLE]), ("iso2022_jp" if is_escaped else "utf-8") if is_utf8 else ""


def _goes_on(decoder: codecs.IncrementalDecoder, block: bytes) -> bool:
    """True where a block, or the end for an empty one, goes on as UTF-8."""
    try:
        decoder.decode(block, final=not block)
    except UnicodeDecodeError:
        return False
    return True


def _high(lines: Iterable[bytes], room: int) -> Iterator[bytes]:
    for line in lines:
        if not line.isascii():
            yield line[:room]
            room -= len(line)
            if room <= 0:
                return


def _guess(sample: bytes) -> TextEncoding:
    text = sample.decode("utf-8", "replace")
    foreign = sum(byte >= 0x80 for byte in sample)
    broken = text.count("\ufffd")
    good = sum(ord(character) >= 0x80 for character in text) - broken
    if good > 4 * broken or (foreign and broken / max(1, len(text)) < _TOLERATED_DAMAGE and good > broken):
        return TextEncoding("utf-8")
    import chardet

    told = chardet.detect_all(sample[:_SAMPLE], ignore_threshold=True, include_encodings=_IN_USE)
    likely = {codecs.lookup(each["encoding"]).name: each["confidence"] for each in told if each["encoding"]}
    fitting = {codec: sure for codec, sure in likely.items() if _reads(sample, codec)}
    if not fitting:
        return TextEncoding("cp1252")
    best, *others = sorted(fitting, key=lambda codec: -fitting[codec])
    is_short = len(set(_HIGH_WORD.findall(sample.decode("latin-1")))) < _FEW_WORDS
    if is_short and fitting.get("cp1252", 0.0) >= _COMMONEST * fitting[best]:
        best, others = "cp1252", [codec for codec in fitting if codec != "cp1252"]
    as_read = sample.decode(best, "replace")
    doubts = {
        sample.decode(codec, "replace"): codec
        for codec in others
        if fitting[codec] >= (_OF_FEW_WORDS if is_short else _AS_LIKELY) * fitting[best]
    }
    doubts.pop(as_read, None)
    return TextEncoding(best, tuple(doubts.values())[:2])


def _reads(sample: bytes, codec: str) -> bool:
    """True where the words read have letters of one script each, and no signs within."""
    text = sample.decode(codec, "replace")
    words = _HIGH_WORD.findall(text)
    odd = sum(not _is_plausible(word) for word in words) + len(_CONTROLS.findall(text))
    return text.count("\ufffd") <= 0.01 * len(text) and odd <= _IMPLAUSIBLE * max(len(words), 1)


def _is_plausible(word: str) -> bool:
    """True of a word with letters of one script, signs at its ends only: neither "lΣuft" nor "l‰uft"."""
    scripts = {script for each in word if (script := _script(each))}
    if scripts & _CJK:
        return scripts <= _CJK | _LATIN
    inner = word.strip("".join(each for each in word if not each.isalpha()))
    is_whole = all(
        unicodedata.category(each)[0] in "LM" or each.isdecimal() or each in _WITHIN for each in inner
    )
    is_cased = not any(a.islower() and b.isupper() and ord(b) > 127 for a, b in pairwise(inner))
    return is_whole and is_cased and len(scripts) <= 1


@lru_cache(maxsize=10_000)
def _script(letter: str) -> str:
    """The script of a letter; "" of what is none."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    is_letter = letter.isalpha() and first not in ("MICRO", "FEMININE", "MASCULINE", "MODIFIER")
    return first if is_letter or first in _CJK else ""

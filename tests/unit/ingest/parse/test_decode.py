"""Encodings by evidence: those in use, those without a mark, damage, doubts, names in archives."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from core.domain.document import PartState
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.decode import decode, encoding_of, wide_encoding
from core.ingest.parse.text import parse_text
from core.ingest.parse.zips import entry_names

TEXTS = {
    "gb18030": "租赁合同自三月一日起生效，租期为五年。租金每月八千元，按季度支付。",
    "big5": "租賃合約自三月一日起生效，租期為五年。租金每月八千元，按季度支付。",
    "cp932": "注文番号,金額\nB-7,81400円\n契約は三月一日から有効です。支払いは月末とします。",
    "euc-jp": "契約は三月一日から有効です。支払いは月末とします。",
    "iso2022_jp": "契約は三月一日から有効です。",
    "cp949": "임대 계약은 삼월 일일부터 유효합니다. 임대료는 매월 팔백만 원입니다.",
    "cp1251": "Договор аренды действует с первого марта. Плата вносится ежемесячно.",
    "koi8-r": "Договор аренды действует с первого марта. Плата вносится ежемесячно.",
    "cp866": "Договор аренды действует с первого марта. Плата вносится ежемесячно.",
    "cp1250": "Nájemní smlouva platí od března. Nájemné se hradí měsíčně, kauce činí čtyři tisíce.",
    "cp1252": "Der Mietvertrag läuft fünf Jahre; die Gebühr beträgt 80 €, fällig zum Monatsende.",
    "cp1253": "Η μίσθωση ισχύει από τον Μάρτιο. Το μίσθωμα καταβάλλεται κάθε μήνα.",
    "cp1254": "Kira sözleşmesi mart ayında başlar. Ödemeler aylık yapılır; şartlar değişmez.",
    "cp1255": "חוזה השכירות תקף מחודש מרץ. דמי השכירות ישולמו מדי חודש.",
    "cp1256": "عقد الإيجار ساري المفعول من شهر مارس. يدفع الإيجار كل شهر.",
    "cp874": "สัญญาเช่ามีผลตั้งแต่เดือนมีนาคม ค่าเช่าชำระทุกเดือน",
    "utf-16-le": "租赁合同自三月起生效，租期为五年。租金每月八千元。",
    "utf-16-be": "Nájemní smlouva platí od března.",
    "utf-8": "Große Kräne, каждый год, 毎月。",
}


def file_of(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("codec", TEXTS)
@pytest.mark.parametrize("is_late", [False, True])
def test_a_text_is_read_as_it_was_written(tmp_path: Path, codec: str, is_late: bool) -> None:
    """is_late: the first letters beyond ASCII stand three megabytes into the file."""
    text = ("plain words only\n" * (180_000 if is_late and "16" not in codec else 0)) + TEXTS[codec]
    data = text.encode(codec)
    assert decode(data) == text
    found = encoding_of(file_of(tmp_path, data))
    assert data.decode(found.codec, "replace") == text


def test_where_two_encodings_fit_both_are_said(tmp_path: Path) -> None:
    parsed = parse_text(file_of(tmp_path, "Läufer".encode("cp1252")), "a.txt", ParseLimits())
    assert parsed.metadata["encoding"].startswith("cp1252, could also be ")
    assert [part.place for part in parsed.parts] == [f"read as {parsed.metadata['encoding']}"]
    assert not encoding_of(file_of(tmp_path, TEXTS["cp1251"].encode("cp1251"))).others


def test_a_few_bad_bytes_leave_a_text_utf_8_and_are_said(tmp_path: Path) -> None:
    data = ("Größe und Maß der Kräne. " * 40).encode() + b"\xff\xfe gr\xfcn " + "Länge. ".encode() * 40
    parsed = parse_text(file_of(tmp_path, data), "a.txt", ParseLimits())
    assert parsed.metadata["encoding"] == "utf-8"
    assert [(part.kind, part.state, part.count) for part in parsed.parts] == [
        ("damaged characters", PartState.UNREAD, 3)
    ]


def test_text_that_was_encoded_twice_is_kept_with_a_remark(tmp_path: Path) -> None:
    text = "Die Größe der Kräne".encode().decode("cp1252")
    parsed = parse_text(file_of(tmp_path, text.encode()), "a.txt", ParseLimits())
    assert parsed.pages[0].text == text
    assert [(part.kind, part.place) for part in parsed.parts] == [
        ("characters that were encoded twice", f"{text} is Die Größe der Kräne")
    ]


@pytest.mark.parametrize("data", [b"", b"a", b"\x00\x01" * 3_000, bytes(range(256)) * 20, b"/f" * 3_000])
def test_what_is_no_wide_text_is_not_taken_for_one(data: bytes) -> None:
    assert not wide_encoding(data)
    assert isinstance(decode(data), str)


@pytest.mark.parametrize(
    ("codec", "names"),
    [
        ("cp932", ["見積書.txt", "資料/一覧表.csv"]),
        ("cp866", ["отчёт.txt", "смета.txt"]),
        ("gb18030", ["合同/附件一.pdf", "报价单.xlsx"]),
        ("cp437", ["Größe Übersicht.txt"]),
        ("utf-8", ["Größe.txt", "plain.txt", "смета.txt"]),
    ],
)
def test_names_of_an_archive_are_read_without_the_flag(codec: str, names: list[str]) -> None:
    stand_ins = ["ABC"[at] * len(name.encode(codec)) for at, name in enumerate(names)]
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for stand_in in stand_ins:
            archive.writestr(stand_in, "x")
    data = target.getvalue()
    for stand_in, name in zip(stand_ins, names, strict=True):
        data = data.replace(stand_in.encode(), name.encode(codec))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        assert entry_names(entries) == names
        assert archive.read(entries[0]) == b"x"

from __future__ import annotations

import mailbox
import zlib
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from core.ingest.intake import IngestInput, expand
from core.ingest.parse.base import ParseLimits
from tests.support.files import archive, pdf
from tests.support.pdf_files import edited, with_files


def take(paths: list[Path], scratch: Path, limits: ParseLimits | None = None) -> list[IngestInput]:
    return list(expand(paths, limits or ParseLimits(), scratch))


def zipped(folder: Path, files: dict[str, bytes], name: str = "a.zip") -> Path:
    path = folder / name
    path.write_bytes(archive(files))
    return path


def test_a_folder_gives_its_files_in_order_under_its_own_name(tmp_path: Path) -> None:
    home = tmp_path / "docs"
    (home / "sub").mkdir(parents=True)
    for name in ("b.txt", "a.txt", "sub/c.txt", ".DS_Store", "~$b.docx"):
        (home / name).write_text("text")
    (home / "loop").symlink_to(home)
    found = take([home], tmp_path / "scratch")
    assert [item.source for item in found] == ["docs/a.txt", "docs/b.txt", "docs/sub/c.txt"]
    assert not any(item.problem for item in found)


def test_files_of_one_name_from_two_folders_stay_apart(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(folder)
    found = take([tmp_path / "x/a.txt", tmp_path / "y/a.txt"], tmp_path / "scratch")
    assert [item.source for item in found] == ["a.txt", "y/a.txt"]


def test_an_upload_keeps_the_name_that_the_person_gave_it(tmp_path: Path) -> None:
    (tmp_path / "tmp123").write_text("text")
    found = list(expand([tmp_path / "tmp123"], ParseLimits(), tmp_path / "s", names=["Lease.txt"]))
    assert [item.source for item in found] == ["Lease.txt"]


def test_an_archive_gives_its_files_and_one_archive_within_it(tmp_path: Path) -> None:
    inner = archive({"deep.txt": b"deep"})
    path = zipped(tmp_path, {"one.txt": b"one", "in/two.txt": b"two", "more.zip": inner})
    found = take([path], tmp_path / "scratch")
    assert [item.source for item in found] == ["a.zip/one.txt", "a.zip/in/two.txt", "a.zip/more.zip/deep.txt"]
    assert [item.path.read_bytes() for item in found] == [b"one", b"two", b"deep"]


def test_archives_nested_too_deep_are_named_not_opened(tmp_path: Path) -> None:
    third = archive({"c.zip": archive({"x.txt": b"x"})})
    found = take([zipped(tmp_path, {"b.zip": third})], tmp_path / "scratch")
    assert [(item.source, bool(item.problem)) for item in found] == [("a.zip/b.zip/c.zip", True)]


def test_a_name_that_leads_out_of_the_archive_is_refused_and_the_rest_taken(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"../../evil.txt": b"evil", "/abs.txt": b"evil", "good.txt": b"good"})
    found = take([path], tmp_path / "scratch")
    assert [bool(item.problem) for item in found] == [True, True, False]
    assert all(item.path.is_relative_to(tmp_path / "scratch") for item in found if not item.problem)
    assert not (tmp_path.parent / "evil.txt").exists()


def test_an_archive_bomb_is_refused_before_anything_is_unpacked(tmp_path: Path) -> None:
    found = take([zipped(tmp_path, {"zeros.txt": bytes(60_000_000)})], tmp_path / "scratch")
    assert len(found) == 1
    assert "bomb" in found[0].problem
    assert not (tmp_path / "scratch").exists()


def test_too_many_files_in_an_archive_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {f"{i}.txt": b"x" for i in range(5)})
    found = take([path], tmp_path / "scratch", ParseLimits(zip_max_files=4))
    assert [bool(item.problem) for item in found] == [True]
    assert found[0].next_step


def test_a_damaged_archive_and_a_missing_path_have_their_reasons(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(archive({"a.txt": b"some text"})[:-30])
    found = take([path, tmp_path / "gone.txt"], tmp_path / "scratch")
    assert [item.source for item in found] == ["b.zip", "gone.txt"]
    assert "no such file" in found[1].problem


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    assert "no files" in take([tmp_path / "none"], tmp_path / "scratch")[0].problem


def test_attachments_of_a_message_become_inputs_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(
        b'From: a@b.c\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
        b"--b\nContent-Type: text/plain\n\nHi\n--b\nContent-Type: text/plain\n"
        b'Content-Disposition: attachment; filename="../note.txt"\n\nAttached words\n--b--\n'
    )
    found = take([path], tmp_path / "scratch")
    assert [item.source for item in found] == ["mail.eml", "mail.eml/note.txt"]
    assert found[1].path.read_text().strip() == "Attached words"


def test_the_messages_of_a_mailbox_file_are_documents_with_their_attachments(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "ada@mill.example", "Silo"
    message.set_content("From the quay it goes on.")
    message.add_attachment("Clause 4.", filename="clause.txt")
    path = tmp_path / "all.mbox"
    box = mailbox.mbox(path)
    box.add(message)
    box.add("From: ben@mill.example\n\nYes.\n")
    box.close()
    found = list(expand([path], ParseLimits(), tmp_path / "scratch"))
    assert [item.source for item in found] == [
        "all.mbox/message-00001.eml",
        "all.mbox/message-00001.eml/clause.txt",
        "all.mbox/message-00002.eml",
    ]


def test_files_within_a_pdf_become_inputs_of_their_own(tmp_path: Path) -> None:
    price = {"price.pdf": with_files("Prices.", {"rows.csv": b"a,b\n1,2\n"}), "../../away.txt": b"away"}
    path = tmp_path / "tender.pdf"
    path.write_bytes(with_files("Cover.", price))
    (tmp_path / "plain.pdf").write_bytes(pdf(["No files."]))

    found = take([path, tmp_path / "plain.pdf"], tmp_path / "scratch")

    assert sorted(item.source for item in found) == [
        "plain.pdf",
        "tender.pdf",
        "tender.pdf/away.txt",
        "tender.pdf/price.pdf",
        "tender.pdf/price.pdf/rows.csv",
    ]
    assert not any(item.problem for item in found)


def test_a_portfolio_in_a_portfolio_is_opened_five_deep_and_then_named(tmp_path: Path) -> None:
    data = pdf(["Innermost."])
    for _ in range(7):
        data = with_files("Cover.", {"in.pdf": data})
    path = tmp_path / "out.pdf"
    path.write_bytes(data)

    found = take([path], tmp_path / "scratch")

    assert [item.source for item in found if not item.problem] == [
        "out.pdf" + "/in.pdf" * n for n in range(6)
    ]
    (last,) = [item for item in found if item.problem]
    assert "more than 5 deep" in last.problem


def test_a_file_in_a_pdf_that_unpacks_to_too_much_is_named_and_the_rest_taken(tmp_path: Path) -> None:
    from pypdf.generic import NameObject

    def pack(writer: Any) -> None:
        for each in writer.attachment_list:
            if each.name == "bomb.txt":
                stream = each._embedded_file
                stream._data = zlib.compress(bytes(100_000_000), 9)
                stream[NameObject("/Filter")] = NameObject("/FlateDecode")

    path = tmp_path / "cover.pdf"
    path.write_bytes(edited(with_files("Cover.", {"bomb.txt": b"x", "small.txt": b"small"}), pack))

    limits = ParseLimits(max_file_bytes=50_000_000)
    problems = {item.source: bool(item.problem) for item in take([path], tmp_path / "scratch", limits)}

    assert problems == {"cover.pdf": False, "cover.pdf/bomb.txt": True, "cover.pdf/small.txt": False}

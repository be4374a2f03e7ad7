from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.running.uploads import MAX_PART_BYTES, Staging, safe_path, top_folders
from core.domain.document import bucket_at
from core.errors import InputError, NotFoundError


@given(st.text(max_size=400))
@example("0" * 260 + ".řřřŚŚŞŞṰ")
def test_a_safe_path_never_leaves_its_folder(name: str) -> None:
    try:
        path = safe_path(name)
    except InputError:
        return

    assert not path.is_absolute()
    assert ".." not in path.parts
    assert all(0 < len(part.encode()) <= MAX_PART_BYTES for part in path.parts)
    assert not any(ord(sign) < 32 for sign in str(path))


def test_folders_of_an_upload_may_be_buckets(tmp_path: Path) -> None:
    staging, batch = Staging(tmp_path), Staging.new_batch()
    for name in ("archive/leases/a.txt", "archive/letters/old/b.txt", "archive/c.txt"):
        staging.place(batch, name).write_text("x")
    with zipfile.ZipFile(staging.place(batch, "archive/more.zip"), "w") as archive:
        archive.writestr("post/leases/d.txt", "x")
        archive.writestr("post/f.txt", "x")

    folders = staging.folders(batch, "all")
    assert folders == {
        "archive/leases": "leases",
        "archive/letters": "letters",
        "archive/more.zip/post": "post",
    }
    assert bucket_at("archive/letters/old/b.txt", folders, "all") == "letters"
    assert bucket_at("archive/c.txt", folders, "all") == "all"
    assert top_folders(["a.txt", "b/c.txt"]) == {"b": "b"}
    alone = ["all.zip/post/leases/d.txt", "all.zip/post/letters/f.txt"]
    assert list(top_folders(alone)) == ["all.zip/post/leases", "all.zip/post/letters"]
    assert top_folders(["all.zip", "b.txt"]) == {}


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("folder/a.pdf", "folder/a.pdf"),
        ("../../etc/passwd", "etc/passwd"),
        ("C:\\files\\a.pdf", "C_/files/a.pdf"),
        ("/root/a.pdf", "root/a.pdf"),
        ("a\u202egnp.exe", "a_gnp.exe"),
        ("trailing. ", "trailing"),
    ],
)
def test_names_are_made_safe(name: str, safe: str) -> None:
    assert safe_path(name).as_posix() == safe


def test_a_long_name_keeps_its_extension() -> None:
    assert safe_path("ü" * 300 + ".pdf").name.endswith(".pdf")


@pytest.mark.parametrize("name", ["", "..", "/", " . "])
def test_a_name_with_nothing_left_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        safe_path(name)


def test_half_a_file_is_not_listed(tmp_path: Path) -> None:
    staging, batch = Staging(tmp_path), Staging.new_batch()
    staging.place(batch, "a.txt").write_text("whole")
    staging.place(batch, "b.txt.part").write_text("ha")

    assert [file.name for file in staging.files(batch)] == ["a.txt"]


def test_only_batches_of_done_jobs_are_swept(tmp_path: Path) -> None:
    staging = Staging(tmp_path)
    done, open_ = Staging.new_batch(), Staging.new_batch()
    for batch, job in ((done, "j1"), (open_, "j2")):
        staging.place(batch, "a.txt").write_text("x")
        staging.link(batch, job)

    staging.sweep(["j1"])

    assert staging.files(done) == []
    assert [file.name for file in staging.files(open_)] == ["a.txt"]


def test_what_is_no_batch_has_no_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        Staging(tmp_path).folder("../other")

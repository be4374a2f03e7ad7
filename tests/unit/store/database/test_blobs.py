import os
from pathlib import Path

import pytest

from core.domain.ids import ContentHash, content_hash
from core.errors import NotFoundError, RecordsError
from core.store.store import Records
from tests.support.versions import new_version

DAY_S = 24 * 3600


def age(path: Path, seconds: float) -> None:
    now = path.stat().st_mtime
    os.utime(path, (now - seconds, now - seconds))


def test_bytes_and_files_are_kept_once_under_their_hash(records: Records, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    assert records.blobs.put(b"data") == records.blobs.put(tmp_path / "file") == content_hash(b"data")
    path = records.blobs.path(content_hash(b"data"))
    assert path.read_bytes() == b"data"
    assert path.parent.name == path.name[:2]
    assert list(records.blobs.all_hashes()) == [content_hash(b"data")]


def test_an_unknown_original_is_not_found(records: Records) -> None:
    with pytest.raises(NotFoundError):
        records.blobs.path(content_hash(b"nothing"))
    assert not records.blobs.exists(content_hash(b"nothing"))


def test_a_name_that_is_no_hash_reaches_no_other_file(records: Records, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    for name in ("../../secret", str(tmp_path / "secret"), "", "ab"):
        assert not records.blobs.exists(ContentHash(name))
        with pytest.raises(NotFoundError):
            records.blobs.path(ContentHash(name))


def test_a_damaged_original_is_healed_by_putting_it_again(records: Records) -> None:
    name = records.blobs.put(b"data")
    records.blobs.path(name).write_bytes(b"da")
    records.blobs.put(b"data")
    assert records.blobs.path(name).read_bytes() == b"data"


def test_the_sweep_takes_what_no_document_needs_and_nothing_young(records: Records) -> None:
    used, failed, old, young = (records.blobs.put(data) for data in (b"u", b"f", b"o", b"y"))
    records.documents.publish(new_version(content_hash=used))
    records.documents.record_failure("b", "failed.txt", "Damaged.", content_hash=failed)
    remains = records.blobs.folder / "broken.part"
    remains.write_bytes(b"half")
    for path in (remains, *(records.blobs.path(name) for name in (used, failed, old))):
        age(path, 2 * DAY_S)
    assert records.blobs.remove_unreferenced() == 1
    assert {used, failed, young} == set(records.blobs.all_hashes())
    assert not remains.exists()


def test_a_folder_that_cannot_be_made_is_said_plainly(records: Records) -> None:
    records.blobs.folder.write_text("a file is in the way")
    with pytest.raises(RecordsError) as refused:
        records.blobs.put(b"data")
    assert refused.value.next_step

"""Files within others, unpacked in a child."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

from core.ingest.intake import expand
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.formats import FileKind
from core.ingest.parse.unpack import may_hold_files


def test_a_message_whose_files_cannot_be_unpacked_in_time_is_itself_read(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"] = "Quay"
    message.set_content("No files.")
    path = tmp_path / "mail.eml"
    path.write_bytes(message.as_bytes())
    assert not may_hold_files(path, FileKind.EMAIL)
    message.add_attachment("Clause 4.", filename="clause.txt")
    path.write_bytes(message.as_bytes())
    assert may_hold_files(path, FileKind.EMAIL)
    first, second = expand([path], ParseLimits(timeout_s=0.001), tmp_path / "scratch")
    assert (first.source, first.problem) == ("mail.eml", "")
    assert second.source == "mail.eml/attached files"
    assert "took longer" in second.problem

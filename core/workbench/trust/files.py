"""Files that a deed writes: never in place of one that is there, with checksums, safe in a spreadsheet."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import UsageError
from core.spreadsheet import Lines, write_csv

SUMS = "SHA256SUMS"
"""File of an archive with the checksums of all others, as `sha256sum -c` reads them."""


def new_zip(file: Path) -> zipfile.ZipFile:
    """A new ZIP archive to write. Raises UsageError where there is such a file, or none can be made."""
    try:
        return zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED)
    except FileExistsError as error:
        raise UsageError(f"{str(file)!r} is there already.", next_step="Give another name.") from error
    except OSError as error:
        raise UsageError(
            f"{str(file)!r} cannot be written: {error.strerror or error}.", next_step="Choose another place."
        ) from error


def put_files(archive: zipfile.ZipFile, files: Mapping[str, bytes]) -> None:
    """Write files by name into an archive, and behind them their checksums."""
    for name, data in files.items():
        archive.writestr(name, data)
    sums = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    archive.writestr(SUMS, "".join(sums))


def csv_bytes(heads: Sequence[str], lines: Lines) -> bytes:
    """A table as CSV in UTF-8, in which no spreadsheet program finds a formula; None is an empty cell."""
    text = io.StringIO(newline="")
    write_csv(text, (heads, *lines))
    return text.getvalue().encode()

"""New files that a deed writes: never in place of one that is there."""

from __future__ import annotations

import zipfile
from pathlib import Path

from core.errors import UsageError


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

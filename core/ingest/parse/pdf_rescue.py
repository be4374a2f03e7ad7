"""pypdf, for the PDFs that PDFium cannot open."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

from core.domain.document import Page
from core.ingest.clean import normalise
from core.ingest.parse.base import Budget, ParseLimits


def is_locked(path: Path) -> bool:
    """True where the file needs a password."""
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    _be_quiet()
    try:
        reader = PdfReader(path, strict=False)
        return reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED
    except DependencyError:  # encrypted by a method that needs a library which is not installed
        return True
    except Exception:  # a broken file fails in any way; then it is damaged, not locked
        return False


def rescue_pages(path: Path, source: str, limits: ParseLimits) -> tuple[Page, ...]:
    """Whatever pages pypdf can still read; () where there are none."""
    from pypdf import PdfReader

    budget = Budget(source, limits)
    pages: list[Page] = []
    _be_quiet()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader = PdfReader(path, strict=False)
            count = len(reader.pages)
        except Exception:  # as above: nothing to rescue
            return ()
        budget.spend(0, pages=count)
        for number in range(count):
            try:
                text = normalise(reader.pages[number].extract_text())
            except Exception:  # one bad page must not lose the others
                text = ""
            budget.spend(len(text))
            pages.append(Page(number + 1, text))
    return tuple(pages)


def _be_quiet() -> None:
    # pypdf narrates every repair; the outcome is reported once, beside the file.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)

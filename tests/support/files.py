"""Small real files of every kind, made on the spot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence


def pdf(pages: Sequence[str], *, title: str = "", password: str = "") -> bytes:
    """A PDF with one text line for every line of a page; a line that begins with `# ` is set large."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption(password) if password else None, invariant=1)
    if title:
        canvas.setTitle(title)
    for page in pages:
        height = 780
        for line in page.split("\n"):
            size = 18 if line.startswith("# ") else 10
            canvas.setFont("Helvetica", size)
            canvas.drawString(60, height, line.removeprefix("# "))
            height -= 2 * size
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def scan() -> bytes:
    """A PDF of one page that is only an image."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.drawImage(ImageReader(Image.new("L", (200, 300), 200)), 50, 50, 400, 600)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def archive(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of `files`, under exactly the names given."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()

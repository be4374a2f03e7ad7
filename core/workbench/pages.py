"""Originals and page images: the documents as people know them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from core.domain.document import DocumentVersion
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.span import Box
from core.records.visibility import Visibility
from core.workbench.wiring import Parts

PDF = "application/pdf"
CACHED_IMAGES = 64  # about 200 KB each


class Pages:
    """Page images, places on them, and originals. Thread-safe."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._images: OrderedDict[tuple[str, int, int, int], bytes] = OrderedDict()
        self._caching = threading.Lock()  # guards _images

    def image(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int, width_px: int
    ) -> bytes | None:
        """The page as a JPEG of this width; None where the format has no pages of its own."""
        path, found = self._pdf(document, principal, version, page_no)
        if path is None:
            return None
        key = (document, found.version, page_no, width_px)
        with self._caching:
            if key in self._images:
                self._images.move_to_end(key)
                return self._images[key]
        image = self._parts.renderer.jpeg(path, page_no, width_px)
        with self._caching:
            self._images[key] = image
            while len(self._images) > CACHED_IMAGES:
                self._images.popitem(last=False)
        return image

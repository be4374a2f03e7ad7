"""A home for a bench: public data, ingested the way the product does it, and kept for the next run."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.config.models import Settings
from core.encode.base import Encoder
from core.index.base import SearchEngine
from core.records.store import Records
from core.retrieval.search import Retriever


@dataclass(frozen=True, slots=True)
class Home:
    """An open home; `sources` maps the path that a document was ingested from to its id."""

    records: Records
    engine: SearchEngine
    encoder: Encoder
    retriever: Retriever
    sources: Mapping[str, str]

"""Families of the contracts of CUAD and of the samples: every link that is found, with its words, to be read.

    python -m bench.families --data DIR

Names, parties and dates are read as an ingest does first, without passages; the links are those of records.
Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.naming.contracts import contract_files
from core.config.fields import shipped_schemas
from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import DocumentId, content_hash
from core.extract.base import Definitions, DocumentText
from core.extract.jobs.pool import ExtractTask
from core.extract.jobs.work import make_work
from core.records.base import NewVersion
from core.records.database.visibility import Visibility
from core.records.store import Records

"""Families of the contracts of CUAD and of the samples: every link that is found, with its words, to be read.

    python -m bench.families --data DIR

Names, parties and dates are read as an ingest reads them first, without passages and encoder; the links are
those that records find. Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.naming.contracts import contract_files
from core.config.models import Settings
from core.config.schema_store import SchemaStore
from core.domain.ids import DocumentId, content_hash
from core.extract.base import Definitions, DocumentText
from core.extract.jobs.pool import ExtractTask, Work
from core.extract.jobs.work import make_work
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records

ALL = Visibility.everything()
SAMPLES = Path(__file__).parent.parent / "samples" / "collection" / "contracts"


def read(records: Records, work: Work, files: Iterable[Path], bucket: str) -> list[DocumentId]:
    """Publish files and read their names, parties and dates; gives the documents in their order."""
    made = []
    for file in files:
        parsed = parse_file(file, file.name, ParseLimits())
        new = NewVersion(
            bucket=bucket,
            source=file.name,
            parsed=parsed,
            content_hash=content_hash(file.read_bytes()),
            size_bytes=file.stat().st_size,
            passages=iter(()),
        )
        document = records.documents.publish(new).document
        text = DocumentText(
            document=document,
            version=1,
            bucket=bucket,
            title=parsed.title,
            source=file.name,
            doc_type=parsed.doc_type,
            media_type=parsed.media_type,
            language=parsed.language,
            pages=parsed.pages,
        )
        extraction = work(ExtractTask(text, schema="contracts", is_opening=True))
        records.fields.put(document, 1, extraction, "bench", is_opening=True)
        made.append(document)
    return made


def show(records: Records, documents: Iterable[DocumentId]) -> None:
    """Print every link with its words, what names something and has no link, and the time that it took."""
    links = named = 0
    times = []
    for document in documents:
        began = time.perf_counter()
        family = records.documents.family(document, ALL)
        times.append(time.perf_counter() - began)
        for parent in family.parents:
            links += 1
            name = records.documents.get(document, ALL).name
            said = " ".join(parent.quote.quote.split())
            print(f"{parent.fit.value}\t{parent.kinship}\t{name}\n\t-> {parent.name}\n\t“{said}”")
        named += bool(family.parents or family.children)
    print(f"{len(times)} documents, {links} links, {named} documents with relatives,", end=" ")
    print(f"{1000 * sum(times) / max(1, len(times)):.1f} ms a document")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder))
        definitions = Definitions(tuple(SchemaStore(Path(folder)).schemas()))
        with Records.open(settings) as records:
            work = make_work(settings, definitions)
            collections = {"samples": sorted(SAMPLES.iterdir()), "cuad": contract_files(options.data)}
            for bucket, files in collections.items():
                print(f"# {bucket}")
                show(records, read(records, work, files, bucket))


if __name__ == "__main__":
    main()

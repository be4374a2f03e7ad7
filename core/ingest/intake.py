"""From what a person names (files, folders, archives, messages) to the files that will be documents."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from core.domain.ids import ContentHash
from core.domain.job import SameNameChoice
from core.errors import InputError
from core.ingest.clean import normalise
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.formats import FileKind, sniff
from core.ingest.parse.unpack import Unpacker, UnpackTask, may_hold_files, numbered
from core.ingest.parse.zips import check_entries, entry_names
from core.ingest.parse_pool import time_allowed
from core.store.base import DECISION, JobItem

NO_HASH = ContentHash("")
ATTACHED = "attached files"  # what stands in a source for files that could not be unpacked
_MAX_NESTING = 2  # an archive within an archive is opened, one within that is not
_MAX_PDF_NESTING = 5
_BLOCK = 1 << 20
# What file managers and version control leave behind; nobody means these by naming a folder.
_LITTER = frozenset(
    {"__MACOSX", ".git", ".svn", ".hg", "__pycache__", "Thumbs.db", "desktop.ini", ".DS_Store"}
)


@dataclass(frozen=True, slots=True)
class IngestInput:
    """A file to ingest: `source` is its name in the bucket, `ordinal` its place in the job.

    path: may lie in the scratch folder. acl: None keeps what the document has. force: read it anew and make
    a new version, even where its bytes are known. kept: of a re-ingest, the hash of the original that it
    reads; "" otherwise. problem: there is nothing to read, and why. name: what it is called, where its source
    does not say. same_name: what it is where its source has a document of other contents: its version,
    another one, or by how alike the texts are. is_decided: a person said so.
    """

    ordinal: int
    path: Path
    source: str
    bucket: str = "default"
    acl: tuple[str, ...] | None = None
    force: bool = False
    kept: ContentHash = NO_HASH
    problem: str = ""
    next_step: str = ""
    name: str = ""
    same_name: SameNameChoice | Literal["alike"] = "version"
    is_decided: bool = False

    @property
    def item(self) -> JobItem:
        """The input as a job keeps it."""
        payload = {
            "path": str(self.path) if self.path.parts else "",
            "acl": self.acl,
            "problem": self.problem,
            "next_step": self.next_step,
            "force": self.force,
            "kept": self.kept,
            "same_name": self.same_name,
            "is_decided": self.is_decided,
        }
        return JobItem(self.source, self.bucket, payload, self.ordinal)

    @classmethod
    def of(cls, item: JobItem) -> IngestInput:
        """An input that a job kept."""
        given = dict(item.payload)
        acl = given.pop("acl", None)
        given.pop(DECISION, None)  # of a try before
        path, kept = Path(given.pop("path")), ContentHash(given.pop("kept", ""))
        readers = None if acl is None else tuple(acl)
        return cls(item.ordinal, path, item.source, item.bucket, readers, kept=kept, **given)


def expand(
    paths: Sequence[Path | str],
    limits: ParseLimits,
    scratch: Path,
    *,
    names: Sequence[str] | None = None,
) -> Iterator[IngestInput]:
    """Every file that `paths` lead to, in a stable order; what cannot be taken comes with its problem.

    A file's source is its name, in a folder the folder's name and the path below it, in an archive
    `archive.zip/inner/name`, attached to a message `mail.eml/name`. Two inputs of one call that would share a
    source get their parent folders' names in front. names: what to call each path instead of its own name
    (uploads lie under temporary names). Archives and attachments are unpacked into `scratch`, which the
    caller removes. Symbolic links within folders are not followed.
    """
    with closing(_Intake(limits, scratch)) as intake:
        for path, root in zip(map(Path, paths), roots(paths, names), strict=True):
            yield from intake.expand(path, root)


def roots(paths: Sequence[Path | str], names: Sequence[str] | None = None) -> list[str]:
    """The source that each of some paths has, with which all that is in it begins; see `expand`."""
    shown = list(names) if names is not None else [_name_of(Path(path)) for path in paths]
    taken: dict[str, None] = {}
    for path, name in zip(map(Path, paths), shown, strict=True):
        taken[_distinct(name, path, taken)] = None
    return list(taken)


def _name_of(path: Path) -> str:
    return normalise(path.name or path.resolve().name or str(path))


def _distinct(name: str, path: Path, taken: Collection[str]) -> str:
    parents = [normalise(part) for part in path.absolute().parent.parts[1:]]
    while name in taken and parents:
        name = f"{parents.pop()}/{name}"
    number = 2
    root = name
    while name in taken:
        name = f"{root} ({number})"
        number += 1
    return name


def archived_names(path: Path) -> list[str]:
    """The names that the files of an archive have within it; [] of what cannot be read as one."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [each for each in archive.infolist() if not each.is_dir()]
            inner = [_inner_name(name) for name in entry_names(entries) if not _is_litter(name)]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return []
    return [name for name in inner if name is not None]


class _Intake:
    def __init__(self, limits: ParseLimits, scratch: Path) -> None:
        self._limits = limits
        self._scratch = scratch
        self._count = 0
        self._unpacked_bytes = 0
        self._unpacker = Unpacker(limits)

    def close(self) -> None:
        self._unpacker.close()

    def expand(self, path: Path, source: str) -> Iterator[IngestInput]:
        try:
            mode = path.stat().st_mode
        except OSError as error:
            yield _problem(source, path, _reason(error), "Check the path and its rights.")
            return
        if stat.S_ISDIR(mode):
            yield from self._folder(path, source)
        elif stat.S_ISREG(mode):
            yield from self._file(path, source, depth=0)
        else:
            yield _problem(source, path, "It is neither a file nor a folder.", "Name a file or a folder.")

    def _folder(self, folder: Path, source: str) -> Iterator[IngestInput]:
        unreadable: list[OSError] = []
        found = False
        for here, folders, files in os.walk(folder, onerror=unreadable.append):
            folders[:] = sorted(name for name in folders if name not in _LITTER)
            for name in sorted(files):
                path = Path(here) / name
                if name in _LITTER or name.startswith(("._", "~$")) or path.is_symlink():
                    continue
                found = True
                inner = PurePosixPath(source, *(normalise(part) for part in path.relative_to(folder).parts))
                yield from self._file(path, str(inner), depth=0)
        for error in unreadable:
            found = True
            yield _problem(
                source, folder, f"A folder in it cannot be read: {_reason(error)}", "Check its rights."
            )
        if not found:
            yield _problem(
                source, folder, "The folder holds no files.", "Name a folder with documents in it."
            )

    def _file(self, path: Path, source: str, depth: int) -> Iterator[IngestInput]:
        try:
            size = path.stat().st_size
            # Sniffed here only to find what holds other files; the parser says what is wrong with the rest.
            kind = sniff(path, source) if size else FileKind.TEXT
        except InputError:
            yield IngestInput(0, path, source)
            return
        except OSError as error:
            yield _problem(source, path, _reason(error), "Restore the file or check its rights.")
            return
        if kind == FileKind.ZIP:
            yield from self._archive(path, source, depth)
            return
        if kind != FileKind.MBOX:
            yield IngestInput(0, path, source)
            is_nested = depth >= _MAX_NESTING and kind != FileKind.PDF
            if is_nested or size > self._limits.max_file_bytes or not may_hold_files(path, kind):
                return
        yield from self._within(path, source, kind, depth)

    def _archive(self, path: Path, source: str, depth: int) -> Iterator[IngestInput]:
        if depth >= _MAX_NESTING:
            yield _problem(
                source, path, "It is an archive within an archive within an archive.", "Unpack it first."
            )
            return
        try:
            archive = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
            yield _problem(source, path, "The archive is damaged.", "Copy or download it again.")
            return
        with archive:
            entries = [
                entry for entry in archive.infolist() if not entry.is_dir() and not _is_litter(entry.filename)
            ]
            try:
                check_entries(entries, source, self._limits)
            except InputError as error:
                yield _problem(source, path, error.message, error.next_step)
                return
            if not entries:
                yield _problem(source, path, "The archive holds no files.", "Add one with documents in it.")
            for entry, name in zip(entries, entry_names(entries), strict=True):
                yield from self._entry(archive, entry, name, source, depth)

    def _entry(
        self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, called: str, source: str, depth: int
    ) -> Iterator[IngestInput]:
        inner = _inner_name(called)
        if inner is None:
            shown = normalise(called)[:200]
            yield _problem(
                f"{source}/{shown}",
                Path(),
                "Its name leads out of the archive.",
                "Unpack it yourself and add it.",
            )
            return
        name = f"{source}/{inner}"
        if entry.flag_bits & 1:
            yield _problem(
                name, Path(), "It needs a password.", "Unpack the archive and add the files in it."
            )
            return
        if stat.S_ISLNK(entry.external_attr >> 16):
            yield _problem(name, Path(), "It is a link, not a file.", "Add the file that it leads to.")
            return
        target = self._new_path(inner)
        try:
            self._extract(archive, entry, target, name)
        except InputError as error:
            target.unlink(missing_ok=True)
            yield _problem(name, Path(), error.message, error.next_step)
            return
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
            target.unlink(missing_ok=True)
            yield _problem(name, Path(), "It is damaged within the archive.", "Pack the archive again.")
            return
        yield from self._file(target, name, depth + 1)

    def _extract(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, source: str) -> None:
        """Unpacks one entry, counting what really comes out: a directory of contents can lie."""
        target.parent.mkdir(parents=True, exist_ok=True)
        written = 0
        with archive.open(entry) as packed, target.open("wb") as file:
            while block := packed.read(_BLOCK):
                written += len(block)
                self._unpacked_bytes += len(block)
                if written > self._limits.max_file_bytes or self._unpacked_bytes > self._limits.zip_max_bytes:
                    raise InputError(
                        "It unpacks to more than is allowed.",
                        source=source,
                        next_step="Split the archive, or raise ingest.max_file_mb and ingest.zip_max_mb.",
                    )
                file.write(block)

    def _within(self, path: Path, source: str, kind: str, depth: int) -> Iterator[IngestInput]:
        """The files within a message, a mailbox or a PDF, and those within them."""
        files_left = self._limits.zip_max_files - self._count
        bytes_left = self._limits.zip_max_bytes - self._unpacked_bytes
        task = UnpackTask(path, kind, self._scratch, self._count, bytes_left, files_left)
        reply = self._unpacker.unpack(task, time_allowed(path, self._limits.timeout_s))
        place = f"{source}/{ATTACHED}"
        if reply.value is None:
            yield _problem(place, Path(), f"They are not read. {reply.reason}", reply.next_step)
        elif kind == FileKind.PDF and depth >= _MAX_PDF_NESTING and reply.value:
            reason = f"They are attached to files within files, more than {_MAX_PDF_NESTING} deep."
            yield _problem(place, Path(), reason, "Save the files that are attached and add them.")
        else:
            there = [file for file in reply.value if not file.problem]
            self._count += len(there)
            self._unpacked_bytes += sum(file.size for file in there)
            for file in reply.value:
                name = f"{source}/{file.name}"
                if file.problem:
                    yield _problem(name, Path(), file.problem, "Save it and add it.")
                else:
                    yield from self._file(file.path, name, depth + 1)

    def _new_path(self, inner: str) -> Path:
        """A place in the scratch folder of its own."""
        self._count += 1
        return numbered(self._scratch, self._count, inner)


def _inner_name(raw: str) -> str | None:
    """A safe relative name; None where it would lead out of its archive."""
    name = normalise(raw).replace("\\", "/")
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or (len(name) > 1 and name[1] == ":"):
        return None
    return str(PurePosixPath(*parts))


def _is_litter(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return bool(parts) and (bool(_LITTER & set(parts)) or parts[-1].startswith(("._", "~$")))


def _problem(source: str, path: Path, problem: str, next_step: str) -> IngestInput:
    return IngestInput(0, path, source, problem=problem, next_step=next_step)


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "There is no such file or folder."
    return f"It cannot be read: {error.strerror or error}."

"""Files within mails, mailboxes and PDFs, unpacked by a child process within limits of time and memory."""

from __future__ import annotations

import mailbox
import mmap
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.formats import FileKind
from core.ingest.pdf.pypdf_file import may_embed_files
from core.processes.children import TaskPool
from core.processes.loop import Reply, limit_memory, serve

_BYTES_PER_S = 20_000_000  # of a large mailbox, beside the time that any file has
_OUT_OF_MEMORY = ("The unpacker ran out of memory.", "Save them and add them.")
_TOO_MUCH = "It unpacks to more than is allowed."
# What makes a part of a mail a file: a name, or a kind that is neither text nor a container.
_OF_FILES = re.compile(
    rb"name[0-9*]*\s*=|[\r\n]content-disposition:|(?:^|[\r\n])content-type:\s*(?!text/|multipart/)[a-z]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class UnpackTask:
    """A file that may hold others; they are written to `folder`, numbered behind `count`.

    bytes_left, files_left: of what the whole intake may unpack.
    """

    path: Path
    kind: str
    folder: Path
    count: int
    bytes_left: int
    files_left: int


@dataclass(frozen=True, slots=True)
class UnpackedFile:
    """A file that was within another. problem: why it is not there."""

    name: str
    path: Path = Path()
    size: int = 0
    problem: str = ""


class Unpacker(TaskPool):
    """The child process that unpacks; it starts with the first file that holds others."""

    def __init__(self, limits: ParseLimits, module: str = __name__) -> None:
        super().__init__(module, limits, 1, "unpacker", _OUT_OF_MEMORY)

    def unpack(self, task: UnpackTask, allowed_s: float) -> Reply[list[UnpackedFile]]:
        """What is within a file, or why that cannot be told. Raises ChildStartError."""
        allowed_s += task.path.stat().st_size / _BYTES_PER_S
        advice = "Save them from its own program and add them."
        return self.reply(task, allowed_s, late=advice, crashed=advice)


def may_hold_files(path: Path, kind: str) -> bool:
    """False where nothing is to be unpacked; costs at most one pass over the file's bytes."""
    if kind == FileKind.PDF:
        return may_embed_files(path)
    if kind != FileKind.EMAIL:
        return kind in (FileKind.MSG, FileKind.MBOX)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _OF_FILES.search(data) is not None


def numbered(folder: Path, count: int, name: str) -> Path:
    """A place in `folder` of its own, with the extension kept and nothing else of the name."""
    suffix = PurePosixPath(name).suffix
    return folder / f"{count:07}{suffix if suffix.isascii() and len(suffix) < 12 else ''}"


def unpack(task: UnpackTask, limits: ParseLimits) -> Reply[list[UnpackedFile]]:
    """Do one task; every way to fail is a reply with its reason."""
    try:
        task.folder.mkdir(parents=True, exist_ok=True)
        return Reply(list(_written(task, limits)))
    except OSError as error:
        return Reply(None, f"They cannot be unpacked: {error.strerror or error}.", "Check the disk.")
    except MemoryError:
        return Reply(None, *_OUT_OF_MEMORY)
    except Exception:  # parsers of others on hostile bytes; the file itself may still be read
        return Reply(None, "They cannot be unpacked.", "Save them from its own program and add them.")


def _written(task: UnpackTask, limits: ParseLimits) -> Iterator[UnpackedFile]:
    count, left = task.count, task.bytes_left
    for name, data in _contents(task.path, task.kind):
        if data is None:
            yield UnpackedFile(name, problem="It is damaged or too large to unpack.")
            continue
        if count - task.count >= task.files_left:
            yield UnpackedFile(name, problem="It and what follows are more files than are allowed.")
            return
        if len(data) > min(limits.max_file_bytes, left):
            yield UnpackedFile(name, problem=_TOO_MUCH)
            continue
        count, left = count + 1, left - len(data)
        target = numbered(task.folder, count, name)
        target.write_bytes(data)
        yield UnpackedFile(name, target, len(data))


def _contents(path: Path, kind: str) -> Iterator[tuple[str, bytes | None]]:
    if kind == FileKind.PDF:
        from core.ingest.pdf.pypdf_file import embedded_files

        yield from ((file.name, file.data) for file in embedded_files(path))
    elif kind == FileKind.MBOX:
        with closing(mailbox.mbox(path, create=False)) as messages:
            for number, key in enumerate(messages.iterkeys(), 1):
                yield f"message-{number:05}.eml", messages.get_bytes(key)
    else:
        from core.ingest.parse.email import attachments

        yield from ((file.name, file.data) for file in attachments(path))


def main() -> None:
    """Serve tasks until the input ends."""
    serve(_start)


def _start(limits: ParseLimits) -> Callable[[UnpackTask], Reply[list[UnpackedFile]]]:
    limit_memory(limits.memory_mb)
    return lambda task: unpack(task, limits)

"""What stands beside the cells of a sheet: comments and text boxes are read, charts and pictures named."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.ingest.parse.office import DamagedPartError, PartRelation, local
from core.ingest.parse.workbook.book import SheetFile, Workbook, attribute, whole, words_of
from core.ingest.parse.workbook.formulas import Place
from core.ingest.parse.workbook.sheet import place_of
from core.text.marks import mark

_MOST_COMMENTS = 20_000
_GENERATED = "[Threaded comment]"  # what old programs show in place of a conversation
_THREAD_TEXT = "Comment:"


@dataclass(slots=True)
class SheetExtras:
    """notes: comments as marks, by place, (0, 0) where theirs is damaged. boxes: texts of boxes. The rest:
    how many there are of each.

    damaged: parts that could not be read, by what they hold. more_notes: comments beyond the most of a sheet.
    """

    notes: dict[Place, list[str]] = field(default_factory=dict)
    more_notes: int = 0
    boxes: list[str] = field(default_factory=list)
    charts: int = 0
    images: int = 0
    objects: int = 0
    damaged: list[str] = field(default_factory=list)


def read_extras(book: Workbook, sheet: SheetFile) -> SheetExtras:
    """What stands beside the cells of a sheet."""
    extras = SheetExtras()
    for relation in book.package.relations(sheet.path).values():
        try:
            if relation.is_external:
                continue
            if relation.kind == "comments":
                _read_comments(book, relation, extras)
            elif relation.kind == "drawing":
                _read_drawing(book, relation, extras)
            elif relation.kind in ("oleObject", "package", "control"):
                extras.objects += 1
        except DamagedPartError:
            extras.damaged.append("comments" if relation.kind == "comments" else "drawings")
    return extras


def _read_comments(book: Workbook, part: PartRelation, extras: SheetExtras) -> None:
    authors: list[str] = []
    count = 0
    for each in book.package.elements(part.target, "author", "comment"):
        if local(each) == "author":
            authors.append(each.text or "")
            continue
        name, number = each.get("ref", ""), whole(each.get("authorId"))
        author = authors[number] if number is not None and number < len(authors) else ""
        words = words_of(each)
        if words.startswith(_GENERATED):
            author, words = "", words.partition(_THREAD_TEXT)[2]
        words = words.strip().removeprefix(f"{author}:")  # Excel writes the author into the note itself
        by = f"by {author} on {name}" if author.strip() else f"on {name}"
        if said := mark("comment", words.replace("|", "/"), by):
            count += 1
            if count > _MOST_COMMENTS:
                extras.more_notes += 1
            else:
                extras.notes.setdefault(place_of(name) or (0, 0), []).append(said)


def _read_drawing(book: Workbook, part: PartRelation, extras: SheetExtras) -> None:
    for each in book.package.elements(part.target, "sp", "pic", "graphicFrame"):
        if local(each) == "pic":
            extras.images += 1
        elif local(each) == "sp":
            lines = ["".join(t.text or "" for t in line.iter("{*}t")) for line in each.iter("{*}p")]
            if text := "\n".join(line for line in lines if line.strip()):
                extras.boxes.append(text)
        elif any(local(inner) == "chart" and attribute(inner, "id") for inner in each.iter()):
            extras.charts += 1

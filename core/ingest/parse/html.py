"""HTML: the visible text of the page's main region."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.domain.document import ParsedDocument
from core.ingest.clean import language_of
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.builder import PageBuilder
from core.ingest.parse.decode import decode
from core.ingest.parse.sniff import MEDIA_TYPES, FileKind
from core.ingest.parse.text import is_pdf
from core.text.headings import clean_title


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_SHOWN = _words(
    "script style noscript template svg math head iframe object embed select option datalist button canvas"
    " audio video map area dialog"
)
_FURNITURE = _words("nav footer aside")
_FURNITURE_ROLES = _words("navigation contentinfo complementary banner search")
_BLOCKS = _words(
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form"
    " header h1 h2 h3 h4 h5 h6 hr legend li main ol p pre section summary table tbody tfoot thead tr ul nav"
    " footer aside"
)
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)"
    r"|opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)|(?:left|top|text-indent)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*[01](?:px)?[,\s]",
    re.IGNORECASE,
)
_STYLE_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
_SIMPLE_SELECTOR = re.compile(r"^(?:[a-zA-Z][\w-]*)?([.#])([\w-]+)$")
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{2,30})", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_SPACES = re.compile(r"\s+")
_MIN_MAIN_CHARS = 200
_LONGEST_REPEATED = 200  # characters of a cell that reaches down
_MOST_SPANNED = 100
_LOOKED_AT = 200  # rows that tell a table of data from one that places things


def parse_html(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """One page of the text that a reader of the main region sees; nothing that is hidden."""
    return document_from_html(_decode_html(path.read_bytes()), source, limits)


def document_from_html(markup: str, source: str, limits: ParseLimits) -> ParsedDocument:
    """As `parse_html`, for markup that is already text."""
    root = _tree(markup)
    builder = PageBuilder(1)
    title = language = ""
    if root is not None:
        title = clean_title("".join(root.findtext(".//title") or ""))
        language = str(root.get("lang") or "")[:2].lower()
        _drop_hidden(root)
        _Walker(builder, Budget(source, limits)).walk(_main_region(root))
    page = builder.build()
    first = next((heading.text for heading in page.headings if heading.level <= 2), "")
    return ParsedDocument(
        title=title or clean_title(first) or title_from_source(source),
        media_type=MEDIA_TYPES[FileKind.HTML],
        pages=(page,),
        language=language_of([page]) or (language if language.isalpha() else ""),
        links=tuple(builder.links),
        unreadable_reason="" if page.text else "The page shows no text without its scripts.",
    )


def _decode_html(data: bytes) -> str:
    match = _META_CHARSET.search(data[:4_096])
    if match and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = match[1].decode("ascii")
        try:
            return data.decode("cp1252" if name.lower() in ("iso-8859-1", "latin-1", "latin1") else name)
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)


def _tree(markup: str) -> Any:
    from lxml import etree
    from lxml import html as lxml_html

    markup = _DECLARATION.sub("", markup).replace("\0", " ")
    if not markup.strip():
        return None
    parser = lxml_html.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, encoding="utf-8")
    try:
        return lxml_html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # nothing but comments or white space
        return None


def _drop_hidden(root: Any) -> None:
    hidden = _hidden_names(root)
    doomed = [
        element
        for element in root.iter()
        if not isinstance(element.tag, str) or element.tag in _NEVER_SHOWN or _is_hidden(element, hidden)
    ]
    for element in doomed:
        parent = element.getparent()
        if parent is not None:
            element.drop_tree() if hasattr(element, "drop_tree") else parent.remove(element)


def _is_hidden(element: Any, names: frozenset[str]) -> bool:
    if element.tag in ("html", "body"):
        return False
    attributes = element.attrib
    if "hidden" in attributes or _HIDING_STYLE.search(attributes.get("style", "")):
        return True
    if element.tag == "input" or not names:
        return bool(element.tag == "input")
    return f"#{attributes.get('id', '')}" in names or any(
        f".{name}" in names for name in attributes.get("class", "").split()
    )


def _hidden_names(root: Any) -> frozenset[str]:
    """Classes and ids that the page's own style sheet hides by a rule of one simple selector."""
    names: set[str] = set()
    for style in root.iter("style"):
        for selectors, rules in _STYLE_RULE.findall((style.text or "")[:200_000]):
            if "@" in selectors or not _HIDING_STYLE.search(rules):
                continue
            for selector in selectors.split(","):
                match = _SIMPLE_SELECTOR.match(selector.strip())
                if match:
                    names.add(match[1] + match[2])
    return frozenset(names)


def _main_region(root: Any) -> Any:
    body = root.find("body")
    if body is None:
        return root
    regions = [*body.iter("main"), *(e for e in body.iter() if e.get("role") == "main")]
    regions = regions or list(body.iter("article"))
    total = len(body.text_content())
    best = max(regions, key=lambda region: len(region.text_content()), default=None)
    if best is not None:
        size = len(best.text_content().strip())
        if size >= _MIN_MAIN_CHARS or size >= 0.3 * total:
            return best
    furniture = [e for e in body.iter() if e.tag in _FURNITURE or e.get("role") in _FURNITURE_ROLES]
    within = sum(len(element.text_content()) for element in furniture)
    if within < 0.8 * total:  # else the page is nothing but navigation, and that is its text
        for element in furniture:
            if element.getparent() is not None:
                element.drop_tree()
    return body


@dataclass(slots=True)
class _OpenTable:
    """A table that is being read. spanning: by column, cells that reach into this row, for how many rows.

    reaching: those for the row below; gaps: columns that the cell spans beside its own.
    """

    is_data: bool = False
    column: int = 0
    gaps: int = 0
    spanning: dict[int, tuple[int, str]] = field(default_factory=dict)
    reaching: dict[int, tuple[int, str]] = field(default_factory=dict)

    def end_row(self) -> None:
        """Go on to the row below."""
        left = {at: (rows - 1, text) for at, (rows, text) in self.spanning.items() if rows > 1}
        self.spanning, self.reaching = left | self.reaching, {}


def _holds_data(table: Any) -> bool:
    """True of a table with rows of several filled cells, and no other table in it."""
    if next((each for each in table.iter("table") if each is not table), None) is not None:
        return False
    rows = 0
    for number, row in enumerate(table.iter("tr")):
        if number > _LOOKED_AT:
            break
        rows += sum(bool(cell.text_content().strip()) for cell in row if cell.tag in ("td", "th")) > 1
    return rows > 1


def _span_of(element: Any, name: str) -> int:
    """Number of columns or rows of a cell, within reason."""
    said = element.get(name, "1").strip()
    return min(max(1, int(said)), _MOST_SPANNED) if said.isdigit() else 1


class _Walker:
    """Goes through a tree without recursion and gives its blocks to the page in reading order."""

    def __init__(self, page: PageBuilder, budget: Budget) -> None:
        self._page = page
        self._budget = budget
        self._run: list[str] = []
        self._level = 0
        self._is_row = False
        self._gap = 2
        self._pre = 0
        self._tables: list[_OpenTable] = []

    def walk(self, root: Any) -> None:
        from lxml import etree

        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                self._enter(element)
                self._add(element.text)
            else:
                self._leave(element)
                if element is not root:
                    self._add(element.tail)
        self._flush()

    def _enter(self, element: Any) -> None:
        tag = element.tag
        if tag == "table":
            self._tables.append(_OpenTable(_holds_data(element)))
        if tag == "tr":
            self._flush()
            self._is_row = True
            if self._tables:
                self._tables[-1].column = 0
        elif tag in ("td", "th"):
            self._begin_cell(element)
        elif tag == "br":
            self._run.append("\n")
        elif tag in _BLOCKS and not self._is_row:
            self._flush()
            self._level = int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit() else self._level
            self._pre += tag == "pre"
            if tag == "li":
                self._gap = 1
                self._run.append("- ")
        elif tag in _BLOCKS and self._run and not self._run[-1].endswith(" | "):
            self._run.append(" ")
        if tag == "img":
            self._image(element)
        elif tag == "a" and is_pdf(element.get("href", "")):
            self._page.add_link("pdf", element.get("href"))

    def _leave(self, element: Any) -> None:
        tag = element.tag
        if tag in ("td", "th") and self._tables:
            self._run.append(" | " * self._tables[-1].gaps)
            self._tables[-1].gaps = 0
        if tag == "tr":
            self._is_row = False
            self._gap = 1
            self._flush(is_row=True)
            if self._tables:
                self._tables[-1].end_row()
        elif tag in _BLOCKS and not self._is_row:
            self._flush()
            self._level = 0 if tag[0] == "h" and len(tag) == 2 else self._level
            self._pre -= tag == "pre"
            if tag in ("table", "ul", "ol"):
                self._gap = 2
        if tag == "table" and self._tables:
            self._tables.pop()

    def _begin_cell(self, element: Any) -> None:
        """Marks up to this cell: cells that reach down into its row stand again before it."""
        table = self._tables[-1] if self._tables else _OpenTable()
        if not table.is_data:
            if any(piece.strip() for piece in self._run):
                self._run.append(" | ")
            return
        while table.column in table.spanning:
            left, text = table.spanning.pop(table.column)
            self._run.append(f"{' | ' if table.column else ''}{text}")
            if left > 1:
                table.reaching[table.column] = (left - 1, text)
            table.column += 1
        if table.column:
            self._run.append(" | ")
        wide, high = _span_of(element, "colspan"), _span_of(element, "rowspan")
        if high > 1:
            text = _SPACES.sub(" ", element.text_content()).strip()[:_LONGEST_REPEATED]
            table.reaching[table.column] = (high - 1, text)
        table.column += wide
        table.gaps = wide - 1

    def _image(self, element: Any) -> None:
        target = element.get("src") or element.get("data-src") or ""
        if target and not target.startswith("data:"):
            self._page.add_link("image", target)
        alternative = _SPACES.sub(" ", element.get("alt") or "").strip()
        if len(alternative) > 3:
            self._run.append(f" {alternative} ")

    def _add(self, text: str | None) -> None:
        if text:
            self._run.append(text if self._pre else _SPACES.sub(" ", text))

    def _flush(self, *, is_row: bool = False) -> None:
        joined = "".join(self._run)
        joined = joined.rstrip(" |\n") if is_row else joined
        self._run.clear()
        lines = joined.split("\n")
        text = "\n".join(line.rstrip() if self._pre else " ".join(line.split()) for line in lines)
        text = re.sub(r"\n{3,}", "\n\n", text)
        if text.strip(" \n|-"):
            self._budget.spend(len(text))
            self._page.add_block(text, level=self._level, gap=self._gap)
        self._gap = 2 if not self._is_row else 1

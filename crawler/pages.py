"""Judgement of a fetched body: a page to keep, or one that stands for none, and why."""

from __future__ import annotations

import codecs
import difflib
import hashlib
import io
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from core.domain.crawl.addresses import Address
from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.request import PageKind
from core.domain.document import HTML, ParsedDocument
from core.errors import InputError
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.decode import decode, wide_encoding
from core.ingest.parse.formats import FileKind, media_type_of, sniff_stream
from core.ingest.parse.html.document import document_from_html
from crawler.links import HeaderHints, PageMarkup, read_markup
from crawler.sitemaps import is_sitemap

_CONTRADICTED = ("cp1252", "latin-1", "iso8859-1", "ascii", "iso8859-15")
_HIGH = re.compile(rb"[\x80-\xff]")
_KINDS: Mapping[str, PageKind] = {
    FileKind.HTML: PageKind.HTML,
    FileKind.PDF: PageKind.PDF,
    FileKind.DOCX: PageKind.OFFICE,
    FileKind.XLSX: PageKind.OFFICE,
    FileKind.CSV: PageKind.OFFICE,
    FileKind.TEXT: PageKind.TEXT,
    FileKind.MARKDOWN: PageKind.TEXT,
}
_TEXTUAL = (FileKind.TEXT, FileKind.MARKDOWN, FileKind.CSV, FileKind.EMAIL)
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_FEW_WORDS = 120  # a page with fewer may be an error page or a wall; with more it says something
_VERY_FEW_WORDS = 25
_MANY_LINKS = 25  # a notice about cookies on a page with more is no wall
_LONGEST_REFRESH_S = 10.0
_AT_ONCE_S = 0.0
_LIKE = 0.9
_LIKE_WHEN_SHORT = 0.6
_MOST_OTHER_WORDS = 8  # both may quote the address that was asked for
_WORD = re.compile(r"\w+")
_LOADED = re.compile(
    r"text/(?:html|plain|xml|csv|markdown|x-markdown)|application/(?:xhtml\+xml|xml|octet-stream|force-download"
    r"|download|x-download|unknown)|binary/octet-stream|",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"application/vnd\.openxmlformats-officedocument\.\S+|application/(?:msword|vnd\.ms-excel)"
)
_FOREIGN_NAME = re.compile(
    r"\.(?:zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|iso|deb|rpm|jar|whl|png|jpe?g|gif|webp|svg|ico|bmp|tiff?|mp[34]"
    r"|m4[av]|avi|mov|mkv|webm|ogg|wav|flac|woff2?|ttf|otf|eot|css|js|mjs|wasm|so|dll|bin|apk)$",
    re.IGNORECASE,
)
_NO_HINTS = HeaderHints()
_NO_MARKUP = PageMarkup()


@dataclass(frozen=True, slots=True)
class DecodedBody:
    """A body as text, and as the bytes that are kept: UTF-8, with a byte order mark where it was another."""

    text: str
    data: bytes
    encoding: str


def decode_body(body: bytes, content_type: str, *, is_html: bool) -> DecodedBody:
    """The text of a body.

    A byte order mark wins. An encoding that the header or the page declares holds as long as the bytes can be
    read in it; bytes beyond ASCII that are UTF-8 throughout are UTF-8 even where a single-byte encoding is
    declared, which can read anything. Else the encoding is guessed.
    """
    mark, bom = read_bom(body)
    if mark is not None and bom is not None:
        marked = body[len(bom) :].decode(mark, "replace")
        return DecodedBody(marked, body if mark == "utf-8" else _marked(marked), mark)
    header = http_content_type_encoding(content_type)
    inner = html_body_declared_encoding(body[:4_096]) if is_html else None
    if not _HIGH.search(body) and not wide_encoding(body[:4_096]) and not _is_stateful(header or inner):
        return DecodedBody(body.decode("ascii"), body, "ascii")
    for name in (header, inner):
        declared = _read(body, name)
        if declared is None or name is None:
            continue
        text, known = declared, codecs.lookup(name).name
        if known in _CONTRADICTED and (better := _read(body, "utf-8")) is not None:
            text, known = better, "utf-8"
        return _kept(body, text, known, inner)
    guessed = decode(body)
    is_utf8 = _read(body, "utf-8") is not None
    return _kept(body, guessed, "utf-8" if is_utf8 else "other", inner)


def _kept(body: bytes, text: str, encoding: str, declared: str | None) -> DecodedBody:
    is_plain = encoding == "utf-8" and declared in (None, "utf-8", "utf8")
    return DecodedBody(text, body if is_plain else _marked(text), encoding)


def _marked(text: str) -> bytes:
    return codecs.BOM_UTF8 + text.removeprefix("\ufeff").encode("utf-8", "replace")


def _is_stateful(name: str | None) -> bool:
    """True of encodings whose text is ASCII bytes too, such as those of mail in Japan."""
    return bool(name) and str(name).lower().replace("_", "-").startswith(
        ("iso-2022", "iso2022", "hz", "utf-7")
    )


def _read(body: bytes, name: str | None) -> str | None:
    resolved = resolve_encoding(name) if name else None
    if resolved is None:
        return None
    try:
        return body.decode(resolved)
    except (UnicodeDecodeError, LookupError):
        return None


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


NOT_FOUND_TITLE = _any_of(
    r"^\W*(?:error\W*)?(?:404|410)\b(?!\s*(?:pages?|items|results|ways))",
    r"\b(?:error|status|http)\W{0,3}(?:404|410)\b",
    r"\b404\b.{0,20}\b(?:error|not found)\b",
    r"\b(?:page|file|document|article|content|resource|site|url|address|object|product|item)s?\s+"
    r"(?:(?:was|were|is|are|could|can)\s*(?:not|n.t)|cannot)\s+(?:be\s+)?found\b",
    r"\b(?:page|file|document|article|content|resource|product|item)\s+not\s+found\b",
    r"^\W*not found\W*$",
    r"\b(?:page|article|product|item)\s+(?:does(?:\s*not|n.t)\s+exist|no longer exists|is gone)\b",
    r"\b(?:couldn.t|could not|cannot|can.t)\s+find\s+(?:the|that|this|your|a)\s+(?:page|file|document)\b",
    r"\bnothing (?:was )?found here\b",
    r"\bseite (?:wurde )?nicht gefunden\b",
    r"\bseite existiert nicht\b",
    r"\bpage (?:introuvable|non trouv\w+)\b",
    r"\bp[aá]gina no (?:encontrada|existe)\b",
    r"\bpagina non trovata\b",
    r"\bpagina niet gevonden\b",
    r"\bp[aá]gina n[aã]o encontrada\b",
)


NOT_FOUND_TEXT = _any_of(
    r"\bthe (?:page|file|document|url|address|resource) (?:that )?"
    r"(?:you (?:requested|are looking for|were looking for)|requested).{0,60}"
    r"\b(?:not|n.t|cannot|no longer|removed|moved|deleted)\b",
    r"\b(?:page|file|document)\s+(?:you requested )?"
    r"(?:(?:was|is|could|can)\s*(?:not|n.t)|cannot)\s+(?:be\s+)?found\b",
    r"\b(?:we|sorry|oops).{0,40}\b(?:couldn.t|could not|cannot|can.t)\s+find\b.{0,40}\b(?:page|looking)\b",
    r"\b(?:404|page) not found\b",
    r"\bseite (?:wurde |konnte )?nicht gefunden\b",
)


SCRIPTS_NEEDED = _any_of(
    r"\b(?:enable|activate|turn on|requires?|need|needs|without)\s+(?:\w+\s+){0,3}java\s?script\b",
    r"\bjava\s?script\s+(?:\w+\s+){0,4}(?:disabled|required|enabled|turned off|to run|to use)\b",
    r"\bjava\s?script\s+(?:aktivieren|ist deaktiviert|wird ben[oö]tigt)\b",
    r"\bactiver\s+java\s?script\b",
    r"\bchecking (?:your browser|if the site connection is secure)\b",
)


LOGIN_TITLE = _any_of(
    r"^\W*(?:please )?(?:log|sign)\s?(?:in|on)\b",
    r"\b(?:login|sign[- ]?in|log[- ]?in)(?: page| required)?\W*$",
    r"^\W*(?:anmelden|anmeldung|connexion|iniciar sesi[oó]n)\W*$",
    r"\b(?:login|authentication|sign[- ]in) required\b",
)


LOGIN_REQUIRED = _any_of(
    r"\b(?:you )?(?:must|need to|have to|please)\s+(?:be\s+)?(?:log(?:ged)?|sign(?:ed)?)[- ]?\s?(?:in|on)\b"
    r".{0,60}\b(?:to|before|for)\b",
    r"\b(?:log|sign)\s?in to (?:continue|view|read|see|access)\b",
)


CONSENT = _any_of(
    r"\b(?:before you continue|we value your privacy)\b",
    r"\bwe (?:and our partners )?(?:use|store|process)\b.{0,40}\bcookies?\b",
    r"\b(?:cookies?|consent|datenschutz|privacy)\b.{0,200}"
    r"\b(?:accept|agree|reject|consent|zustimmen|akzeptieren|ablehnen)\b",
    r"\b(?:accept|agree to|consent to)\b.{0,80}\b(?:cookies?|tracking|terms)\b",
    r"\baccepter\b.{0,60}\bcookies?\b",
)


_OF_CONSENT = _any_of(
    r"\b(?:cookies?|consent|gdpr|privacy|partners|vendors|personal data|datenschutz|legitimate interest)\b",
    r"^\W*(?:accept|reject|agree|allow|manage|more options|settings|akzeptieren|ablehnen|accepter|refuser)",
)
_OWN_WORDS = 15  # of a page beside its banner: from there on it says something


CONSENT_ACT = _any_of(
    r"\b(?:accept|reject|agree|allow|consent)(?: to)?(?: all| cookies|\s+and\b| und\b|\W|$)",
    r"\b(?:alle )?(?:akzeptieren|zustimmen|ablehnen)\b",
    r"\b(?:tout )?(?:accepter|refuser)\b",
)


PARKED = _any_of(
    r"\b(?:this )?domain(?: name)?\b.{0,60}\b(?:is|may be|might be)\s+"
    r"(?:for sale|available for (?:purchase|sale)|parked)\b",
    r"\bbuy this domain\b",
    r"\bparked (?:free|domain|page)\b",
    r"\bdomain (?:parking|parked)\b",
    r"\bthis (?:web)?site is parked\b",
    r"\bdiese domain (?:steht zum verkauf|ist zu verkaufen|kaufen)\b",
    r"\bthe owner of this domain\b.{0,80}\b(?:parked|sale|offer)\b",
    r"\bthis domain (?:has )?(?:expired|was recently registered)\b",
)


@dataclass(frozen=True, slots=True)
class FetchedBody:
    """A body as it was fetched, unpacked.

    heeds_robots: what the page asks of crawlers counts. name: of a download, as its server calls it.
    """

    url: str
    data: bytes
    content_type: str = ""
    hints: HeaderHints = _NO_HINTS
    heeds_robots: bool = True
    name: str = ""


@dataclass(frozen=True, slots=True)
class PageJudgement:
    """The judgement of a body. data: the bytes to keep; leads_to: for a redirect or a canonical address.

    words: of its main text, for a comparison with the answer to a missing address; None where there is
    none to make. sitemap: the body is a list of addresses.
    """

    state: UrlState
    reason: UrlReason = UrlReason.NONE
    detail: str = ""
    media_type: str = ""
    title: str = ""
    data: bytes = b""
    text_hash: str = ""
    leads_to: Address | None = None
    markup: PageMarkup = _NO_MARKUP
    words: tuple[str, ...] | None = None
    is_sitemap: bool = False


def is_loaded(content_type: str, path: str, kinds: tuple[PageKind, ...]) -> bool:
    """True where the body of an answer may be a page of the kinds that are kept, or hold addresses.

    Told by the header alone; a type that says nothing is loaded unless the name in the address is foreign.
    """
    media = content_type.partition(";")[0].strip().lower()
    if media in ("application/pdf", "application/x-pdf"):
        return PageKind.PDF in kinds
    if _OFFICE.fullmatch(media):
        return PageKind.OFFICE in kinds
    if media in ("application/gzip", "application/x-gzip"):
        return path.partition("?")[0].lower().endswith(".xml.gz")
    if not _LOADED.fullmatch(media):
        return False
    is_vague = not media or media.endswith(("octet-stream", "download", "unknown"))
    return not (is_vague and _FOREIGN_NAME.search(path.partition("?")[0])) or path.endswith(".xml.gz")


def judge_page(body: FetchedBody, kinds: tuple[PageKind, ...], limits: ParseLimits) -> PageJudgement:
    """The judgement of one body by its content; its header decides only between kinds of text."""
    if not body.data.strip(b" \t\r\n\0"):
        return PageJudgement(UrlState.FAILED, UrlReason.EMPTY, "The body is empty.")
    media = body.content_type.partition(";")[0].strip().lower()
    if is_sitemap(body.data):
        return PageJudgement(
            UrlState.SKIPPED, UrlReason.SITEMAP, media_type="application/xml", is_sitemap=True
        )
    try:
        kind = sniff_stream(io.BytesIO(body.data), body.name or body.url.partition("?")[0])
    except InputError as error:
        return PageJudgement(
            UrlState.SKIPPED, UrlReason.MEDIA_TYPE, error.message, media or "application/octet-stream"
        )
    if kind in _TEXTUAL and media in _HTML_TYPES:
        kind = FileKind.HTML
    if kind == FileKind.HTML:
        return _judge_html(body, kinds, limits)
    media_type = media_type_of(kind) or "application/zip"
    if kind == FileKind.TEXT and media.endswith(("xml", "json", "javascript", "css")):
        return PageJudgement(UrlState.SKIPPED, UrlReason.MEDIA_TYPE, media_type=media)
    if _KINDS.get(kind) not in kinds:
        return PageJudgement(UrlState.SKIPPED, UrlReason.MEDIA_TYPE, media_type=media_type)
    noindex = body.hints.robots.is_noindex
    state, reason = (UrlState.SKIPPED, UrlReason.NOINDEX) if noindex else (UrlState.KEPT, UrlReason.NONE)
    data = body.data
    if kind in _TEXTUAL:
        data = decode_body(body.data, body.content_type, is_html=False).data
    return PageJudgement(state, reason, media_type=media_type, title=_printable(body.name), data=data)


def _judge_html(body: FetchedBody, kinds: tuple[PageKind, ...], limits: ParseLimits) -> PageJudgement:
    decoded = decode_body(body.data, body.content_type, is_html=True)
    markup = read_markup(decoded.text, body.url, decoded.encoding, body.hints)
    document = document_from_html(decoded.text, body.url, limits)
    text = "\n".join(page.text for page in document.pages)
    words = tuple(_WORD.findall(text.lower()))
    media_type = HTML

    def judged(
        state: UrlState, reason: UrlReason = UrlReason.NONE, detail: str = "", to: Address | None = None
    ) -> PageJudgement:
        is_kept = state in (UrlState.KEPT, UrlState.DUPLICATE)
        return PageJudgement(
            state,
            reason,
            detail,
            media_type,
            _printable(document.title),
            decoded.data if is_kept else b"",
            text_hash_of(document) if is_kept else "",
            to,
            markup,
            words,
        )

    longest_s = _LONGEST_REFRESH_S if len(words) < _FEW_WORDS else _AT_ONCE_S  # before anybody reads it
    refresh = markup.refresh if markup.refresh_s <= longest_s else None
    if refresh is not None and refresh.url != body.url:
        return judged(UrlState.REDIRECTED, to=refresh)
    reason, detail = _fault(markup, document, text, len(words))
    if reason is not UrlReason.NONE:
        return judged(UrlState.FAILED, reason, detail)
    if markup.robots.is_noindex and body.heeds_robots:
        return judged(UrlState.SKIPPED, UrlReason.NOINDEX)
    if PageKind.HTML not in kinds:
        return judged(UrlState.SKIPPED, UrlReason.MEDIA_TYPE)
    if markup.canonical is not None and markup.canonical.url != body.url:
        return judged(UrlState.DUPLICATE, UrlReason.CANONICAL, to=markup.canonical)
    return judged(UrlState.KEPT)


def text_hash_of(document: ParsedDocument) -> str:
    """A hash of the words of a document, by which a page counts as changed; "" where it has none."""
    words = " ".join(" ".join(page.text for page in document.pages).split())
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest() if words else ""


def is_like_missing(words: tuple[str, ...], missing: tuple[str, ...]) -> bool:
    """True where a page says the same as the answer to an address that surely does not exist."""
    if not missing or not words:
        return False
    if abs(len(words) - len(missing)) > 0.2 * max(len(words), len(missing)) + 6:
        return False
    ratio = difflib.SequenceMatcher(None, words, missing, autojunk=False).ratio()
    other = (1 - ratio) * (len(words) + len(missing))  # words that only one of the two has
    return ratio >= _LIKE or (ratio >= _LIKE_WHEN_SHORT and other <= _MOST_OTHER_WORDS)


def may_be_missing(judgement: PageJudgement) -> bool:
    """True of short pages, which are worth a comparison with the answer to a missing address."""
    return (
        judgement.state in (UrlState.KEPT, UrlState.DUPLICATE)
        and judgement.words is not None
        and len(judgement.words) < _FEW_WORDS
    )


def _fault(markup: PageMarkup, document: ParsedDocument, text: str, words: int) -> tuple[UrlReason, str]:
    if words >= _FEW_WORDS:
        return UrlReason.NONE, ""
    if not words:
        return _without_text(markup)
    title = document.title
    heads = (title, *markup.headings)
    if PARKED.search(f"{title}\n{text}"):
        return UrlReason.PARKED, "The domain has no site of its own."
    if any(NOT_FOUND_TITLE.search(each) for each in heads):
        return UrlReason.SOFT_404, "It says that there is no such page, with status 200."
    if words < 60 and NOT_FOUND_TEXT.search(text):
        return UrlReason.SOFT_404, "It says that there is no such page, with status 200."
    is_login = any(LOGIN_TITLE.search(each) for each in heads)
    if markup.has_password and (words < 60 or is_login or LOGIN_REQUIRED.search(text)):
        return UrlReason.LOGIN_WALL, "It asks for a password and shows little else."
    if is_login and words < 60 and LOGIN_REQUIRED.search(text):
        return UrlReason.LOGIN_WALL, "It asks to log in and shows little else."
    asks_consent = CONSENT.search(text) and CONSENT_ACT.search(text)
    if asks_consent and words < 100 and len(markup.links) <= _MANY_LINKS and not _says_more(title, text):
        return UrlReason.CONSENT_WALL, "It asks for consent and shows little else."
    if markup.has_scripts and words < _VERY_FEW_WORDS * 2 and SCRIPTS_NEEDED.search(text):
        return UrlReason.NEEDS_SCRIPTS, "It asks for JavaScript and shows little else."
    if markup.has_scripts and words < _VERY_FEW_WORDS and SCRIPTS_NEEDED.search(markup.noscript):
        return UrlReason.NEEDS_SCRIPTS, "It shows little without its scripts."
    return UrlReason.NONE, ""


def _says_more(title: str, text: str) -> bool:
    """True where a page that asks for consent is about something else: a banner on a short page."""
    lines = [line for line in text.splitlines() if not (CONSENT.search(line) or _OF_CONSENT.search(line))]
    return not CONSENT.search(title) and len(_WORD.findall(" ".join(lines))) >= _OWN_WORDS


def _without_text(markup: PageMarkup) -> tuple[UrlReason, str]:
    if markup.has_scripts:
        return UrlReason.NEEDS_SCRIPTS, "It shows no text without its scripts."
    return UrlReason.EMPTY, "It has images, and no text." if markup.has_media else "It has no text."


def _printable(title: str) -> str:
    """The title without signs that are not seen, among them those that turn the direction of writing."""
    return "".join(sign for sign in title if unicodedata.category(sign)[0] != "C")

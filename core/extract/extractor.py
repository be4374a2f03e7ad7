"""Extractor of a document's facts, field by field: every method of a schema, over one text, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.config.fields import (
    Extractor as ExtractorSpec,
)
from core.config.fields import (
    FieldDefinition,
    HeadExtractor,
    HeadingExtractor,
    KeyValueExtractor,
    PatternExtractor,
    RuleExtractor,
    Schema,
    SemanticExtractor,
    TableExtractor,
    WordsExtractor,
)
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import (
    DEFAULT_LEVEL,
    MAX_CANDIDATES,
    AnnotationRow,
    CellStatus,
    Clause,
    Extraction,
    FieldType,
    Financial,
    Finding,
    PartyRow,
    PromiseLevel,
)
from core.extract.absence import settle, without_words, words_missing
from core.extract.base import Definitions, DocumentText, Rule, Thresholds, head_of, uncertain
from core.extract.clauses.classifier import HeadFinding, decide
from core.extract.decision import amount_first
from core.extract.headings import Section, find_under_headings, sections
from core.extract.key_value import find_beside_keys, pairs_row
from core.extract.patterns import find_patterns
from core.extract.semantic import Encode, find_by_meaning
from core.extract.summaries import summaries_of
from core.extract.tables import FIRST_PDF_TABLE, find_in_columns, read_rows, titles_of
from core.extract.unpivot import UNPIVOTED, unpivoted
from core.extract.values.amounts import financial_rows
from core.extract.values.parties import party_rows
from core.extract.words.candidates import find_in_words, head_for
from core.extract.words.units import Units, units_of
from core.fields.consistency import consistent, doubted
from core.fields.promise import HEAD, ClauseLimit, QuestionPromise, clause_probability
from core.values.names import legal_form, normal_name

_UNSURE = 0.5
_CALIBRATED = frozenset({"head", "words"})


class Heads(Protocol):
    """Trained clause heads; `levels` ship with them."""

    @property
    def levels(self) -> Mapping[PromiseLevel, Mapping[str, Thresholds]]:
        """Of every promise level the thresholds by which each head decides unless an admin moved them."""
        ...

    def find(self, document: DocumentText) -> Mapping[str, HeadFinding]:
        """Findings of every head on a document."""
        ...


@dataclass
class _Pass:
    """One document on its way through the fields."""

    document: DocumentText
    limits: Mapping[str, Thresholds]
    vectors: SentenceVectors | None
    notes: list[str] = field(default_factory=list)
    level: PromiseLevel = DEFAULT_LEVEL
    word_heads: Mapping[str, str] = field(default_factory=dict)
    heads: Mapping[str, HeadFinding] | None = None
    rules: dict[str, Finding] = field(default_factory=dict)
    units: Units | None = None


class Extractor:
    """Finds all fields of a schema. Not for several threads at once with one document.

    heads: None where no trained heads are at hand; fields that need them are then uncertain, and say so.
    rules: by the name that schemas use. encode: for examples of semantic fields; None where there is none.
    """

    def __init__(
        self, heads: Heads | None, rules: Mapping[str, Rule], *, encode: Encode | None = None
    ) -> None:
        self._heads = heads
        self._rules = rules
        self._encode = encode

    def extract(
        self,
        document: DocumentText,
        schema: Schema,
        thresholds: Mapping[str, Thresholds] | None = None,
        vectors: SentenceVectors | None = None,
        fields: Iterable[str] = (),
        level: PromiseLevel = DEFAULT_LEVEL,
        known: Mapping[str, Finding] | None = None,
        word_heads: Mapping[str, str] | None = None,
        beside: Mapping[str, Finding] | None = None,
    ) -> Extraction:
        """Findings of all fields of `schema` (or of those named), with the rows and facts of the document.

        known: findings of an earlier step on the same text, which are taken as they are. word_heads: by field
        in words the text of its own head. beside: cells as they count that checks compare with: verdicts of
        people, and fields that are not asked for now. A document without readable text has unreadable cells.
        A method that fails on a text leaves its field uncertain and is named in the notes; the others go on.
        """
        wanted = frozenset(fields)
        asked = [each for each in schema.fields if not wanted or each.name in wanted]
        types = {each.name: each.type for each in asked}
        if not document.is_readable:
            unreadable = Finding(CellStatus.UNREADABLE, note="The document has no readable text.")
            return Extraction(schema.name, {each.name: unreadable for each in asked}, types=types)
        rows, notes = _rows(document)
        document = replace(document, rows=rows)
        run = _Pass(document, thresholds or {}, vectors, notes, level, word_heads or {})
        before = known or {}
        findings = {each.name: before.get(each.name) or self._find(run, each) for each in asked}
        findings = consistent(schema.fields, findings, beside or {})
        tables = (*rows, *unpivoted(document, rows))
        if "cap_on_liability" in findings:
            findings["cap_on_liability"] = amount_first(
                document, findings["cap_on_liability"], findings.get("liability_cap_amount")
            )
        return Extraction(
            schema=schema.name,
            findings=findings,
            rows=tables,
            titles=titles_of(document, tables),
            clauses=clauses_of(document, schema, findings),
            parties=parties_of(document, schema, findings),
            financials=financials_of(document, schema, findings),
            summaries=() if wanted else summaries_of(document, schema, findings, vectors),
            family=family_of(findings),
            notes=tuple(run.notes),
            types=types,
        )

    def _find(self, run: _Pass, definition: FieldDefinition) -> Finding:
        try:
            finding = self._decide(run, definition)
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            # A text that brings out a fault of ours costs one cell, not the document.
            note = f"Field {definition.name!r} could not be read ({type(error).__name__}: {error})."
            run.notes.append(note)
            return uncertain(_UNSURE, "", note=note)
        return _as_candidate(finding) if definition.candidates_only else finding

    def _decide(self, run: _Pass, definition: FieldDefinition) -> Finding:
        """The first method that decides counts; else the first doubt, else that nothing was found."""
        doubt: Finding | None = None
        absence: Finding | None = None
        cannot = ""
        for spec in definition.extractors:
            finding = self._ask(run, definition, spec)
            if finding is None:
                cannot = cannot or self._why_not(run, spec)
            elif finding.status is CellStatus.PRESENT:
                return self._noted(run, definition, finding) if doubt is None else finding
            elif finding.status is CellStatus.UNCERTAIN:
                doubt = finding if doubt is None else _with_head(doubt, finding)
            elif finding.method in _CALIBRATED:  # it says that the clause is not there
                if doubt is not None:
                    return _with_head(doubt, finding)
                return self._noted(run, definition, finding)
            else:
                absence = absence or finding
        if doubt is not None:
            return without_words(run.document, definition, doubt)
        if cannot:
            return uncertain(_UNSURE, "", note=cannot)
        if not definition.extractors:
            return uncertain(0.0, "", note="Nothing says yet how to find this field.")
        nothing = Finding(CellStatus.ABSENT, method=definition.extractors[0].method)
        return settle(run.document, definition, absence or nothing)

    def _noted(self, run: _Pass, definition: FieldDefinition, finding: Finding) -> Finding:
        """A head's finding with why the clause is absent should another promise level leave it unsure."""
        head = head_of(definition)
        levels = self._heads.levels.values() if self._heads is not None else ()
        lines = [level[head] for level in levels if head in level]
        p = clause_probability(finding) if finding.method == HEAD else None
        if p is None or not any(each.absent_below <= p < each.present_from for each in lines):
            return finding
        note = words_missing(run.document, definition, finding)
        return replace(finding, note=note) if note else finding

    def _ask(self, run: _Pass, definition: FieldDefinition, spec: ExtractorSpec) -> Finding | None:
        document = run.document
        match spec:
            case HeadExtractor():
                return self._ask_head(run, definition, spec.head)
            case RuleExtractor():
                return self._ask_rule(run, spec.rule)
            case PatternExtractor():
                return find_patterns(document, definition, spec)
            case HeadingExtractor():
                return find_under_headings(document, definition, spec)
            case KeyValueExtractor():
                return find_beside_keys(document, definition, spec)
            case TableExtractor():
                return find_in_columns(document, definition, spec)
            case SemanticExtractor():
                return find_by_meaning(document, definition, spec, run.vectors, self._encode)
            case WordsExtractor():
                if run.units is None:
                    run.units = units_of(document, run.vectors)
                head = head_for(run.word_heads, definition.name)
                return find_in_words(run.units, document, definition, spec, run.vectors, self._encode, head)

    def _ask_head(self, run: _Pass, definition: FieldDefinition, head: str) -> Finding | None:
        if self._heads is None:
            return None
        if run.heads is None:
            run.heads = self._heads.find(run.document)
        found = run.heads.get(head)
        if found is None:
            return None
        limits = self._heads.levels.get(run.level, {}).get(head, Thresholds())
        moved = run.limits.get(definition.name)
        if moved is not None:
            limits = replace(limits, absent_below=moved.absent_below, present_from=moved.present_from)
        return decide(found, limits)

    def _ask_rule(self, run: _Pass, rule: str) -> Finding | None:
        if rule not in self._rules:
            return None
        if rule not in run.rules:
            run.rules[rule] = self._rules[rule](run.document)
        found = run.rules[rule]
        return found if found.method else replace(found, method=rule)

    def _why_not(self, run: _Pass, spec: ExtractorSpec) -> str:
        """Reason why a method could not say anything; "" where it looked and found nothing."""
        if spec.method == "head":
            known = "knows this clause type" if self._heads else "is installed"
            return f"No trained model {known}."
        if spec.method == "rule" and spec.rule not in self._rules:
            return f"There is no rule {spec.rule!r}."
        if spec.method == "semantic" and (run.vectors is None or self._encode is None):
            return "The document's sentences have no vectors to compare by meaning."
        return ""


def _rows(document: DocumentText) -> tuple[tuple[AnnotationRow, ...], list[str]]:
    """The tables of the text, those that were read from the PDF before, and the pairs of keys and values."""
    rows, notes = read_rows(document)
    rows += [each for each in document.rows if FIRST_PDF_TABLE <= each.table < UNPIVOTED]
    is_sheet = bool(rows) and rows[0].table == 0 and len(rows) >= 1_000
    pairs = None if is_sheet else pairs_row(replace(document, rows=tuple(rows)))
    return (*rows, *((pairs,) if pairs else ())), notes


def _with_head(doubt: Finding, finding: Finding) -> Finding:
    """A doubt of an earlier method, with the head's best sentence and its probability."""
    own = [each for each in finding.candidates if each.method == HEAD][:1]
    if doubt.method == HEAD or not own:
        return doubt
    return replace(doubt, candidates=(*doubt.candidates[: MAX_CANDIDATES - 1], *own))


def _as_candidate(finding: Finding) -> Finding:
    """A fact as a candidate only: a person decides."""
    if finding.status is not CellStatus.PRESENT:
        return finding
    return doubted(finding, "Fields of this kind are only ever shown as candidates.")


_DIRECTLY_NAMED = 0.7
_ROLES = ("vendor", "customer", "holder", "issuer", "manufacturer")
_STARTS = ("effective_date", "agreement_date", "invoice_date", "issued", "valid_from", "document_date")
_ENDS = ("expiration_date", "valid_until", "due_date")


def clauses_of(document: DocumentText, schema: Schema, findings: Mapping[str, Finding]) -> tuple[Clause, ...]:
    """The clauses that are present, in the order of the schema, each with the heading above it."""
    present = [each for each in _present(schema, findings) if each.type is FieldType.BOOLEAN]
    if not present:
        return ()
    all_sections = document.once(sections)
    found = []
    for definition in present:
        finding = findings[definition.name]
        for quote in finding.spans[:3]:
            start, _ = document.span(quote)
            path = _path(all_sections, start)
            title = path[-1] if path else definition.title
            found.append(Clause(definition.name, title, quote, path, confidence=round(finding.confidence, 4)))
    return tuple(found)


def parties_of(
    document: DocumentText, schema: Schema, findings: Mapping[str, Finding]
) -> tuple[PartyRow, ...]:
    """Every party that a field states, once, with its role, legal form, jurisdiction and identifiers.

    A role is what the contract calls the party; else the field that it stands in ("vendor").
    """
    named = findings.get("parties")
    is_fact = named is not None and named.status is CellStatus.PRESENT
    given = {each.normal for each in named.values} if named is not None and is_fact else set()
    rows = {each.normal: each for each in (party_rows(document) if given else ()) if each.normal in given}
    stated = [each for each in _present(schema, findings) if each.type is FieldType.PARTY]
    for definition in sorted(stated, key=lambda each: each.name not in _ROLES):
        finding = findings[definition.name]
        role = definition.name if definition.name in _ROLES else ""
        for value, quote in zip(finding.values, finding.spans, strict=False):
            normal = value.normal or normal_name(value.text)
            known = rows.get(normal)
            if known is None:
                rows[normal] = PartyRow(value.text, normal, quote, role, legal_form(value.text))
            elif role and not known.role:
                rows[normal] = replace(known, role=role)
    return tuple(rows.values())


def financials_of(
    document: DocumentText, schema: Schema, findings: Mapping[str, Finding]
) -> tuple[Financial, ...]:
    """Every amount of money that a field states, with the dates from and until which the document holds."""
    effective = _first_date(findings, _STARTS)
    expires = _first_date(findings, _ENDS)
    found = []
    for definition in _present(schema, findings):
        if definition.type is not FieldType.MONEY:
            continue
        finding = findings[definition.name]
        for value, quote in zip(finding.values, finding.spans, strict=False):
            if value.amount is not None:
                found.append(Financial(definition.name, value, quote, effective=effective, expires=expires))
    if schema.field("liability_cap_amount") is not None:
        found += _named_amounts(document, found, effective, expires)
    return tuple(found)


def _named_amounts(
    document: DocumentText, known: list[Financial], effective: str, expires: str
) -> list[Financial]:
    """Caps of liability and sums of insurance, each as often as the contract names one."""
    have = {(each.quote.span.page_no, each.quote.span.start) for each in known}
    return [
        replace(each, effective=effective, expires=expires)
        for each in financial_rows(document, _DIRECTLY_NAMED)
        if each.metric in ("liability_cap", "insurance")
        and (each.quote.span.page_no, each.quote.span.start) not in have
    ]


def family_of(findings: Mapping[str, Finding]) -> str:
    """The agreement that an amendment names, normalised; "" for none."""
    finding = findings.get("amendment_of")
    if finding is None or finding.status is not CellStatus.PRESENT or not finding.values:
        return ""
    value = finding.values[0]
    return value.normal or value.text.casefold()


def _present(schema: Schema, findings: Mapping[str, Finding]) -> list[FieldDefinition]:
    return [
        each
        for each in schema.fields
        if each.name in findings and findings[each.name].status is CellStatus.PRESENT
    ]


def _path(all_sections: list[Section], offset: int) -> tuple[str, ...]:
    """The headings over a place, the highest first."""
    over = [each for each in all_sections if each.start <= offset < each.end]
    return tuple(each.title for each in sorted(over, key=lambda each: (each.level, each.start)))[:6]


def _first_date(findings: Mapping[str, Finding], names: tuple[str, ...]) -> str:
    for name in names:
        finding = findings.get(name)
        if finding is not None and finding.status is CellStatus.PRESENT and finding.values:
            value = finding.values[0]
            if value.type is FieldType.DATE and value.amount is not None:
                return value.text
    return ""


def question_promise(
    level: PromiseLevel, definitions: Definitions, heads: Heads | None, buckets: list[str]
) -> QuestionPromise:
    """The lines by which extraction at that level would decide the clauses of these buckets.

    Fields whose lines an admin moved are left out: no level decides them.
    """
    if heads is None:
        return QuestionPromise(level, ())
    known = heads.levels.get(level, {})
    limits: dict[tuple[str, str], ClauseLimit] = {}
    for bucket in buckets:
        moved = definitions.thresholds.get(bucket, {})
        for each in (own for schema in definitions.possible(bucket) for own in schema.fields):
            head = head_of(each)
            if (
                head
                and each.type is FieldType.BOOLEAN
                and each.name not in moved
                and not each.candidates_only
            ):
                lines = known.get(head, Thresholds())
                limits[bucket, each.name] = ClauseLimit(
                    bucket, each.name, lines.absent_below, lines.present_from
                )
    return QuestionPromise(level, tuple(limits.values()))

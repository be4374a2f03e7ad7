"""Fields in plain words: checked, tried, added one by one or many at once, and taught by verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property

from core.config.field_words import WordedField, check_words, definition_of_words
from core.config.fields import FieldDefinition, Schema
from core.config.schema_check import field_definition
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import FieldType, Quote, ReviewAction
from core.domain.ids import DocumentId, JobId
from core.domain.trust.permission import Action
from core.errors import NotFoundError, SettingsError, UsageError
from core.fields.word_field import AddCost, Contradiction, FieldVerdict, LearntField, ScanProgress, WordTrial
from core.jobs import queue
from core.jobs.kinds import LEARN
from core.store.base import DocumentQuery
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.services.matrix import MatrixService
from core.workbench.services.schemas import FieldLike, SchemaService
from core.workbench.verdicts import read_value

DOCUMENT_S = 0.12
"""Seconds that reading a document for fields in words takes whatever their number; measured on contracts."""

CELL_S = 0.012
"""Seconds that one more field takes in a document; measured on contracts of 19 pages on average."""


class WordFieldService(Service):
    """Fields in words. Seen by everybody, defined by admins, judged by reviewers."""

    _schemas = cached_property(lambda self: SchemaService(self._parts, self._principal))
    _matrix = cached_property(lambda self: MatrixService(self._parts, self._principal))

    def check(self, schema: str, field: WordedField, *, own: str = "") -> None:
        """Raises SettingsError, with what to write instead, where these words could not find anything.

        own: the name of the field that is changed, which may say what it said.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        check_words(field, [each for each in self._schema(schema).fields if each.name != own])

    def try_words(
        self, schema: str, definition: FieldLike, bucket: str, verdicts: Sequence[FieldVerdict] = ()
    ) -> Iterator[ScanProgress | WordTrial]:
        """Progress of a look through the bucket, and at last documents to judge, with what is known so far.

        verdicts: those given in this trial. Nothing is kept, and it may be left at any point. Raises
        RefusedError.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        field = field_definition(definition)
        documents = self._documents(schema, bucket)
        verdicts = _one_each(verdicts)
        groups = "*" if self._visible.groups is None else ",".join(sorted(self._visible.groups))
        versions = hash(tuple((each.id, each.version) for each in documents))
        key = f"{schema}\0{bucket}\0{groups}\0{versions}"
        yield from self._parts.word_trials.run(field, documents, verdicts, key)

    @recorded("schema.add_field", "schema", "definition")
    def add(self, schema: str, definition: FieldLike, verdicts: Sequence[FieldVerdict] = ()) -> JobId | None:
        """Add the field, keep the verdicts as those of its cells, and learn from them.

        Gives the job that fills it for all documents, None where there are none. Raises RefusedError,
        SettingsError where the name is taken, and before anything is kept NotFoundError for a document that
        is gone and UsageError for a sentence that says no value of the field.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        field = field_definition(definition)
        verdicts = _one_each(verdicts)
        self._require_kept(field, verdicts)

        def deed() -> Schema:
            changed = self._parts.schema_editor.add_field(schema, field)
            self._keep(schema, field, verdicts)
            return changed

        return self._schemas.change(schema, (field.name,), deed)

    @recorded("schema.judge_field", "schema", "field")
    def judge(self, schema: str, field: str, verdicts: Sequence[FieldVerdict]) -> None:
        """Keep verdicts on a field that is there as those of its cells; they are facts at once.

        Raises as `add`, before any is kept.
        """
        self._permit(Action.REVIEW, "review cells")
        definition, given = self._definition(schema, field), _one_each(verdicts)
        self._require_kept(definition, given)
        for each in given:
            self._judge(definition, each)

    @recorded("schema.learn_field", "schema", "field")
    def learn(self, schema: str, field: str) -> JobId:
        """Enqueue the learning from all verdicts on a field; its cells are then filled anew.

        Who may judge may have learnt from it: it comes by itself once some verdicts are new.
        """
        self._permit(Action.REVIEW, "review cells")
        definition = self._definition(schema, field)
        payload = {"fields": {schema: [field]}}
        return queue.submit(
            self._parts.records, LEARN, f"“{definition.title}” learnt", payload, user=self._principal.user
        )

    @recorded("schema.settle_field", "schema", "field")
    def settle(self, schema: str, field: str, pair: Contradiction, *, is_stated: bool) -> JobId:
        """Judge a sentence of two documents alike, and learn anew; gives the job.

        A document that is now said to state the field is judged by that sentence as it stands in it. Raises
        NotFoundError where one of the documents is not there, or may not be seen.
        """
        self._permit(Action.REVIEW, "review cells")
        definition = self._definition(schema, field)
        self._require_seen((pair.stated_in, pair.not_in))
        if not is_stated:
            self._judge(definition, FieldVerdict(pair.stated_in, False))
        else:
            quote = self._sentence_in(pair)
            self._judge(definition, FieldVerdict(pair.not_in, True, (quote,)))
        return self.learn(schema, field)

    def _sentence_in(self, pair: Contradiction) -> Quote:
        """The sentence of a contradiction as it stands in the document that was judged not to state it."""
        from core.extract.jobs.service import read_task
        from core.extract.words.candidates import sentence_key
        from core.extract.words.units import units_of

        task = read_task(self._parts.records, self._parts.definitions(), pair.not_in)
        key = sentence_key(pair.sentence)
        for each in units_of(task.text, None).segments:
            if sentence_key(each.text).startswith(key):
                return task.text.quote(each.start, each.end)
        raise NotFoundError(
            "The sentence does not stand in that document any more.", next_step="Open it and judge it there."
        )

    def learnt(self, schema: str, field: str) -> LearntField:
        """State of a field in words. Contradictions are given where both documents may be seen."""
        from core.extract.words.candidates import head_for
        from core.extract.words.learning import contradictions_of

        known = self._parts.records.word_heads.get(schema, field)
        state = self._parts.records.word_heads.verdicts(schema, field, self._visible)
        if known is None:
            return LearntField(state.verdicts, 0, False, 0, 0, ())
        head = head_for({field: known.head}, field)
        assert head is not None
        found = contradictions_of(head)
        documents = [each for pair in found for each in (pair.stated_in, pair.not_in)]
        seen = self._parts.records.documents.get_many(documents, self._visible)
        shown = tuple(each for each in found if each.stated_in in seen and each.not_in in seen)
        decided, right = int(head.figures.get("decided", 0)), int(head.figures.get("right", 0))
        return LearntField(state.verdicts, known.verdicts, head.decides, decided, right, shown)

    def cost(self, schema: str, fields: int) -> AddCost:
        """Cost of so many new fields over all documents of the home that a schema may read."""
        buckets = self._parts.records.documents.buckets(self._visible)
        documents = sum(
            each.documents
            for each in buckets
            if any(known.name == schema for known in self._parts.definitions().possible(each.name))
        )
        return AddCost(fields, documents, documents * (DOCUMENT_S + fields * CELL_S))

    def read_lines(self, schema: str, lines: Sequence[WordedField]) -> list[FieldDefinition]:
        """Definitions of many fields. Raises SettingsError, which names the first one that cannot be used."""
        known = list(self._schema(schema).fields)
        found: list[FieldDefinition] = []
        for each in lines:
            try:
                check_words(each, [*known, *found])
            except SettingsError as error:
                raise SettingsError(
                    f"{each.title[:60]!r}: {error.message}", next_step=error.next_step
                ) from None
            found.append(definition_of_words(each))
        return found

    @recorded("schema.add_fields", "schema", "fields")
    def add_many(self, schema: str, fields: Sequence[FieldDefinition]) -> JobId | None:
        """Add fields at once; gives the one job that fills them. Cancelled, it leaves cells that are empty.

        Raises RefusedError, and SettingsError where one cannot be added: then none is.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        names = tuple(each.name for each in fields)
        return self._schemas.change(
            schema, names, lambda: self._parts.schema_editor.add_fields(schema, fields)
        )

    def _keep(self, schema: str, field: FieldDefinition, verdicts: Sequence[FieldVerdict]) -> None:
        for each in verdicts:
            self._judge(field, each)
        if verdicts:
            from core.extract.jobs.word_learning import learn_field

            parts = self._parts
            encode = parts.query_encoder.encode_queries
            learn_field(parts.records, parts.definitions(), schema, field, encode, datetime.now(UTC))

    def _require_kept(self, field: FieldDefinition, verdicts: Sequence[FieldVerdict]) -> None:
        """Raises where one of the verdicts could not be kept."""
        self._require_seen([each.document for each in verdicts])
        for each in verdicts:
            if each.is_stated and field.type is not FieldType.BOOLEAN:
                if not each.quotes:
                    raise UsageError(
                        f"A document is said to state “{field.title}”, but not where.",
                        next_step="Choose the sentence that says it.",
                    )
                read_value(each.quotes[0].quote, field.name, field)

    def _require_seen(self, documents: Sequence[DocumentId]) -> None:
        """Raises NotFoundError alike for a document that is not there and one that may not be seen."""
        seen = self._parts.records.documents.get_many(list(documents), self._visible)
        gone = next((each for each in documents if each not in seen), None)
        if gone is not None:
            raise NotFoundError(
                f"There is no document {gone!r} that you may see.", next_step="Begin the trial again."
            )

    def _judge(self, field: FieldDefinition, verdict: FieldVerdict) -> None:
        if not verdict.is_stated:
            self._matrix.review(verdict.document, field.name, ReviewAction.ABSENT)
        elif field.type is FieldType.BOOLEAN:
            self._matrix.review(
                verdict.document, field.name, ReviewAction.CORRECT, value="true", quotes=verdict.quotes
            )
        else:
            quotes = verdict.quotes[:1]
            value = quotes[0].quote if quotes else None
            self._matrix.review(
                verdict.document, field.name, ReviewAction.CORRECT, value=value, quotes=quotes
            )

    def _documents(self, schema: str, bucket: str) -> list[DocumentSummary]:
        """Readable documents of a bucket that are read by a schema, or were never read."""
        read_by = self._parts.extraction_states.by_document(self._visible, bucket)
        found = self._parts.records.documents.list(self._visible, DocumentQuery(bucket=bucket))
        return [
            each
            for each in found
            if each.version
            and each.status is DocumentStatus.READY
            and read_by.get(DocumentId(each.id), schema) == schema
        ]

    def _schema(self, name: str) -> Schema:
        return self._parts.schemas.schema(name)

    def _definition(self, schema: str, name: str) -> FieldDefinition:
        found = self._schema(schema).field(name)
        if found is None:
            raise NotFoundError(
                f"Schema {schema!r} has no field {name!r}.", next_step="See the schema for its fields."
            )
        return found


def _one_each(verdicts: Sequence[FieldVerdict]) -> list[FieldVerdict]:
    """The last verdict on each document."""
    return list({each.document: each for each in verdicts}.values())

"""Schemas and their fields, and the jobs that apply their changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.config.fields import FieldDefinition, Schema
from core.config.schema_check import field_definition
from core.domain.document import DocumentSummary
from core.domain.fields import Finding
from core.domain.ids import DocumentId, JobId
from core.domain.job import Job
from core.domain.trust.permission import Action
from core.errors import NotFoundError
from core.fields.word_field import ExampleProposal
from core.jobs import queue
from core.jobs.kinds import EXTRACT
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.fields import carry_verdicts
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

FieldLike = FieldDefinition | Mapping[str, Any]
"""A field, or its keys and values as TOML and JSON have them: {"name": ..., "title": ..., "type": ...}."""
_TRIED_AT_MOST = 50


class SchemaService(Service):
    """Schemas: seen by everybody, changed by admins."""

    def of_bucket(self, bucket: str) -> Schema:
        """The schema of a bucket: the one assigned to it, else that of most of its documents."""
        assigned = self._parts.schemas.of_bucket(bucket)
        if assigned is not None:
            return assigned
        used = self._parts.extraction_states.schemas(self._visible, bucket)
        known = {each.name: each for each in self._parts.schemas.schemas()}
        most = sorted((-count, name) for name, count in used.items() if name in known)
        return known[most[0][1]] if most else self._parts.schemas.schema_for(bucket)

    def removed_fields(self, schema: str) -> tuple[FieldDefinition, ...]:
        """Fields that were taken out and can be restored, with their cells."""
        return self._parts.schemas.removed(schema)

    def examples(
        self, schema: str, field: str, known: Sequence[str] = (), most: int = 2
    ) -> list[ExampleProposal]:
        """Words of this home that the definition may take as examples; `most` of each kind, none of `known`.

        Raises RefusedError.
        """
        from core.workbench.fields.examples import MOST_READ, proposals

        self._permit(Action.CONFIGURE, "change schemas")
        records, visible = self._parts.records, self._visible
        verdicts = records.fields.newest_verdicts(visible, schema, field, MOST_READ)
        disputes = records.model_readings.contradictions(visible, None, [field])
        return proposals(records, visible, verdicts, disputes, most=most, known=known)

    def export(self, schema: str) -> str:
        """A schema as TOML text."""
        return self._parts.schemas.export(schema)

    @recorded("schema.add", "schema")
    def add(self, schema: Schema) -> Schema:
        """Make a schema of the home's own. Raises SettingsError."""
        self._permit(Action.CONFIGURE, "change schemas")
        return self._parts.schema_editor.add_schema(schema)

    @recorded("schema.assign_bucket", "schema", "bucket")
    def assign_bucket(self, schema: str, bucket: str) -> JobId | None:
        """Read all documents of a bucket as `schema` from now on; gives the job that extracts them anew."""
        self._permit(Action.CONFIGURE, "change schemas")
        self._parts.schema_editor.assign_bucket(schema, bucket)
        return self.refill([bucket], {}, {}, ())

    @recorded("schema.count_kinds", "schema", "kinds")
    def count_kinds(self, schema: str, kinds: Sequence[str]) -> None:
        """Let the words for documents of a schema ("contracts") mean these kinds, () all of them.

        Answers from now on count by it. Raises RefusedError, SettingsError.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        self._parts.schema_editor.count_kinds(schema, kinds)

    @recorded("schema.add_field", "schema", "definition")
    def add_field(self, schema: str, definition: FieldLike) -> JobId | None:
        """Add a field; gives the job that fills it for the documents there, None where there are none.

        Raises RefusedError, and SettingsError where the name is taken or the field could not be used.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        field = field_definition(definition)
        return self.change(schema, (field.name,), lambda: self._parts.schema_editor.add_field(schema, field))

    @recorded("schema.change_field", "schema", "definition")
    def change_field(self, schema: str, definition: FieldLike) -> JobId | None:
        """Replace the field of that name, and extract it anew; reviews stay. As `add_field`."""
        self._permit(Action.CONFIGURE, "change schemas")
        field = field_definition(definition)
        return self.change(
            schema, (field.name,), lambda: self._parts.schema_editor.change_field(schema, field)
        )

    @recorded("schema.rename_field", "schema", "name", "new_name")
    def rename_field(self, schema: str, name: str, new_name: str) -> JobId | None:
        """Call a field otherwise; verdicts and their history go along.

        Cells that nobody decided are kept under the old name with the old definition.
        """

        def rename() -> Schema:
            renamed = self._parts.schema_editor.rename_field(schema, name, new_name)
            for old, new in self._parts.schemas.renames(
                schema
            ).items():  # also of earlier, broken-off renames
                if renamed.field(old) is None and renamed.field(new) is not None:
                    carry_verdicts(self._parts.records.database, schema, old, new, datetime.now(UTC))
            return renamed

        return self.change(schema, (new_name,), rename)

    @recorded("schema.remove_field", "schema", "name")
    def remove_field(self, schema: str, name: str) -> None:
        """Take a field out of sight; its definition and its cells are kept. Raises NotFoundError."""
        self.change(schema, (), lambda: self._parts.schema_editor.remove_field(schema, name))

    @recorded("schema.restore_field", "schema", "name")
    def restore_field(self, schema: str, name: str) -> JobId | None:
        """Bring a removed field back, with its cells; those of newer documents are filled by the job."""
        return self.change(schema, (name,), lambda: self._parts.schema_editor.restore_field(schema, name))

    def try_field(
        self, definition: FieldLike, bucket: str, documents: int | Sequence[DocumentId] = 10
    ) -> list[tuple[DocumentSummary, Finding]]:
        """Findings of a field in some documents of a bucket; nothing is kept. Blocks for some seconds."""
        self._permit(Action.CONFIGURE, "change schemas")
        visible = self._visible
        if isinstance(documents, int):
            query = DocumentQuery(bucket=bucket, limit=min(documents, _TRIED_AT_MOST))
            chosen = self._parts.records.documents.list(visible, query)
        else:
            found = self._parts.records.documents.get_many(list(documents)[:_TRIED_AT_MOST], visible)
            chosen = list(found.values())
        from core.workbench.fields.word_trial import TRIAL, try_field

        parts, field = self._parts, field_definition(definition)
        parts.schema_editor.check(TRIAL, field)
        tried = [each for each in chosen if each.version]
        return try_field(parts.records, parts.settings, parts.definitions(), field, bucket, tried)

    @recorded("document.extract", "bucket", "fields", "documents", "again")
    def submit_extract(
        self,
        bucket: str | None = None,
        fields: Collection[str] = (),
        *,
        documents: Sequence[DocumentId] | None = None,
        again: bool = False,
    ) -> JobId:
        """Enqueue the extraction of documents that lack cells, or whose cells are of older definitions.

        fields: also documents that have no cell of one of these. again: also documents that lack nothing.
        """
        self._permit(Action.INGEST, "extract fields")
        self._require_fields(fields)
        payload = {
            "bucket": bucket,
            "fields": list(fields),
            "documents": None if documents is None else list(documents),
            "again": again,
        }
        where = f"Fields of {bucket}" if bucket else "Fields of all documents"
        return queue.submit(self._parts.records, EXTRACT, where, payload, user=self._principal.user)

    @recorded("document.extract", "bucket", "fields", "again")
    def extract(
        self,
        bucket: str | None = None,
        fields: Collection[str] = (),
        *,
        again: bool = False,
        on_progress: Callable[[Job], None] | None = None,
    ) -> Job:
        """The same, and wait for the end; the worker does it where one runs. Gives the ended job."""
        return self._writing.complete(self.submit_extract(bucket, fields, again=again), on_progress)

    def change(self, schema: str, fields: tuple[str, ...], deed: Callable[[], Schema]) -> JobId | None:
        """Change a schema, and have extracted what that changes: where all was up to date, `fields` alone."""
        self._permit(Action.CONFIGURE, "change schemas")
        buckets = [each.name for each in self._parts.records.documents.buckets(Visibility.everything())]
        before = self._parts.definitions()
        deed()
        after = self._parts.definitions()
        if after.schema(schema) is None:
            raise NotFoundError(f"There is no schema {schema!r}.", next_step="See the list of schemas.")
        old = {name: before.fingerprint(name) for name in buckets}
        new = {name: after.fingerprint(name) for name in buckets}
        changed = [name for name in buckets if old[name] != new[name]]
        return self.refill(changed, old, new, fields, of=schema)

    def refill(
        self,
        buckets: Sequence[str],
        before: dict[str, str],
        after: dict[str, str],
        fields: tuple[str, ...],
        *,
        of: str = "",
    ) -> JobId | None:
        """Enqueue the extraction of buckets whose definitions changed; None where they hold no documents.

        before, after: fingerprints of the definitions by bucket. fields: () for all. of: the schema changed.
        """
        totals = {
            each.name: each.documents for each in self._parts.records.documents.buckets(Visibility(None))
        }
        filled = [name for name in buckets if totals.get(name)]
        if not filled:
            return None
        payload = {
            "bucket": filled[0] if len(filled) == 1 else None,
            "before": {name: before[name] for name in filled if name in before},
            "after": {name: after[name] for name in filled if name in after},
            "only": list(fields),
            "of": of,
        }
        title = f"Field {fields[0]} of {of}" if len(fields) == 1 else "Fields after a change of schema"
        return queue.submit(self._parts.records, EXTRACT, title, payload, user=self._principal.user)

    def list(self) -> list[Schema]:
        """All schemas: the shipped ones in their order, then the home's own by name."""
        return self._parts.schemas.schemas()

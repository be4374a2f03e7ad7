"""A document as programs read it: its pages, and all that its current version states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.domain.document import DocumentVersion
from core.domain.wire.documents import changes_json, family_json, identity_json
from core.domain.wire.fields import facts_json
from core.domain.wire.records import WholeDocument

if TYPE_CHECKING:
    from core.workbench.session import Session


def document_detail(session: Session, document: DocumentVersion) -> dict[str, Any]:
    """A document with its pages, and of the current version all that it states."""
    found = WholeDocument.of(document).json_ready()
    facts = session.documents.facts(document.summary.id)
    if document.version == facts.document.version:
        found |= facts_json(facts)
    if (identity := session.documents.identity(document.summary.id)) is not None:
        found["identity"] = identity_json(identity)
    if document.version < document.summary.version and not document.summary.is_gone:
        compared = session.citations.compare(document.summary.id, document.version)
        found["changed_since"] = changes_json(compared)
    found["family"] = family_json(session.documents.family(document.summary.id))
    return found

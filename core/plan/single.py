"""Whether "the contract" of a question is one: where it fits several, the person is asked which."""

from __future__ import annotations

from core.plan.catalogue import DocumentEntry, SchemaEntry
from core.plan.clarify import AskBackError, which_document
from core.plan.grammar.lexicon import Lexicon
from core.plan.grammar.pieces import Described, Documents, Parties
from core.plan.grammar.tree import Intent, Tree, tests


def check_single(tree: Tree, schema: SchemaEntry, lexicon: Lexicon, *, question: str) -> None:
    """Asks which document is meant where a question about one fits several. Raises AskBackError."""
    if tree.intent not in (Intent.LOOKUP, Intent.CHECK) or (tree.subject and tree.subject.is_plural):
        return
    conditions = [test for test in tests(tree.where) if test.fields is None]
    is_described = any(isinstance(test.operand, Described) for test in conditions)
    for test in conditions if not is_described else ():
        if isinstance(test.operand, Documents):
            own = [each for each in test.operand.documents if each.schema == schema.name]
            if len(own) > 1:
                raise AskBackError(which_document(question, test.text, own))
    if tree.subject is None or any(isinstance(test.operand, Documents) for test in conditions):
        return
    named = [test for test in conditions if isinstance(test.operand, Parties)]
    fitting = _naming(
        [t.operand for t in named if isinstance(t.operand, Parties)], tree.subject.kind, schema, lexicon
    )
    if named and len(fitting) > 1:
        raise AskBackError(which_document(question, named[0].text, fitting))


def _naming(parties: list[Parties], kind: str, schema: SchemaEntry, lexicon: Lexicon) -> list[DocumentEntry]:
    """The documents of the schema and kind that name all of the organisations."""
    normals = [{each.normal for each in one.parties} for one in parties]
    return [
        each
        for each in lexicon.catalogue.documents
        if each.schema == schema.name
        and (not kind or each.kind == kind)
        and all(normal & set(each.parties) for normal in normals)
    ]

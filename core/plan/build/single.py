"""Whether "the contract" of a question is one: where it fits several, the person is asked which."""

from __future__ import annotations

from dataclasses import replace

from core.domain.fields import FieldType
from core.plan.catalogue import DocumentEntry, SchemaEntry
from core.plan.clarify import AskBackError, which_document
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Described, Documents, Fields, Parties, Piece
from core.plan.language.syntax.tree import All, Expression, Intent, Test, Tree, tests


def checked(tree: Tree, schema: SchemaEntry) -> Tree:
    """ "Can the services agreement be terminated for convenience?": a clause of one document is looked up.

    The parties of the document say nothing new, and neither do roles ("either party").
    """
    if tree.intent is not Intent.CHECK or tree.where is None:
        return tree
    parts = _flat(tree.where)
    named: list[Test] = []
    clauses: list[Fields] = []
    parties: list[Piece] = []
    document: DocumentEntry | None = None
    for part in parts:
        if isinstance(part.operand, Documents) and part.fields is None:
            own = [each for each in part.operand.documents if each.schema == schema.name]
            if len(own) != 1 or (document is not None and document.id != own[0].id):
                return tree
            document = own[0]
            named.append(part)
    for part in parts:
        if part in named:
            continue
        if document is None:
            return tree
        if isinstance(part.operand, Parties):
            if not {each.normal for each in part.operand.parties} & set(document.parties):
                return tree
            parties += part.pieces
        elif part.fields is None or part.operand is not None:
            return tree
        else:
            clauses.append(part.fields)
    kinds = [_own_types(each, schema) for each in clauses]
    asked = [each for each, types in zip(clauses, kinds, strict=True) if FieldType.BOOLEAN in types[:1]]
    rest = [types for types in kinds if FieldType.BOOLEAN not in types[:1] and FieldType.PARTY not in types]
    names = {_first(each, schema) for each in asked}
    if len(names) != 1 or rest or not named:
        return tree
    whole = replace(named[0], pieces=(*named[0].pieces, *parties))
    return replace(tree, where=whole, shown=(asked[0],))


def _flat(expression: Expression) -> list[Test]:
    """Conditions that must all hold; [] where they are joined in any other way."""
    if isinstance(expression, Test):
        return [expression]
    if not isinstance(expression, All):
        return []
    parts = [_flat(part) for part in expression.parts]
    return [test for part in parts for test in part] if all(parts) else []


def _own_types(fields: Fields, schema: SchemaEntry) -> list[FieldType]:
    return [match.field.type for match in fields.matches if match.field.schema == schema.name]


def _first(fields: Fields, schema: SchemaEntry) -> str:
    return next(match.field.name for match in fields.matches if match.field.schema == schema.name)


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

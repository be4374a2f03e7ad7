"""A small collection as a planner sees it, and plans in one line each."""

from __future__ import annotations

from core.config.schema_store import shipped_schemas
from core.plan.catalogue import (
    Catalogue,
    DocumentEntry,
    FieldEntry,
    PartyEntry,
    SchemaEntry,
    ValueEntry,
)
from core.plan.clarify import Clarify
from core.plan.ir.nodes import (
    Aggregate,
    Calculate,
    Choice,
    Combine,
    Compare,
    Condition,
    Hop,
    Join,
    Node,
    OtherField,
    Plan,
    Reference,
    Select,
)
from core.workbench.catalogue import nouns_of

_CONTRACT_SIDES = (("contracts", "customer"), ("contracts", "parties"), ("contracts", "vendor"))
_BOTH = (*_CONTRACT_SIDES, ("invoices", "vendor"))

PARTIES = (
    PartyEntry("Brightwater LLC", "brightwater", 3, _BOTH),
    PartyEntry("Castor Builders Inc.", "castor builders", 2, _CONTRACT_SIDES),
    PartyEntry("Halden Corporation", "halden", 6, (*_BOTH, ("certificates", "holder"))),
    PartyEntry("Meridian Utilities Ltd", "meridian utilities", 5, (*_BOTH, ("invoices", "customer"))),
    PartyEntry("Orion Foods Ltd", "orion foods", 1, _CONTRACT_SIDES),
    PartyEntry("Orion Logistics GmbH", "orion logistics", 2, _CONTRACT_SIDES),
    PartyEntry("Quickstop Tyre Centre", "quickstop tyre centre", 2, (("invoices", "vendor"),)),
    PartyEntry("Tessera Research GmbH", "tessera research", 2, _CONTRACT_SIDES),
)

_C = "contracts"
DOCUMENTS = tuple(
    DocumentEntry(id, title, source, bucket, bucket, kind, parties)
    for id, title, source, bucket, kind, parties in (
        ("d01", "Supply Agreement", "halden-supply.pdf", _C, "agreement", ("halden", "orion foods")),
        ("d02", "Cleaning Contract", "halden-cleaning.txt", _C, "agreement",
         ("halden", "meridian utilities")),
        ("d03", "Consulting Agreement", "brightwater-consulting.md", _C, "agreement",
         ("brightwater", "meridian utilities")),
        ("d04", "Construction Contract", "castor-construction.pdf", _C, "agreement",
         ("castor builders", "orion logistics")),
        ("d05", "Mutual Nondisclosure Agreement", "tessera-nda.txt", _C, "agreement",
         ("tessera research", "halden")),
        ("d06", "Amendment No. 1 to Supply Agreement", "halden-supply-amendment.txt", _C, "amendment",
         ("halden", "orion foods")),
        ("d07", "Liability Policy", "liability-policy.pdf", _C, "policy", ()),
        ("d08", "Travel Policy", "travel-policy.pdf", _C, "policy", ()),
        ("d11", "Invoice 88 - Brightwater LLC", "brightwater-88.pdf", "invoices", "invoice", ()),
        ("d12", "Receipt 7 - Quickstop Tyre Centre", "tyres-7.txt", "invoices", "receipt", ()),
        ("d21", "Solis S-300 Module", "solis-s-300.pdf", "datasheets", "", ()),
        ("d22", "Solis S-500 Module", "solis-s-500.pdf", "datasheets", "", ()),
        ("d23", "Storage Cabinet C-90 Datasheet", "c-90.html", "datasheets", "", ()),
        ("d31", "Storage Cabinet C-90 Maintenance Manual", "c-90-manual.pdf", "manuals", "maintenance", ()),
        ("d32", "Solis Installation Guide", "solis-install.html", "manuals", "installation", ()),
        ("d41", "ISO 9001 Certificate - Halden Corporation", "iso-9001.pdf", "certificates", "", ()),
    )
)  # fmt: skip

_LAWS = (("New York", 2), ("Texas", 1), ("Germany", 1))
VALUES = (
    *(ValueEntry("contracts", "governing_law", law, n) for law, n in _LAWS),
    *(ValueEntry("contracts", "document_kind", kind, 1) for kind in ("agreement", "amendment", "policy")),
    ValueEntry("contracts", "amendment_of", "Supply Agreement", 1),
    *(ValueEntry("invoices", "document_kind", kind, 1) for kind in ("invoice", "receipt")),
    *(ValueEntry("invoices", "category", kind, 1) for kind in ("vehicle", "services")),
    ValueEntry("invoices", "payment_method", "company card", 1),
    *(ValueEntry("invoices", "items", text, 1) for text in ("Winter tire 245/75R17", "Wheel alignment")),
    *(ValueEntry("datasheets", "model", model, 1) for model in ("S-300", "S-500", "C-90")),
    *(ValueEntry("manuals", "document_kind", kind, 1) for kind in ("maintenance", "installation")),
    ValueEntry("manuals", "product", "C-90", 1),
    ValueEntry("certificates", "standard", "ISO 9001:2015", 1),
)

_UNITS = {
    "contract_value": ("USD", "EUR"), "liability_cap_amount": ("USD",), "annual_fee": ("USD",),
    "total": ("USD",),
    "tax": ("USD",), "width": ("mm",), "weight": ("kg",), "power": ("W",), "capacity": ("kWh",),
}  # fmt: skip


def known_collection() -> Catalogue:
    """The shipped schemas with sixteen documents, eight organisations and a few values."""
    schemas = []
    for name, schema in shipped_schemas().items():
        fields = tuple(
            FieldEntry(
                name, f.name, f.title, f.type, f.many, f.unit, f.description, f.synonyms, f.options, 1,
                _UNITS.get(f.name, ()), f.verbs, f.loose_verbs,
            )
            for f in schema.fields
        )  # fmt: skip
        documents = sum(document.schema == name for document in DOCUMENTS)
        nouns = nouns_of(schema)
        schemas.append(
            SchemaEntry(name, schema.title, schema.buckets, (), fields, documents, nouns, schema.counts)
        )
    return Catalogue("known", tuple(schemas), PARTIES, DOCUMENTS, VALUES)


def in_a_line(planned: Plan | Clarify) -> str:
    """A plan, or what is asked back, as a person may read it at a glance."""
    if isinstance(planned, Clarify):
        return f"ask {planned.type}: {', '.join(option.label for option in planned.options)}".rstrip(": ")
    if planned.route.value != "structured":
        return f"{planned.route.value}: {'; '.join(_node(node) for node in planned.nodes)}".rstrip(": ")
    nodes = " -> ".join(_node(node) for node in planned.nodes)
    left = f" (not covered: {', '.join(planned.uncovered)})" if planned.uncovered else ""
    return nodes + left


def _node(node: Node) -> str:
    if isinstance(node, Select):
        where = "; ".join(_clause(each) for each in node.conditions)
        only = f" in {','.join(sorted(node.scope.documents))}" if node.scope.documents else ""
        only += " readable" if node.scope.readable else ""
        own = [name for name in node.fields if name != node.order_by or len(node.fields) == 1]
        shown = f" show {', '.join(own)}" if own and own != [node.order_by] else ""
        return f"{node.scope.schema_name or 'all'}{only}[{where}]{shown}{_order_of(node)}"
    if isinstance(node, Aggregate):
        groups = f" per {', '.join(node.group_by)}" if node.group_by else ""
        groups += f" shared by {node.shared} of {', '.join(node.inputs)}" if node.shared else ""
        top = f" {'top' if node.descending else 'bottom'} {node.top}" if node.top else ""
        share = " in percent" if getattr(node, "as_share", False) else ""
        return f"{node.function.value}({node.field}){groups}{top}{share}"
    if isinstance(node, Compare):
        how = f"{node.function.value} of " if node.function is not None else ""
        verb = "compare" if node.outcome == "values" else node.outcome
        return f"{verb} {how}{', '.join(node.fields)} of {' / '.join(node.labels)}"
    if isinstance(node, Combine):
        return f"{node.how} {', '.join(node.inputs)}"
    if isinstance(node, Hop):
        return f"hop({node.field or node.template})"
    if isinstance(node, Join):
        shown = f" show {', '.join(node.fields)}" if node.fields else ""
        return f"{node.how} {node.left} = {node.right}{shown}{_order_of(node)}"
    if isinstance(node, Calculate):
        return f"{node.how} of {' / '.join(node.labels)}" if node.labels else node.how
    return node.type


def _order_of(node: Select | Join) -> str:
    order = f" by {'-' if node.descending else ''}{node.order_by}" if node.order_by else ""
    return order + (f" first {node.limit}" if node.limit else "")


def _clause(clause: Condition | Choice) -> str:
    if isinstance(clause, Choice):
        return " | ".join(_clause(each) for each in clause.any_of)
    value = clause.value
    if isinstance(value, Reference):
        said = f"@{value.node}"
    elif isinstance(value, OtherField):
        said = f"its {value.field}"
    else:
        said = " .. ".join(value) if isinstance(value, tuple) else value
    field = f"{clause.field} - {clause.minus}" if clause.minus else clause.field
    return f"{field} {clause.op.value} {said}".rstrip()

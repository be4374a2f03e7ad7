"""Wordings of papers of nine sorts. The last wording of each list is written for seeds beside 1 alone."""

from __future__ import annotations

FIRST = [
    "Alder",
    "Birchwood",
    "Cedarline",
    "Dunmore",
    "Elmfield",
    "Firth",
    "Garrow",
    "Hazelby",
    "Inverloch",
    "Juniper",
    "Kestrel",
    "Larkspur",
    "Merrow",
    "Norwell",
    "Oakham",
    "Petrel",
    "Quillon",
    "Redfern",
    "Sorrel",
    "Thornbury",
    "Ulver",
    "Vexley",
    "Wexford",
    "Yarrow",
    "Zennor",
    "Ashcombe",
    "Brampton",
    "Calder",
    "Denholm",
    "Evesham",
    "Fairlie",
    "Garstang",
    "Halstead",
    "Ilkley",
    "Jarrow",
    "Kelso",
    "Lanark",
    "Malvern",
    "Newlyn",
    "Orrell",
    "Penrith",
    "Rothbury",
    "Selkirk",
    "Tarbert",
    "Uppingham",
    "Whitby",
    "Appleby",
    "Bexhill",
    "Corbridge",
    "Dulverton",
]
SECOND = [
    "Robotics",
    "Logistics",
    "Energy",
    "Pharma",
    "Foods",
    "Networks",
    "Marine",
    "Textiles",
    "Optics",
    "Components",
    "Freight",
    "Hydraulics",
    "Biotech",
    "Dairy",
    "Telecom",
    "Shipping",
    "Fabrics",
    "Lighting",
    "Castings",
    "Polymers",
    "Ceramics",
    "Timber",
    "Instruments",
    "Coatings",
]
FORMS = (
    ("Inc.", "Incorporated", "INC."),
    ("Ltd", "Limited", "Ltd."),
    ("LLC", "L.L.C.", "LLC"),
    ("GmbH", "GmbH", "G.m.b.H."),
    ("Corp.", "Corporation", "CORP."),
)
SITES = [
    "Pier",
    "Gull",
    "Jetty",
    "Harbour",
    "Quarry",
    "Mill",
    "Bridge",
    "Canal",
    "Tower",
    "Heron",
    "Falcon",
    "Beacon",
    "Copper",
    "Granite",
    "Willow",
    "Meadow",
    "Castle",
]
PLACES = ("Road Terminal", "Lane Depot", "Street Works", "Hill Plant", "Park Warehouse")
TITLES = (
    "Supply Agreement",
    "Master Services Agreement",
    "Distribution Agreement",
    "Maintenance Agreement",
    "Framework Agreement",
    "Reseller Agreement",
)
GOODS = ("Inverter", "Circulation Pump", "Heat Exchanger", "Control Valve", "Gateway")

AGREEMENT = (
    'This {title} (the "Agreement") is made on {day} by and between {a} ("Supplier") and {b} ("Customer").',
    '{title}, dated {day}, between {a}, hereinafter the "Seller", and {b}, hereinafter the "Buyer".',
    'THIS {upper} is entered into as of {day} between (1) {a} (the "Provider"); and (2) {b} (the "Client").',
)
CLAUSES = (
    "Payment is due within {n} days after receipt of an undisputed invoice.",
    "Either party may terminate this Agreement on {n} days' written notice.",
    "The supplier keeps insurance that is customary in its trade.",
    "Neither party assigns this Agreement without the written consent of the other.",
    "Confidential information is kept for {n} months after the end of this Agreement.",
)
AMENDMENT = (
    "This Amendment No. 1 to the {title} dated {day} is made by and between "
    '{a} ("Supplier") and {b} ("Customer").',
    "{a} and {b} agree on this First Amendment to the {title} dated {day}.",
    "By this Amendment No. 1 to {title} dated {day}, {a} and {b} change the term of payment.",
)
LETTER = (
    "Thank you for your letter. We write about {what} and ask you for a reply this week.",
    "With regard to {what}, our records show an open point that we would like to settle.",
    "We refer to {what}. Please let us know by return whether the matter is closed.",
    "As discussed on the telephone, {what} has not been dealt with yet.",
)
OF_INVOICE = ("invoice {n}", "your invoice no. {n}", "our bill {n} of last month", "the invoice numbered {n}")
OF_ORDER = ("purchase order {n}", "our order {n}", "PO {n}", "the order that bears the number {n}")
OF_PRODUCT = ("the {good} {n}", "unit {n}", "two {good}s of type {n}", "the {n} that was delivered")
OF_PLACE = ("the works at {n}", "our team at {n}", "the delivery to {n}", "what was seen at {n}")
OF_FIRM = ("the visit of {n}", "an offer by {n}", "the proposal that {n} has made", "our call with {n}")
MEMO = (
    "In the meeting on Tuesday we spoke about {what}. Nobody objected.",
    "Note for the file: {what} was looked at again, and the costs are as planned.",
    "Status of this week: {what} takes longer than expected.",
    "It was decided that {what} comes first in the coming quarter.",
)
REPORT = (
    "The inspection found no defects. The next one is due in {n} months.",
    "All readings were within their limits; {n} photographs are attached.",
    "One seal was replaced. The plant ran again after {n} hours.",
)
SITE_LABELS = ("Site", "Location", "Place of work", "Plant")

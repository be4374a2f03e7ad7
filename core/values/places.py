"""Places whose law can govern a contract: states, provinces, countries, and how their law is called."""

from __future__ import annotations

import re
from typing import NamedTuple

_STATE_NAMES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|"
    "Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|"
    "Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|"
    "North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|"
    "Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Puerto Rico|Guam|"
    "District of Columbia"
)
_STATES = _STATE_NAMES.split("|")
_CODES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND"
    "|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|PR|GU|DC"
)
_OF_CANADA = {
    "AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick", "NS": "Nova Scotia",
    "ON": "Ontario", "QC": "Quebec", "SK": "Saskatchewan",
}  # fmt: skip
POSTAL = dict(zip(_CODES.split("|"), _STATES, strict=True)) | {
    code: f"{name}, Canada" for code, name in _OF_CANADA.items()
}
"""States and provinces by their postal abbreviations, in capitals.

Source: USPS Publication 28, appendix B; Canada Post, Addressing Guidelines.
"""
_PROVINCES = {
    "Canada": "Ontario|British Columbia|Alberta|Quebec|Manitoba|Saskatchewan|Nova Scotia|New Brunswick"
    "|Newfoundland and Labrador|Prince Edward Island|Yukon|Northwest Territories|Nunavut",
    "Australia": "New South Wales|Victoria|Queensland|Western Australia|South Australia|Tasmania"
    "|Australian Capital Territory|Northern Territory",
}
_COUNTRY_NAMES = (
    "Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Aruba|Australia|Austria|Azerbaijan|"
    "Bahamas|Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Bermuda|Bolivia|Botswana|Brazil|"
    "British Virgin Islands|Brunei|Bulgaria|Cambodia|Cameroon|Canada|Cayman Islands|Chile|Colombia|"
    "Costa Rica|Croatia|Cuba|Curacao|Cyprus|Czech Republic|Denmark|Dominican Republic|Ecuador|Egypt|"
    "El Salvador|England|Estonia|Ethiopia|Fiji|Finland|France|Germany|Ghana|Gibraltar|Greece|Guatemala|"
    "Guernsey|Guyana|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Isle of Man|"
    "Israel|Italy|Ivory Coast|Jamaica|Japan|Jersey|Jordan|Kazakhstan|Kenya|Kuwait|Kyrgyzstan|Laos|Latvia|"
    "Lebanon|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Macau|Madagascar|Malaysia|Malta|"
    "Marshall Islands|Mauritius|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|"
    "Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|North Macedonia|Northern Ireland|Norway|Oman|"
    "Pakistan|Panama|Papua New Guinea|Paraguay|People's Republic of China|Peru|Philippines|Poland|Portugal|"
    "Qatar|Romania|Russia|Rwanda|Samoa|Saudi Arabia|Scotland|Senegal|Serbia|Seychelles|Singapore|Slovakia|"
    "Slovenia|South Africa|South Korea|Spain|Sri Lanka|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|"
    "Trinidad and Tobago|Tunisia|Turkey|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|"
    "Uruguay|Uzbekistan|Vanuatu|Venezuela|Vietnam|Wales|Zambia|Zimbabwe|European Union|Beijing|Shanghai|"
    "Dubai|Abu Dhabi"
)
_COUNTRIES = _COUNTRY_NAMES.split("|")
_OTHER_NAMES = {
    "New York State": "New York", "Calif.": "California", "Cal.": "California", "Del.": "Delaware",
    "Tex.": "Texas", "Pa.": "Pennsylvania", "Mass.": "Massachusetts", "Fla.": "Florida", "N.Y.": "New York",
    "N.J.": "New Jersey", "Ill.": "Illinois", "Washington, D.C.": "District of Columbia",
    "Washington D.C.": "District of Columbia", "Massachussetts": "Massachusetts",
    "Qu\u00e9bec": "Quebec, Canada", "Newfoundland": "Newfoundland and Labrador, Canada",
    "PRC": "People's Republic of China", "P.R.C.": "People's Republic of China",
    "P.R. China": "People's Republic of China", "P. R. China": "People's Republic of China",
    "People\u2019s Republic of China": "People's Republic of China", "China": "People's Republic of China",
    "Peoples Republic of China": "People's Republic of China", "Mainland China": "People's Republic of China",
    "Hong Kong Special Administrative Region": "Hong Kong", "Hong Kong SAR": "Hong Kong",
    "Macao": "Macau", "Republic of China": "Taiwan", "ROC": "Taiwan", "Taiwan, ROC": "Taiwan",
    "England and Wales": "England and Wales", "England & Wales": "England and Wales",
    "Great Britain": "United Kingdom", "U.K.": "United Kingdom", "UK": "United Kingdom",
    "United States of America": "United States", "U.S.A.": "United States", "USA": "United States",
    "U.S.": "United States", "Federal Republic of Germany": "Germany", "Republic of Korea": "South Korea",
    "Korea": "South Korea", "The Netherlands": "Netherlands", "Holland": "Netherlands",
    "Russian Federation": "Russia", "Republic of South Africa": "South Africa",
    "Cura\u00e7ao": "Curacao", "Czechia": "Czech Republic", "Viet Nam": "Vietnam",
    "UAE": "United Arab Emirates",
    "U.A.E.": "United Arab Emirates", "Republic of Ireland": "Ireland",
    "European Community": "European Union",
}  # fmt: skip
_ADJECTIVES = {
    "English": "England", "Israeli": "Israel", "Swiss": "Switzerland", "German": "Germany",
    "French": "France",
    "Italian": "Italy", "Dutch": "Netherlands", "Belgian": "Belgium", "Swedish": "Sweden",
    "Norwegian": "Norway", "Danish": "Denmark", "Finnish": "Finland", "Austrian": "Austria",
    "Spanish": "Spain", "Portuguese": "Portugal", "Irish": "Ireland", "Scottish": "Scotland",
    "Scots": "Scotland", "Japanese": "Japan", "Chinese": "People's Republic of China",
    "Korean": "South Korea",
    "Taiwanese": "Taiwan", "Indian": "India", "Australian": "Australia", "Canadian": "Canada",
    "Mexican": "Mexico", "Brazilian": "Brazil", "Greek": "Greece", "Turkish": "Turkey", "Polish": "Poland",
    "Russian": "Russia", "Luxembourg": "Luxembourg", "Cypriot": "Cyprus", "Malaysian": "Malaysia",
    "Indonesian": "Indonesia", "Thai": "Thailand", "Vietnamese": "Vietnam", "Philippine": "Philippines",
    "South African": "South Africa", "Czech": "Czech Republic", "Hungarian": "Hungary", "Romanian": "Romania",
    "Ukrainian": "Ukraine", "Egyptian": "Egypt", "Kenyan": "Kenya", "Nigerian": "Nigeria",
    "Singaporean": "Singapore", "Icelandic": "Iceland", "Croatian": "Croatia", "Bulgarian": "Bulgaria",
    "British": "United Kingdom", "Welsh": "Wales", "Bermudian": "Bermuda", "Maltese": "Malta",
    "Estonian": "Estonia", "Latvian": "Latvia", "Lithuanian": "Lithuania", "Slovak": "Slovakia",
    "Slovenian": "Slovenia", "Serbian": "Serbia", "Pakistani": "Pakistan", "Moroccan": "Morocco",
    "Argentine": "Argentina", "Chilean": "Chile", "Colombian": "Colombia", "Peruvian": "Peru",
}  # fmt: skip


def _canonical_names() -> dict[str, str]:
    names = {name: name for name in [*_STATES, *_COUNTRIES]}
    for country, provinces in _PROVINCES.items():
        names |= {name: f"{name}, {country}" for name in provinces.split("|")}
    return names | _OTHER_NAMES


_CANONICAL = _canonical_names()
_FOLDED = {" ".join(name.lower().split()): place for name, place in _CANONICAL.items()}
_FOLDED_ADJECTIVES = {name.lower(): place for name, place in _ADJECTIVES.items()}


def _alternatives(names: list[str]) -> str:
    ordered = sorted(names, key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", r"[\s]{1,4}") for name in ordered)


PLACE = f"(?:{_alternatives(list(_CANONICAL))})"
"""A pattern for the name of a place; for use with IGNORECASE where the text may be all capitals."""

ADJECTIVE = f"(?:{_alternatives(list(_ADJECTIVES))})"
"""A pattern for what law is called after its country: "English", "Swiss"."""

_PLACE = re.compile(rf"(?<![A-Za-z]){PLACE}(?![A-Za-z])", re.IGNORECASE)
_SHORT = re.compile(r"[A-Za-z.]{1,6}")


STATES = frozenset(_STATES)
"""The states of the United States."""


class Place(NamedTuple):
    """A place, and the span of its name."""

    start: int
    end: int
    name: str


def canonical_place(name: str) -> str:
    """The one name of a place, also of an adjective ("English"); "" for what is no place."""
    folded = " ".join(name.lower().split())
    return _FOLDED.get(folded) or _FOLDED_ADJECTIVES.get(folded, "")


def find_places(text: str, start: int = 0, end: int | None = None) -> list[Place]:
    """The places that are named in `text[start:end]`, in order. Abbreviations count in capitals only."""
    found = []
    for match in _PLACE.finditer(text, start, len(text) if end is None else end):
        name = match[0]
        if (
            _SHORT.fullmatch(name)
            and name.lower() not in _FOLDED_LONG
            and name != _AS_WRITTEN.get(name.lower())
        ):
            continue
        place = canonical_place(name)
        if place:
            found.append(Place(match.start(), match.end(), place))
    return found


_AS_WRITTEN = {name.lower(): name for name in _OTHER_NAMES if _SHORT.fullmatch(name)}
_FOLDED_LONG = frozenset(name.lower() for name in [*_STATES, *_COUNTRIES])

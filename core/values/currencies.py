"""Currencies: ISO 4217 codes, and the symbols and words that name them."""

from __future__ import annotations

_CODES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD "
    "CAD CDF CHF CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP "
    "GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD "
    "KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO "
    "NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS "
    "SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF "
    "XCD XOF XPF YER ZAR ZMW "
    "DEM FRF ITL ESP NLG ATS BEF IEP FIM PTE GRD"  # what older contracts were paid in
)
CODES = frozenset(_CODES.split())

_DOLLARS = "USD CAD AUD NZD HKD SGD TWD BBD BMD BSD FJD JMD KYD TTD XCD BND LRD NAD"
DOLLARS = frozenset(_DOLLARS.split())

SYMBOLS = {
    "US$": "USD", "U.S.$": "USD", "U.S. $": "USD", "US $": "USD", "USD$": "USD", "$US": "USD",
    "C$": "CAD", "CA$": "CAD", "CDN$": "CAD", "Cdn$": "CAD", "CAD$": "CAD", "A$": "AUD", "AU$": "AUD",
    "AUD$": "AUD", "NZ$": "NZD", "HK$": "HKD", "HKD$": "HKD", "S$": "SGD", "SG$": "SGD", "NT$": "TWD",
    "R$": "BRL", "MX$": "MXN", "J$": "JMD", "$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY",
    "JP\u00a5": "JPY", "CN\u00a5": "CNY", "RMB\u00a5": "CNY", "\uffe5": "JPY", "\u20b9": "INR",
    "\u20a9": "KRW", "\u20aa": "ILS", "\u20ab": "VND", "\u20b1": "PHP", "\u0e3f": "THB", "\u20ba": "TRY",
    "\u20bd": "RUB", "\u20b4": "UAH", "\u20a6": "NGN", "z\u0142": "PLN", "K\u010d": "CZK",
    "Rs.": "INR", "Rs": "INR", "RM": "MYR", "RMB": "CNY", "Fr.": "CHF", "SFr.": "CHF", "sFr.": "CHF",
    "SFr": "CHF", "Rp": "IDR", "Rp.": "IDR", "NIS": "ILS", "Ft": "HUF",
}  # fmt: skip
"""Symbols that stand beside an amount. "$" alone is USD unless the document says which dollar."""

WORDS = {
    "dollar": "USD", "dollars": "USD", "us dollar": "USD", "us dollars": "USD", "u.s. dollar": "USD",
    "u.s. dollars": "USD", "united states dollar": "USD", "united states dollars": "USD",
    "canadian dollars": "CAD", "australian dollars": "AUD", "singapore dollars": "SGD",
    "hong kong dollars": "HKD", "new zealand dollars": "NZD", "euro": "EUR", "euros": "EUR",
    "pounds sterling": "GBP", "british pounds": "GBP", "yen": "JPY", "japanese yen": "JPY",
    "swiss francs": "CHF", "rupees": "INR", "indian rupees": "INR", "ringgit": "MYR",
    "ringgit malaysia": "MYR", "malaysian ringgit": "MYR", "renminbi": "CNY", "yuan": "CNY",
    "new israeli shekels": "ILS", "korean won": "KRW", "rand": "ZAR", "baht": "THB", "pesos": "MXN",
}  # fmt: skip
"""Names that follow an amount, in lower case with single spaces."""

_POINT_GROUPS = "EUR DKK IDR BRL TRY ARS CLP COP VND DEM ITL ESP NLG ATS BEF PTE GRD"
POINT_GROUPS = frozenset(_POINT_GROUPS.split())
"""Currencies written with a point between thousands: "1.234 EUR" is 1234."""


def currency_of(mark: str) -> str:
    """The ISO 4217 code that a symbol, a code or a name stands for; "" for anything else."""
    text = " ".join(mark.split())
    if text in SYMBOLS:
        return SYMBOLS[text]
    if text.upper() in CODES:
        return text.upper()
    squeezed = text.replace(" ", "")
    if squeezed in SYMBOLS:
        return SYMBOLS[squeezed]
    return WORDS.get(text.lower(), "")

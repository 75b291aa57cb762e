"""A rule for national numbers that are written in groups, as their countries print them.

A tagger takes a group that begins like a year for a date and leaves the short groups beside it. The
groups together are one thing alone, with no word before them.
"""

from deidstream.models.recognizers.rules.rule import Rule
from deidstream.models.text.patterns import BEGIN, END
from deidstream.schemas.label import PhiLabel

_DAY = r"(?:0[1-9]|[12][0-9]|3[01])"
_MONTH = r"(?:0[1-9]|1[0-2])"
_YEAR = r"(?:19|20)[0-9]{2}"
_SERIAL = r"(?:[ ][0-9]{3}){2}(?:[ ][0-9]{2})?"
_FORMS = (
    # Rwanda: status, year of birth, sex, serial number, issue, check.
    rf"[1-3][ ]{_YEAR}[ ][78][ ][0-9]{{7}}[ ][0-9][ ][0-9]{{2}}",
    # France: sex, year, month and place of birth, serial number, key; other months abroad.
    rf"[1278][ ][0-9]{{2}}[ ](?:{_MONTH}|[2-9][0-9])[ ](?:[0-9]{{2}}|2[AB]){_SERIAL}",
    # South Africa: birth, serial number, citizenship and a fixed digit, check.
    rf"[0-9]{{2}}{_MONTH}{_DAY}[ ][0-9]{{4}}[ ][0-2][89][ ]?[0-9]",
    # Egypt: century, birth, governorate, serial number, check.
    rf"[23][ ][0-9]{{2}}{_MONTH}{_DAY}[ ][0-9]{{2}}[ ][0-9]{{4}}[ ][0-9]",
    # China: place, birth, serial number with check.
    rf"[1-8][0-9]{{5}}[ ]{_YEAR}{_MONTH}{_DAY}[ ][0-9]{{3}}[0-9X]",
    # Thailand.
    r"[1-8][ -][0-9]{4}[ -][0-9]{5}[ -][0-9]{2}[ -][0-9]",
    # Mexico, social security: office, years of registration and birth, serial number, check.
    r"[0-9]{2}[ ][0-9]{2}[ ][0-9]{2}[ ][0-9]{4}[ ][0-9]",
    # Germany, pension insurance: area, birth, initial, serial number with check.
    rf"[0-9]{{2}}[ ]{_DAY}{_MONTH}[0-9]{{2}}[ ][A-Z][ ][0-9]{{3}}",
    # Italy, fiscal code.
    r"[A-Z]{3}[ ][A-Z]{3}[ ][0-9]{2}[A-EHLMPRST][0-9]{2}[ ][A-Z][0-9]{3}[A-Z]",
    # Zimbabwe and Zambia.
    r"[0-9]{2}-[0-9]{6,7}[ -]?[A-Z][ -]?[0-9]{2}|[0-9]{6}/[0-9]{2}/[1-3]",
    # Switzerland, Belgium, Brazil and Chile.
    r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}",
    rf"[0-9]{{2}}\.{_MONTH}\.{_DAY}-[0-9]{{3}}[. ][0-9]{{2}}",
    r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[1-9][0-9]?\.[0-9]{3}\.[0-9]{3}-[0-9Kk]",
    # The Czech and the Slovak Republic: birth, the month of a woman 50 greater.
    rf"[0-9]{{2}}(?:{_MONTH}|5[1-9]|6[0-2]){_DAY}/[0-9]{{4}}",
)

RULES = (
    Rule(
        "national.grouped",
        PhiLabel.IDNUM,
        rf"{BEGIN}({'|'.join(_FORMS)}){END}",
        1.0,
        (
            "PRE [[1 1984 8 0033912 1 07]] 12.03.25",
            "seen ([[2 84 05 2A 006 084 36]])",
            "[[1 51 12 78 106 017]] ALD",
            "sister [[840512 0033 08 7]], K 4.1",
            "[[2 840512 21 0331 7]]",
            "[[110105 19840512 003X]].",
            "[[1-2345-67890-12-1]]",
            "[[12 84 73 0045 1]] IMSS",
            "[[65 120584 M 008]]",
            "[[RSS MRA 84E12 A562S]]",
            "NRC [[63-1234567 K 12]]",
            "[[123456/12/1]] F",
            "AHV [[756.1234.5678.97]]",
            "[[84.05.12-033 28]]",
            "[[123.456.789-09]], [[12.345.678-5]].",
            "RC [[845512/2391]]",
        ),
        (
            "04 91 55 12 00",
            "1 12 24 36 48 60",
            "240816 0800 12 3",
            "12.345.678 copies",
            "150000/2000",
            "BP 120/80 110/70/2",
            "1 2024 7 25 0 5",
        ),
    ),
)

"""The identifiers of 45 CFR 164.514(b)(2)(i), A to R, one by one, and the table that cites these.

A span in braces is given, as if it had been found; what follows detection is real.
"""

import re
from pathlib import Path

import pytest

from deidstream.models.keyring import canonical
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.wire import decode
from support.spans import marked, substituted

TABLE = Path(__file__).parents[4] / "docs" / "safe-harbor.md"
POLICY = read_shipped_policy("safe-harbor")
WRITTEN = "2024-05-03T10:00:00Z"


def written(text: str, authored_at: str | None = WRITTEN) -> str:
    return substituted(text, POLICY, authored_at).text


def stay(text: str, length: int = 2) -> set[str]:
    """The words of the spans, of more than ``length`` letters and digits, that the output has."""
    plain, spans = marked(text)
    words = {word for span in spans for word in _words(plain[span.start : span.end])}
    return {word for word in words & _words(written(text)) if len(word) > length}


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", canonical(text)))


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


@pytest.mark.parametrize(
    "text",
    [
        "{PATIENT:John Achterberg} was seen; {PATIENT:Mr. Achterberg} agreed.",
        "His wife {PATIENT:Mary Achterberg-Nwosu} and her father {PATIENT:Tobias Nwosu} came.",
        "Her aunt {PATIENT:ZYGMUNTOWICZ, BARBARA K.} is next of kin.",
        "He drives for {ORGANIZATION:Quillfeather Logistics}.",
        "Lives with a housemate, {PATIENT:Thaddeus O'Rourke}.",
    ],
)
def test_a_names_of_patient_relatives_household_and_employer(text: str) -> None:
    assert stay(text) <= {"logistics", "mr"}


@pytest.mark.parametrize(
    "text",
    [
        "Lives at {STREET:4127 Quillfeather Avenue, Apt 93}, {CITY:Springfield}.",
        "From {LOCATION_OTHER:Tillery County}, near {LOCATION_OTHER:Lake Quannapowitt}.",
        "Moved from {CITY:Worcester}, {STATE:Massachusetts} to {CITY:Eau Claire}.",
        "Transferred from {HOSPITAL:Quannapowitt General Hospital}.",
    ],
)
def test_b_places_smaller_than_a_state(text: str) -> None:
    assert stay(text) <= {"avenue", "apt", "lake", "county", "general", "hospital"}


@pytest.mark.parametrize(
    ("zip_code", "left"),
    [
        ("02115", "021"),
        ("02115-4127", "021"),
        ("021154127", "021"),
        ("03601", "000"),
        ("03601-4127", "000"),
        ("036xx", "000"),
        ("05901", "000"),
        ("82190", "000"),
        ("89312 4127", "000"),
        ("K1A 0B1", "[ZIP]"),
    ],
)
def test_b_zip_codes(zip_code: str, left: str) -> None:
    assert written(f"ZIP {{ZIP:{zip_code}}}.") == f"ZIP {left}."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Admitted {DATE:03/04/2024}.", "Admitted 2024."),
        ("Admitted {DATE:3/4/24}, home {DATE:May 2}.", "Admitted 2024, home [DATE]."),
        ("Born {DATE:March 4, 1962}.", "Born 1962."),
        ("Died on {DATE:Tuesday, 30 April 2024}.", "Died on 2024."),
        ("{DATE:2024-04-30T09:12:00}: fell.", "2024: fell."),
        ("{DATE:3-5 May 2024}, then {DATE:Monday}.", "2024, then [DATE]."),
        ("Smokes since the {DATE:1980s}.", "Smokes since the 1980s."),
    ],
)
def test_c_dates_keep_their_year_alone(text: str, left: str) -> None:
    assert written(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("She turned {AGE:93}.", "She turned 90 or older."),
        ("Aged {AGE:91 years 8 months}.", "Aged 90 or older."),
        ("A {AGE:ninety-three}-year-old man.", "A 90-or-older-year-old man."),
        ("A {AGE:93-year-old} man.", "A 90-or-older man."),
        ("Her {AGE:90th} birthday.", "Her 90th or later birthday."),
        ("In her {AGE:nineties}.", "In her 90s or older."),
        ("He is {AGE:89}, son {AGE:61}.", "He is 89, son 61."),
        ("He is {AGE:8 years 4 months}.", "He is 8 years 4 months."),
        ("He is {AGE:9\u00bd}.", "He is 9\u00bd."),
    ],
)
def test_c_ages_over_89_are_one_class(text: str, left: str) -> None:
    assert written(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Mother died at {AGE:97}.", "Mother died at 90 or older."),
        ("Sister, {AGE:95}, born {DATE:June 1928}.", "Sister, 90 or older, born 1934 or earlier."),
        ("Grandson of {AGE:12}, uncle {AGE:one hundred and two}.",
         "Grandson of 12, uncle 90 or older."),
    ],
)  # fmt: skip
def test_c_ages_of_relatives_count_too(text: str, left: str) -> None:
    assert written(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Born {DATE:1931}.", "Born 1934 or earlier."),
        ("DOB {DATE:03/04/1931}.", "DOB 1934 or earlier."),
        ("DOB {DATE:3/4/31}.", "DOB 1934 or earlier."),
        ("Came over in the {DATE:1920s}.", "Came over in the 1934 or earlier."),
        ("Born {DATE:1935}.", "Born 1935."),
    ],
)
def test_c_years_that_show_an_age_over_89(text: str, left: str) -> None:
    assert written(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Seen {DATE:3/4/2024}. Born {DATE:1931}.", "Seen 2024. Born 1934 or earlier."),
        ("Age {AGE:93}, born {DATE:1931}.", "Age 90 or older, born [DATE]."),
        ("Age {AGE:43}, born {DATE:1981}.", "Age 43, born 1981."),
        ("DOB {DATE:05/06/1921}.", "DOB 1936 or earlier."),
        ("Visit {DATE:12.4.24}, CABG {DATE:2015}.", "Visit 2024, CABG 2015."),
        ("Aged {AGE:93}, CABG {DATE:2001}.", "Aged 90 or older, CABG [DATE]."),
    ],
)
def test_c_years_of_a_note_that_came_without_its_date(text: str, left: str) -> None:
    assert written(text, None) == left


def test_c_the_moment_of_writing_does_not_leave() -> None:
    assert substituted("Seen {DATE:3/4/2024}.", POLICY, WRITTEN).authored_at is None


@pytest.mark.parametrize("label", ["PHONE", "FAX"])
@pytest.mark.parametrize(
    "number", ["(617) 413-8825", "617.413.8825 ext. 4127", "+1 617 413 8825", "020 7946 4127"]
)
def test_d_e_telephone_and_fax_numbers(label: str, number: str) -> None:
    left = written(f"Call {{{label}:{number}}} now.")
    assert digits(number)[-7:] not in digits(left)
    assert "4138825" not in digits(left)
    assert len(digits(left)) == len(digits(number))


@pytest.mark.parametrize(
    "address", ["j.achterberg@quill.com", "ZYG@MAIL.QUILL.EDU", "mary+clinic@quill.co.uk"]
)
def test_f_mail_addresses(address: str) -> None:
    left = written(f"Write to {{EMAIL:{address}}}.")
    assert re.search(r"@example\.(?:org|com|net)", left.casefold())
    assert not {"achterberg", "zyg", "mary", "quill"} & _words(left)


@pytest.mark.parametrize("number", ["123-45-6789", "123456789", "123 45 6789"])
def test_g_social_security_numbers(number: str) -> None:
    left = digits(written(f"SSN {{SSN:{number}}}."))
    # Area 9xx with such a group was never issued.
    assert re.fullmatch(r"9\d\d[0-4]\d\d{4}", left)
    assert left[-4:] != "6789"


def test_g_the_last_four_digits_alone() -> None:
    assert "6789" not in written("SSN ends in {SSN:6789}, that is {SSN:xxx-xx-6789}.")


NUMBERS = {
    "MEDICALRECORD": ["4412097", "MRN-44-12097", "NF 44 12 097"],
    "HEALTHPLAN": ["1EG4-TE5-MK73", "W2094412097", "944-12097-01"],
    "ACCOUNT": ["4412097731", "44-12097-7731", "AC/4412097"],
    "LICENSE": ["RN4412097", "BC4412097", "1234567893"],
    "VEHICLE": ["1HGCM82633A004352", "7ABC129", "KV-44-12097"],
    "DEVICE": ["SN 4412097-K", "(01)00844588003288", "PM4412097"],
    "BIOID": ["FP-4412097", "voiceprint-4412097", "IRIS44/12097"],
    "IDNUM": ["S24-4412097", "44:12097:9", "TRIAL-4412097"],
    "USERNAME": ["achterbergj", "jachterberg7", "zyg_nwosu"],
}


@pytest.mark.parametrize(
    ("label", "number"), [(label, number) for label in NUMBERS for number in NUMBERS[label]]
)
def test_h_to_m_p_r_numbers_and_codes(label: str, number: str) -> None:
    left = written(f"{{{label}:{number}}} noted").removesuffix(" noted")
    assert canonical(left) != canonical(number)
    assert not _parts(number) & _parts(left)
    # A user name made of a person's name is as long as the name that stands for it.
    assert len(left) == len(number) or label == "USERNAME"


def _parts(text: str) -> set[str]:
    return {part for part in re.findall(r"\d+|[^\W\d_]+", canonical(text)) if len(part) > 3}


@pytest.mark.parametrize(
    "address",
    ["https://quill.com/patients/achterberg?id=44", "www.quillclinic.org", "http://quill.io/~zyg"],
)
def test_n_web_addresses(address: str) -> None:
    left = written(f"See {{URL:{address}}} please.")
    assert re.search(r"example\.(?:org|com|net)", left)
    assert not {"quill", "quillclinic", "achterberg", "zyg"} & _words(left)


@pytest.mark.parametrize("address", ["83.12.44.120", "2a02:8108:44:12::97", "83.12.44.120:8080"])
def test_o_network_addresses(address: str) -> None:
    left = written(f"From {{IPADDR:{address}}}.")
    assert re.search(r"192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8:", left)
    assert address.rpartition(":")[0] not in left or ":" not in address


NOTE = b'{"note_id":"1","patient_id":"2","text":"Photo taken."'


@pytest.mark.parametrize("extra", [b',"photo":"iVBORw0KGgo="', b',"image":{"data":"iVBORw0KGgo="}'])
def test_q_a_photograph_beside_the_text_is_dropped(extra: bytes) -> None:
    assert decode(NOTE + extra + b"}") == decode(NOTE + b"}")


def test_q_a_note_that_is_no_text_is_refused() -> None:
    with pytest.raises(InvalidNote):
        decode(b'{"note_id":"1","patient_id":"2","text":{"image":"iVBORw0KGgo="}}')
    with pytest.raises(InvalidNote):
        decode(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("name", ["IMG-4412097", "face_4412097", "DSC4412097"])
def test_q_the_file_name_of_a_photograph(name: str) -> None:
    assert "4412097" not in written(f"Face: {{IDNUM:{name}}}.jpg")


def test_one_note_with_everything() -> None:
    text = (
        "{PATIENT:John Achterberg}, {AGE:93}, born {DATE:3/4/31}, MRN {MEDICALRECORD:4412097}, of "
        "{STREET:4127 Quillfeather Avenue}, {CITY:Springfield}, {STATE:IL} {ZIP:03601-4127}. "
        "Daughter {PATIENT:Mary Achterberg} ({AGE:61}), {PHONE:617-413-8825}. SSN {SSN:123-45-6789}"
    )
    left = written(text)
    assert stay(text, length=3) == {"avenue"}
    assert ", 90 or older, born 1934 or earlier, MRN " in left
    assert " 000. Daughter " in left
    assert "(61)" in left


ROWS = {
    row[0]: row
    for line in TABLE.read_text("utf-8").splitlines()
    if len(row := [cell.strip() for cell in line.strip("|").split("|")]) == 5
    and re.fullmatch("[A-R]", row[0])
}


@pytest.mark.parametrize("letter", [chr(code) for code in range(ord("A"), ord("R") + 1)])
def test_the_table_says_what_is_so(letter: str) -> None:
    _, _, labels, operators, tests = ROWS[letter]
    named = {PhiLabel(label) for label in re.findall(r"`([A-Z_]+)`", labels)}
    assert named == {label for label in PhiLabel if LABELS[label].hipaa == letter}
    told = set(re.findall(r"`([a-z]+)`", operators))
    assert told == {str(POLICY.operators[label]) for label in named}
    cited = re.findall(r"`(test_\w+)`", tests)
    assert cited
    assert set(cited) <= {name for name in globals() if name.startswith("test_")}
    assert all(letter.casefold() in name.split("_") or "to" in name.split("_") for name in cited)

import re
from collections.abc import Callable

import pytest

from deidstream.models.mention import Identity, Mention, NoteFacts
from deidstream.models.operators.replace_code import ReplaceCode
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.operators.replace_postcode import ReplacePostcode
from deidstream.models.operators.replace_region import ReplaceRegion
from deidstream.models.operators.replace_username import ReplaceUsername
from deidstream.models.operators.shorten_zip import ShortenZip
from deidstream.models.phi.codes.checksums import passes_a_check
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.codes.short_codes import index_codes
from deidstream.models.phi.places.address import province_of
from deidstream.models.phi.places.regions import state_of
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]
CODE, POSTCODE, USERNAME = ReplaceCode(), ReplacePostcode(), ReplaceUsername()


def test_separators_do_not_matter(replace: Replace) -> None:
    plain = replace(CODE, PhiLabel.MEDICALRECORD, "44710982")
    assert replace(CODE, PhiLabel.MEDICALRECORD, "4471-0982") == f"{plain[:4]}-{plain[4:]}"


@pytest.mark.parametrize("text", ["0044710982", "00-44-71-09-82", "MRN 00 44710982"])
def test_leading_zeros_do_not_matter(replace: Replace, text: str) -> None:
    plain = replace(CODE, PhiLabel.MEDICALRECORD, "44710982")
    digits = code_of(replace(CODE, PhiLabel.MEDICALRECORD, text)).removeprefix("mrn")
    assert digits == f"00{plain}"


def test_zeros_before_a_surrogate_make_it_nobodys_number(replace: Replace) -> None:
    for scope in map(str, range(300)):
        drawn = replace(CODE, PhiLabel.IDNUM, "101901234", scope=scope)
        assert not passes_a_check(drawn)
        assert not passes_a_check(replace(CODE, PhiLabel.IDNUM, "0101901234", scope=scope))


@pytest.mark.parametrize(
    ("label", "text", "form"),
    [
        (PhiLabel.SSN, "last 4 6789", r"last 4 \d{4}"),
        (PhiLabel.SSN, "ending in 6789", r"ending in \d{4}"),
        (PhiLabel.ACCOUNT, "4111-XXXX-XXXX-1111", r"\d{4}-XXXX-XXXX-\d{4}"),
        (PhiLabel.ACCOUNT, "sort code 12-34-56", r"sort code \d\d-\d\d-\d\d"),
        (PhiLabel.MEDICALRECORD, "MR#00123456", r"MR#00\d{6}"),
        (PhiLabel.DEVICE, "S/N: 4471-X", r"S/N: \d{4}-[A-Z]"),
        (PhiLabel.LICENSE, "GMC 1234567", r"GMC \d{7}"),
    ],
)
def test_what_only_says_which_number_it_is_stays(
    replace: Replace, label: PhiLabel, text: str, form: str
) -> None:
    assert re.fullmatch(form, replace(CODE, label, text))


def test_the_last_four_agree_behind_words(replace: Replace) -> None:
    whole = replace(CODE, PhiLabel.SSN, "987-65-0417")
    assert replace(CODE, PhiLabel.SSN, "last four: 0417") == f"last four: {whole[-4:]}"


def test_dictated_zeros_stay(replace: Replace) -> None:
    spoken = replace(CODE, PhiLabel.MEDICALRECORD, "zero zero six two one nine")
    assert spoken.startswith("zero zero ")
    assert len(spoken.split()) == 6


def test_case_and_shape_stay(replace: Replace) -> None:
    written = replace(CODE, PhiLabel.DEVICE, "vt_00-Qx/7")
    assert [c.isdigit() for c in written] == [c.isdigit() for c in "vt_00-Qx/7"]
    assert [c.isupper() for c in written] == [c.isupper() for c in "vt_00-Qx/7"]


def test_the_last_four_of_a_social_security_number_agree(replace: Replace) -> None:
    whole = replace(CODE, PhiLabel.SSN, "987-65-0417")
    assert replace(CODE, PhiLabel.SSN, "0417") == whole[-4:]
    assert replace(CODE, PhiLabel.SSN, "XXX-XX-0417") == f"XXX-XX-{whole[-4:]}"
    assert replace(CODE, PhiLabel.SSN, "***-**-0417") == f"***-**-{whole[-4:]}"


def test_no_social_security_number_was_ever_issued(replace: Replace) -> None:
    for scope in map(str, range(100)):
        area, group, _ = replace(CODE, PhiLabel.SSN, "123-45-6789", scope=scope).split("-")
        assert area[0] == "9"
        assert 1 <= int(group) <= 49


def test_zip_and_zip4_agree(replace: Replace) -> None:
    whole = replace(POSTCODE, PhiLabel.ZIP, "70998-0412")
    assert replace(POSTCODE, PhiLabel.ZIP, "70998") == whole[:5]


def test_dictated_digits_are_written_in_words(replace: Replace) -> None:
    spoken = replace(CODE, PhiLabel.MEDICALRECORD, "six six oh two one nine").split()
    digits = replace(CODE, PhiLabel.MEDICALRECORD, "660219")
    words = list(split_list("zero one two three four five six seven eight nine"))
    assert "".join(str(words.index(word)) for word in spoken) == digits


@pytest.mark.parametrize("text", ["8", "a", "\u0663\u0664", "\u00df", "e\u0301", "\u738b1"])
def test_the_smallest_and_the_foreign_change(replace: Replace, text: str) -> None:
    assert replace(CODE, PhiLabel.IDNUM, text) != text
    assert replace(CODE, PhiLabel.IDNUM, text).isascii()


def test_nothing_to_replace_is_redacted(replace: Replace) -> None:
    assert replace(CODE, PhiLabel.IDNUM, "--") == "[IDNUM]"


@pytest.mark.parametrize(
    "number",
    split_list(
        "1234567893 9434765919 4111111111111111 ab1234563 1m8gdm9axkp042788 s1234567d 1234567t "
        "12345678z 111222333 123456782 52998224725 g123456a 2123456701 021000021 zac5361 zbn77vl "
        "gb82west12345698765432 046454286 234567890124 1eg4te5mk73 490154203237518 "
        "ab123456c abcpe1234f bd51smr"
    ),
)
def test_numbers_in_use_are_recognised(number: str) -> None:
    assert passes_a_check(number)


@pytest.mark.parametrize(
    "number",
    split_list(
        "1234567890 9434765918 4111111111111112 ab1234560 1m8gdm9a0kp042788 s1234567e 1234567u "
        "12345678a 123456789012 52998224726 zac5362 zbn77vm gb82west12345698765433 234567890123 "
        "1sg4te5mk73 490154203237519 ab123456e abcde1234f "
        "bd41smr"
    ),
)
def test_other_numbers_are_nobodys(number: str) -> None:
    assert not passes_a_check(number)


@pytest.mark.parametrize(
    "text",
    ["1234567890", "AB1234567", "12345678901234567", "1EG4-TE5-MK73", "ZAC5361", "123 456 782"],
)
def test_no_surrogate_is_a_number_in_use(replace: Replace, text: str) -> None:
    drawn = [replace(CODE, PhiLabel.LICENSE, text, scope=str(scope)) for scope in range(200)]
    assert not any(passes_a_check(code_of(code)) for code in drawn)


@pytest.mark.parametrize("text", ["00812245", "000-91-7714", "AB000417", "0007"])
def test_leading_zeros_stay_and_none_are_added(replace: Replace, text: str) -> None:
    zeros = re.compile(r"(?<!\d)0*")
    for scope in map(str, range(50)):
        written = replace(CODE, PhiLabel.ACCOUNT, text, scope=scope)
        bare = re.sub(r"\W", "", written), re.sub(r"\W", "", text)
        assert zeros.findall(bare[0])[0] == zeros.findall(bare[1])[0]
        assert len(bare[0].lstrip("AB0WXYZ")) <= len(bare[1])


def test_an_identifier_within_another_does_not_come_back(replace: Replace) -> None:
    for scope in map(str, range(200)):
        written = code_of(replace(CODE, PhiLabel.ACCOUNT, "150641-9935-44710", scope=scope))
        assert not {"15064", "41993", "99354", "44710"} & {written[i : i + 5] for i in range(11)}


def test_the_word_for_a_kind_of_number_stays_and_does_not_count(replace: Replace) -> None:
    bare = replace(CODE, PhiLabel.MEDICALRECORD, "44710982")
    assert replace(CODE, PhiLabel.MEDICALRECORD, "MRN-44710982") == f"MRN-{bare}"
    assert replace(CODE, PhiLabel.MEDICALRECORD, "mrn no. 44710982") == f"mrn no. {bare}"


@pytest.mark.parametrize("text", ["JS-44710982", "ORDWAY-1", "MRN-", "MRNX41", "ID", "PATEL-77"])
def test_other_letters_before_a_number_change(replace: Replace, text: str) -> None:
    head = re.match("[A-Z]+", text)
    assert head
    assert not replace(CODE, PhiLabel.MEDICALRECORD, text).startswith(head.group())


def test_zip_codes_lie_in_the_state_that_their_own_moves_to(replace: Replace) -> None:
    for scope in map(str, range(50)):
        moved = state_of(replace(ReplaceRegion(), PhiLabel.STATE, "MA", scope=scope))
        for text in ("02115", "02139-0412", "0I299", "021"):
            found = province_of(code_of(replace(POSTCODE, PhiLabel.ZIP, text, scope=scope))[:5])
            assert found
            assert moved
            assert found.full == moved.full


def test_an_area_of_zip_codes_stays_one(replace: Replace) -> None:
    area = replace(POSTCODE, PhiLabel.ZIP, "021")
    assert {replace(POSTCODE, PhiLabel.ZIP, f"021{n:02d}")[:3] for n in range(30)} == {area}


@pytest.mark.parametrize("text", ["413512", "2600", "K1A 0B1", "SW1A 1AA"])
def test_a_postcode_becomes_one_wherever_its_province_moves_to(replace: Replace, text: str) -> None:
    land = {"4": "IN", "2": "AU", "K": "CA", "S": "GB"}[text[0]]
    for scope in map(str, range(200)):
        written = replace(POSTCODE, PhiLabel.ZIP, text, scope=scope)
        moved = province_of(code_of(written))
        assert moved is not None
        assert moved.land == land


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("K1A 0B1", r"[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d"),
        ("LS88 4QT", r"[A-Z]{2}\d\d \d[A-Z]{2}"),
        ("sw1a 1aa", r"[a-z]{2}\d[a-z] \d[a-z]{2}"),
        ("F99 XK07", r"[A-Z]\d\d [A-Z]{2}\d\d"),
        ("570001", r"\d{6}"),
        ("00013", r"\d{5}"),
        ("8", r"\d"),
    ],
)
def test_postcodes_keep_their_form(replace: Replace, text: str, form: str) -> None:
    for scope in map(str, range(30)):
        written = replace(POSTCODE, PhiLabel.ZIP, text, scope=scope)
        assert re.fullmatch(form, written)
        assert written != text


def test_usernames_stay_readable(replace: Replace) -> None:
    written = replace(USERNAME, PhiLabel.USERNAME, "frontdesk_kl7")
    assert [c in "aeiou" for c in written] == [c in "aeiou" for c in "frontdesk_kl7"]


def test_a_username_is_made_of_the_name_that_it_holds(replace: Replace) -> None:
    name = replace(ReplaceName(), PhiLabel.DOCTOR, "L. Farrow").lower()
    assert re.fullmatch(
        f"{name[0]}{name.split()[1]}\\d", replace(USERNAME, PhiLabel.USERNAME, "lfarrow2")
    )


def test_one_number_is_one_number_whatever_it_was_taken_for(replace: Replace) -> None:
    labels = PhiLabel.MEDICALRECORD, PhiLabel.DEVICE, PhiLabel.LICENSE, PhiLabel.IDNUM
    assert len({replace(CODE, label, "W308812") for label in labels}) == 1
    assert replace(CODE, PhiLabel.SSN, "900-12-3456") != replace(CODE, labels[0], "900-12-3456")


def test_an_identity_does_not_show_its_value() -> None:
    (identity,) = CODE.identities(Mention("4471-0982", PhiLabel.MEDICALRECORD))
    assert identity == Identity("id.number", "44710982")
    assert "4471" not in repr(identity)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("70118", "701"),
        ("70118-0412", "701"),
        ("03699", "000"),
        ("LS88 4QT", "[ZIP]"),
        ("7099", "[ZIP]"),
    ],
)
def test_zip_codes_shorten_by_the_restricted_list(text: str, short: str) -> None:
    assert ShortenZip().render(Mention(text, PhiLabel.ZIP), {}) == short


@pytest.mark.parametrize("text", ["ext 12", "Ext. 4410", "extension 7731", "extn: 204"])
def test_word_before_an_extension_stays(replace: Replace, text: str) -> None:
    drawn = replace(ReplaceCode(), PhiLabel.IDNUM, text)
    word = text.rstrip("0123456789")
    assert drawn.startswith(word)
    assert drawn[len(word) :].isdigit()
    assert drawn != text


@pytest.mark.parametrize(
    ("whole", "short", "ending"),
    [
        ("ZA-0099120", "99120", 5),
        ("ZA0099120", "0099120", 7),
        ("HN.00.4471.22", "447122", 6),
        ("AX7-004488213", "4488213", 7),
        ("VP-004-5426", "004-5426", 7),
        ("H 4471 0982", "44710982", 8),
    ],
)
def test_a_shorter_form_is_the_end_of_the_whole_number(
    replace: Replace, whole: str, short: str, ending: int
) -> None:
    facts = NoteFacts(codes=index_codes([short, whole, "51130077"]))
    drawn = code_of(replace(CODE, PhiLabel.MEDICALRECORD, whole, facts=facts))
    own = replace(CODE, PhiLabel.IDNUM, short, facts=facts)
    assert code_of(own) == drawn[-ending:]
    assert len(own) == len(short)


def test_zeros_within_a_number_do_not_matter(replace: Replace) -> None:
    facts = NoteFacts(codes=index_codes(["DMS/2026/00417", "DMS-2026-417"]))
    whole = replace(CODE, PhiLabel.IDNUM, "DMS/2026/00417", facts=facts)
    short = replace(CODE, PhiLabel.IDNUM, "DMS-2026-417", facts=facts)
    assert short == f"{whole[:3]}-{whole[4:8]}-{whole[11:]}"


@pytest.mark.parametrize("text", ["9120", "99121", "10099120", "ZB-99120", "417"])
def test_other_numbers_are_none_of_its_forms(replace: Replace, text: str) -> None:
    facts = NoteFacts(codes=index_codes(["ZA-0099120", text]))
    assert replace(CODE, PhiLabel.IDNUM, text, facts=facts) == replace(CODE, PhiLabel.IDNUM, text)


@pytest.mark.parametrize("text", ["ZA0099120", "004417", "44710982"])
def test_a_number_that_is_written_twice_has_its_surrogate_twice(
    replace: Replace, text: str
) -> None:
    facts = NoteFacts(codes=index_codes([text, text * 2]))
    assert replace(CODE, PhiLabel.IDNUM, text * 2, facts=facts) == 2 * replace(
        CODE, PhiLabel.IDNUM, text, facts=facts
    )

from dataclasses import replace

import pytest

from deidstream.models.mention import Distinct, Mention
from deidstream.models.operators.cap_age import CapAge
from deidstream.models.operators.keep_year import KeepYear
from deidstream.models.operators.relative_date import RelativeDate
from deidstream.models.operators.shift_age import ShiftAge
from deidstream.models.operators.shift_date import ShiftDate
from deidstream.models.operators.table import offers, operators
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import (
    LABELS_OF,
    AgePolicy,
    DatePolicy,
    OperatorName,
    Policy,
    RedactStyle,
    Technique,
    Weekday,
)


def policy(named: dict[PhiLabel, OperatorName], style: RedactStyle = RedactStyle.LABEL) -> Policy:
    by_name: dict[str, OperatorName] = {str(label): one for label, one in named.items()}
    return Policy("test", Technique.SURROGATE, frozenset(), by_name, redact_style=style)


def test_every_label_has_an_operator_and_the_unnamed_are_redacted() -> None:
    table = operators(policy({PhiLabel.DATE: OperatorName.SHIFT}))
    assert set(table) == set(PhiLabel)
    assert table[PhiLabel.DATE].name == "shift"
    assert table[PhiLabel.PATIENT].render(Mention("Jo", PhiLabel.PATIENT), {}) == "[PATIENT]"


def test_the_redact_style_is_the_policys() -> None:
    table = operators(policy({}, RedactStyle.XXX))
    assert table[PhiLabel.CITY].render(Mention("Cork", PhiLabel.CITY), {}) == "XXX-Location"


def test_keep_keeps() -> None:
    table = operators(policy({PhiLabel.STATE: OperatorName.KEEP}))
    assert table[PhiLabel.STATE].render(Mention("NH", PhiLabel.STATE), {}) == "NH"


@pytest.mark.parametrize("label", PhiLabel)
def test_a_label_is_offered_what_a_policy_may_name_for_it(label: PhiLabel) -> None:
    offered = offers(policy({}))[label]
    assert set(offered) == {name for name in OperatorName if label in LABELS_OF[name]}
    for name, operator in offered.items():
        # For dates a surrogate is a shift, for ages the cap.
        same = name is OperatorName.SURROGATE and label in {PhiLabel.DATE, PhiLabel.AGE}
        assert same or operator.name == name


@pytest.mark.parametrize("label", PhiLabel)
@pytest.mark.parametrize("text", ["--", "\u2019", "(?)"])
def test_what_no_operator_can_read_is_written_in_the_policys_style(
    label: PhiLabel, text: str
) -> None:
    mention = Mention(text, label)
    for name, operator in offers(policy({}, RedactStyle.XXX))[label].items():
        if name is not OperatorName.KEEP:
            assert operator.identities(mention) == ()
            assert operator.render(mention, {}) == f"XXX-{LABELS[label].deidclinic}"


def test_numbers_of_the_policy_reach_the_operators() -> None:
    named = {PhiLabel.AGE: OperatorName.GENERALISE, PhiLabel.DATE: OperatorName.SHIFT}
    ages, dates = AgePolicy(70, 10, 2), DatePolicy(30, Weekday.KEEP)
    given = replace(policy(named), ages=ages, dates=dates)
    table = operators(given)
    assert table[PhiLabel.AGE] == CapAge(70, 10)
    assert table[PhiLabel.DATE] == ShiftDate(30, Weekday.KEEP, 70)
    offered = offers(given)
    assert offered[PhiLabel.AGE][OperatorName.SHIFT] == ShiftAge(70, 2)
    assert offered[PhiLabel.DATE][OperatorName.RELATIVE] == RelativeDate(70)
    assert offered[PhiLabel.DATE][OperatorName.GENERALISE] == KeepYear(70)


def test_every_wrong_operator_is_named_at_once() -> None:
    wrong = {PhiLabel.CITY: OperatorName.SHIFT, PhiLabel.SSN: OperatorName.GENERALISE}
    with pytest.raises(InvalidPolicy, match=r"CITY has no shift\nSSN has no generalise"):
        operators(policy(wrong))


MENTIONS = (
    (PhiLabel.PATIENT, "Mary O'Hara, J."),
    (PhiLabel.USERNAME, "mohara27"),
    (PhiLabel.USERNAME, "00-1B-44-11-3A-B7"),
    (PhiLabel.PROFESSION, "train driver"),
    (PhiLabel.HOSPITAL, "Dry Creek Medical Center 4 West"),
    (PhiLabel.STREET, "12 Lake Street"),
    (PhiLabel.CITY, "Boston, MA 02115"),
    (PhiLabel.STATE, "Ohio"),
    (PhiLabel.COUNTRY, "Ireland"),
    (PhiLabel.ZIP, "02115-0417"),
    (PhiLabel.LOCATION_OTHER, "Lake Tillery"),
    (PhiLabel.PHONE, "617-555-0117 x 4410"),
    (PhiLabel.EMAIL, "mohara27@clinic.example"),
    (PhiLabel.URL, "https://clinic.example/files/77120"),
    (PhiLabel.IPADDR, "10.0.0.7"),
    (PhiLabel.SSN, "666-41-9920"),
    (PhiLabel.IDNUM, "00-1B-44-11-3A-B7"),
    (PhiLabel.DEVICE, "RTX700214H"),
)


def test_all_identities_of_a_kind_say_alike_what_they_differ_from() -> None:
    surrogate = OperatorName.SURROGATE
    table = operators(policy(dict.fromkeys(PhiLabel, surrogate)))
    found: dict[str, set[Distinct]] = {}
    for label, text in MENTIONS:
        for identity in table[label].identities(Mention(text, label)):
            found.setdefault(identity.kind, set()).add(identity.distinct)
    assert all(len(said) == 1 for said in found.values())
    assert found["place.terrain"] == {Distinct.FROM_ORIGINALS}
    recurring = {kind for kind, said in found.items() if said == {Distinct.FROM_NOTHING}}
    assert recurring == {
        "place.code",
        "phone.ext",
        "contact.domain",
        "contact.part",
        "contact.path",
        "region.STATE",
        "region.COUNTRY",
    }

"""Ages are ages however a resource writes them, and early births show one."""

from typing import Any

import pytest

from support.plain_rendering import labelled, read, rendered

AGE_CODE = {"coding": [{"system": "http://loinc.org", "code": "30525-0"}]}
PATIENT = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Zyxwvan"}]}
MASKED = "data-absent-reason"


def observation(code: dict[str, Any], **value: Any) -> dict[str, Any]:
    return {"resourceType": "Observation", "status": "final", "code": code, **value}


@pytest.mark.parametrize(
    "resource",
    [
        observation(AGE_CODE, valueInteger=93),
        observation(AGE_CODE, valueQuantity={"value": 93}),
        observation(AGE_CODE, valueString="93"),
        observation({"text": "Age at visit"}, valueInteger=93),
        observation({"text": "Alter"}, valueQuantity={"value": 93, "unit": "Jahre"}),
        observation({"text": "x"}, component=[{"code": AGE_CODE, "valueInteger": 93}]),
        {"resourceType": "Condition", "onsetAge": {"value": 93}},
    ],
)
def test_an_age_is_one(resource: dict[str, Any]) -> None:
    assert labelled(resource)["93"] == "AGE"


@pytest.mark.parametrize(
    "resource",
    [
        observation({"text": "Gestational age"}, valueInteger=39),
        observation({"text": "Heart rate"}, valueInteger=39),
        observation(AGE_CODE, valueQuantity={"value": 39, "unit": "wk"}),
    ],
)
def test_other_numbers_are_none(resource: dict[str, Any]) -> None:
    assert "39" not in labelled(resource)
    assert "39" in str(rendered(resource))


def test_an_early_birth_is_masked_where_nothing_says_when_the_record_was_written() -> None:
    made = rendered(PATIENT | {"birthDate": "1925-03-02"})
    assert "birthDate" not in made
    assert MASKED in str(made["_birthDate"])
    assert read(PATIENT | {"birthDate": "1925-03-02"}).known.dates == ("1925-03-02",)
    assert "1925" not in read(PATIENT | {"birthDate": "1925-03-02"}).text


@pytest.mark.parametrize(
    "more",
    [
        {"birthDate": "1951-03-02"},
        {"birthDate": "1925-03-02", "meta": {"lastUpdated": "1999-01-01T00:00:00Z"}},
        {"birthDate": "1925-03-02", "deceasedDateTime": "1960"},
    ],
)
def test_other_births_are_left_to_the_policy(more: dict[str, Any]) -> None:
    assert rendered(PATIENT | more)["birthDate"] == more["birthDate"]

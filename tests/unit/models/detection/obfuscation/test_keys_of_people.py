"""Keys that name people are no structure of an export: they are read as words of the note."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.obfuscation.keys_of_people import drop_people
from deidstream.models.phi.names.identity import share_of
from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.machine_marks import Mark, find_marks
from support.profiles import few


def kept(text: str) -> list[str]:
    return [mark.name for mark in drop_people(find_marks(text)) if mark.name]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"fox": 1, "okafor": 2, "lindqvist": 3}', []),
        ('{"fox": 1, "grace": 2, "note": 3}', ["note"]),
        ('{"fam": "Fox", "giv": "Grace", "telecom": "", "birthDate": ""}', None),
        ('[{"szczur": 1, "a": 2, "b": 3}, {"szczur": 4}]', ["szczur", "a", "b", "szczur"]),
        ('{"szczurowa": 1, "note": 2, "sex": 3}', ["note", "sex"]),
        ("okafor_note=1 last_name=Fox corr_id=4", ["last_name", "corr_id"]),
        ("id,okafor,last,dob\n1,40,Fox,1970-01-02", ["id", "last", "dob"]),
        ("a:\n  okafor_seen: 4\n  last_name: Fox\n  bed_no: 4", ["last_name", "bed_no"]),
        ("<okafor>x</okafor><family>y</family>", ["family", "family"]),
        ("BEGIN:VCARD\nOKAFOR: seen\nNOTE:x\nEND:VCARD", ["VCARD", "NOTE", "VCARD"]),
        ("tid;bruger;okafor\n1;2;3\n1;2;4\n1;2;5", ["tid", "bruger"]),
        ("INSERT INTO p (id,f_nac,domicilio,okafor) VALUES (1", ["id", "f_nac", "domicilio"]),
        ("VIEW_NOTE RDE_NACK OKAFOR_NOTE OKAFOR_ADA SZCZUR_K", ["VIEW_NOTE"]),
        (" [jane-okafor-3] x [pool-1-thread-3]", ["pool-1-thread-3"]),
    ],
)
def test_a_key_is_a_field_unless_it_names_a_person(text: str, fields: list[str] | None) -> None:
    expected = fields if fields is not None else [m.name for m in find_marks(text)]
    assert kept(text) == expected


ORDINARY = common_words() | {"meta"}
NAMES = sorted(n for n in census().family if share_of(n) > 0 and n.isalpha() and n not in ORDINARY)


@few(200)
@given(
    st.sampled_from(NAMES), st.sampled_from(["{}", "{}_note", "id_{}", "last{}"]), st.integers(1, 4)
)
def test_no_name_hides_as_a_key(name: str, form: str, times: int) -> None:
    key = form.format(name.capitalize() if form == "last{}" else name)
    marks = drop_people([Mark(at, at + 1, None, key) for at in range(times)])
    assert not marks

"""What a message names is looked for in its free text, also what does not pass itself."""

from deidstream.models.messages.hl7.known_values import gather_known
from deidstream.models.messages.hl7.message import read_message
from deidstream.schemas.note import KnownIdentifiers

HEAD = "MSH|^~\\&|A|GH|||20240311||ADT^A01|1|P|2.5"


def known(*lines: str) -> KnownIdentifiers:
    return gather_known(read_message("\r".join([HEAD, *lines])))


def test_the_patient() -> None:
    found = known(
        r"PID|1|X881|4410^^^GH^MR~9921^^^SSA||Shaw\T\Lee^Ann^M~Poole^Ann||19420605|F|Nan||"
        r"12 Kiln Rd&Kiln Rd&12^Apt 4^Carrowby^WI^54999||608-555-0143^PRN^PH^ann@post.example|"
        r"^WPN^PH^^1^608^5550144|||||V77|900-21-4417|WI44172"
    )
    assert found.names == ("Ann M Shaw&Lee", "Ann Poole", "Nan")
    assert found.identifiers == (
        "X881", "4410", "9921", "ann@post.example", "V77", "900-21-4417", "WI44172",
    )  # fmt: skip
    assert found.dates == ("1942-06-05",)
    assert found.phones == ("608-555-0143", "6085550144")
    assert found.addresses == ("12 Kiln Rd, Apt 4, Carrowby, WI, 54999",)


def test_those_beside_the_patient_and_staff() -> None:
    found = known(
        "NK1|1|Shaw^Bo|SPO|1 Elm St^^Dunholme|6085550199|||||||||||19440102",
        "GT1|1|G1234|Lee^Cy|||||1950-01-01",
        "IN1|1|PPO1|4417|Blue Mutual||||||||||||Shaw^Di|SEL|19420605||||||||||||||||||BL88",
        "PV1|1|I|||||A9^Poole^Eve^Q||FVOSS^Voss^Fay",
        "TXA|1|DS|||S77^Hale^Gil",
    )
    assert found.names == ("Bo Shaw", "Cy Lee", "Di Shaw")
    assert found.staff == ("Eve Q Poole", "FVOSS", "Fay Voss", "Gil Hale")
    assert {"G1234", "4417", "BL88", "S77"} <= set(found.identifiers)
    assert found.dates == ("1944-01-02", "1950-01-01", "1942-06-05")


def test_what_says_nothing_is_left_out() -> None:
    found = known('PID|1||4410||""||2024|F|||""||""', "NK1|1|^|SPO|||||||||||||born in May")
    assert found == KnownIdentifiers(identifiers=("4410",))


def test_staff_of_other_segments_and_names_that_escapes_hide() -> None:
    found = known(
        r"PID|1||4410||M\XFC\ller^Ren\XC3\\XA9\e",
        "ROL|1|AD|PP|S77^Garrow^Tess",
        "OBX|1|TX|N||well||||||F|||||S12^Zennor^Pru",
        "NTE|1||text|RE|T12^Poole^Eve",
    )
    assert found.names == ("Renée Müller",)
    assert found.staff == ("Tess Garrow", "Pru Zennor", "Eve Poole")
    assert found.identifiers == ("4410",)


def test_staff_whose_number_and_names_are_parts_of_one_component() -> None:
    found = known("OBR|1" + "|" * 31 + "S12&Zennor&Pru&Q^20240311~Poole&&")
    assert found.staff == ("Pru Q Zennor", "Poole")
    assert found.identifiers == ("S12",)

"""Generate HL7 v2 messages of invented people, with what must not come out of them."""

import random
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from support.hl7_people import Cast

_CLINICAL = (
    "Hb 9.1 g/dL, stable since last week.",
    "Denies chest pain. BP 128/76, HR 72.",
    "Wound 3 x 4 cm, clean margins, no odour.",
    "CT abdomen: no acute finding; small hiatal hernia.",
    "Continue metformin 500 mg twice daily.",
    "Follow up in 2 weeks or sooner if worse.",
)
_ENDS = ("\r", "\n", "\r\n")
_OTHER_SIGNS = str.maketrans("^~&", "@!$")
_KINDS = ("MDM^T02^MDM_T02", "ORU^R01^ORU_R01", "ADT^A08^ADT_A01", "MDM^T08^MDM_T02")


@dataclass(frozen=True, slots=True)
class GeneratedMessage:
    """A message, and what must not come out of it."""

    text: str = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    def left_in(self, output: str) -> list[str]:
        """Return what is in an output that must not be."""
        plain = output.casefold()
        letters = "".join(filter(str.isalnum, plain))
        return [
            secret
            for secret in self.secrets
            if secret.casefold() in plain
            or (secret[-4:].isdigit() and secret.replace("-", "").casefold() in letters)
        ]


def generate(seed: int) -> GeneratedMessage:
    """Generate one message; the same seed gives the same message."""
    chance = random.Random(seed)
    people = Cast.draw(chance)
    write = partial(_write_text, chance, people)
    patient, kin = people.patient, people.kin
    segments = [
        *_write_people(chance, people),
        f"DG1|1|I10|R07.4^Chest pain, says {kin.given} {kin.family}^I10||20240311",
        *_write_content(chance, people, write),
        f"ZPD|{patient.family}^{patient.given}~{kin.family}|{people.ssn}&{patient.phone}|{write()}",
    ]
    head = [r"MSH|^~\&", "REG", "HGH", "DEID", "RES", "20240311081502", ""]
    head += [_KINDS[seed % len(_KINDS)], f"G{seed:07}", "P", chance.choice(("2.3", "2.4", "2.5.1"))]
    text = chance.choice(_ENDS).join(["|".join(head), *segments, ""])
    text = text.translate(_OTHER_SIGNS) if chance.random() < 0.05 else text
    return GeneratedMessage(text, people.secrets)


def _write_people(chance: random.Random, people: Cast) -> list[str]:
    patient, kin, payer, doctor = people.patient, people.kin, people.payer, people.doctor
    alias = f"~{patient.family}^{patient.given[0]}" if chance.random() < 0.3 else ""
    second = f"~{patient.number}9^^^OTHER^XX" if chance.random() < 0.3 else ""
    named = f"{patient.family}^{patient.given}^{chance.choice('ABCDE')}^^MR{alias}"
    parted = f"^PRN^PH^^1^{patient.phone[:3]}^{patient.phone[3:]}"
    phone = chance.choice((patient.phone, patient.dashed, parted))
    house, _, way = patient.street.partition(" ")
    parts = f"{patient.street}&{way}&{house}^^{patient.city}^WI^{patient.zip}"
    address = chance.choice((patient.address, parts))
    number = f"{patient.number}^^^HGH&1.2.3&ISO^MR{second}"
    rest = f"{chance.choice('FM')}||2106-3^White|{address}||{phone}|||W|BAP|V{patient.number}"
    reached = f"{kin.address}|{kin.dashed}||||||||||{kin.birth}"
    paid = f"{payer.address}|{payer.phone}||{payer.birth}"
    insured = f"{patient.family}^{patient.given}|SEL|{patient.birth}|{patient.address}"
    return [
        f"EVN|A08|20240311081500|||U{doctor.number[1:]}",
        f"PID|1||{number}||{named}||{patient.birth}|{rest}|{people.ssn}",
        f"NK1|1|{kin.family}^{kin.given}|SPO^Spouse|{reached}",
        f"PV1|1|I|4WEST^412^B^HGH||||{doctor.number}^{doctor.family}^{doctor.given}^^^DR",
        f"GT1|1|{payer.number}|{payer.family}^{payer.given}||{paid}",
        f"IN1|1|PPO1|4417|BLUE LANTERN MUTUAL{'|' * 12}{insured}{'|' * 17}{people.plan}",
    ]


def _write_content(chance: random.Random, people: Cast, write: Callable[[], str]) -> list[str]:
    coded = b64encode(write().encode()).decode()
    hidden = write().encode().hex().upper()
    doctor = people.doctor
    staff = f"{doctor.number}^{doctor.family}^{doctor.given}"
    number = f"DOC{chance.randrange(10**7)}"
    placed = f"P{number}^EHR|F{number}^LAB"
    choices = [
        f"OBX|1|TX|N^Note||{write()}||||||F",
        rf"OBX|2|FT|N^Note||{write()}\.br\{write()}~{write()}||||||F|||20240311080000",
        "OBX|3|NM|718-7^Hemoglobin^LN||9.1|g/dL|12-16|L|||F",
        f"OBX|4|ED|N^Note||^TEXT^PLAIN^Base64^{coded}||||||F",
        rf"OBX|5|ST|N^Note||\X{hidden}\ seen||||||F",
        f"OBX|6|TX|N^Note||{write()}||||||W",
        f"OBX|7|CWE|72166-2^Tobacco^LN||266919005^Never smoker^SCT||||||F||{write()}",
        f"NTE|1|L|{write()}",
        f"NTE|2||{write()}|RE|{staff}",
    ]
    chance.shuffle(choices)
    return [
        f"TXA|1|DS|TX|20240311080000|{staff}|||||||{number}^EHR|||||LA",
        f"ORC|RE|{placed}|||||||||{staff}",
        f"OBR|1|{placed}|24321-2^Metabolic panel^LN|||20240311070000|||||||||{staff}",
        *choices[: chance.randrange(2, len(choices) + 1)],
    ]


def _write_text(chance: random.Random, people: Cast) -> str:
    patient, kin = people.patient, people.kin
    birth = f"{patient.birth[4:6]}/{patient.birth[6:]}/{patient.birth[:4]}"
    forms = (
        f"Mr. {patient.family} was seen with {kin.given}.",
        f"{patient.given} {patient.family} (MRN {patient.number}) called.",
        f"{patient.family.upper()}, {patient.given.upper()}: reviewed.",
        rf"Call {kin.dashed} \T\ ask for {kin.given} {kin.family}.",
        f"Seen by Dr. {people.doctor.family} on 03/09/2024.",
        f"DOB {birth}, lives at {patient.street}, {patient.city}.",
        f"Tel ({patient.phone[:3]}) {patient.phone[3:6]}-{patient.phone[6:]}.",
    )
    return " ".join((chance.choice(forms), chance.choice(_CLINICAL), chance.choice(forms)))

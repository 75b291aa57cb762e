"""Orders, referrals, schedules and results as three vendors write them; the people are invented."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from support.hl7_generator import GeneratedMessage

TYPES = (
    "ORM^O01",
    "OML^O21^OML_O21",
    "OMG^O19^OMG_O19",
    "OUL^R22^OUL_R22",
    "REF^I12^REF_I12",
    "SIU^S12^SIU_S12",
)
SECRETS = (
    "Brzoskwinia", "Halszka", "6620418", "5540917", "19480229", "1948-02-29", "608-555-0171",
    "6085550171", "902-14-7733", "902147733", "31 Tamarack Hollow", "Tamarack", "Witold",
    "608-555-0188", "Oyelaran", "Temitope", "Quarrington", "Vandermeulen", "PL88213", "FL90417",
    "ACC551204", "AP773120", "RF220918",
)  # fmt: skip
"""What identifies somebody: patient, husband, physicians, orders, appointment, referral."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """How one vendor writes people, numbers and ends of lines."""

    name: str
    version: str
    end: str
    number: str
    patient: str
    doctor: str
    other: str
    address: str
    phone: str
    z_segment: str = ""
    text: str = field(
        default="Pt Halszka Brzoskwinia (DOB 1948-02-29, MRN 6620418) seen with husband Witold; "
        "call 608-555-0171 or Dr. Oyelaran."
    )


VENDORS = (
    Vendor(
        "wide",
        "2.5",
        "\r",
        "6620418^^^WIDE^MRN~5540917^^^ENT^EPI",
        "BRZOSKWINIA^HALSZKA^T^^^^D",
        "71402^OYELARAN^TEMITOPE^^^^^^WIDE^^^^PROVID",
        "71409^QUARRINGTON^ADA^^^^^^WIDE^^^^PROVID",
        "31 TAMARACK HOLLOW^^CARROWBY^WI^54999^USA^P^^DANE",
        "(608)555-0171^PRN^PH^^^608^5550171",
        "ZPV|BRZOSKWINIA^HALSZKA|608-555-0188|31 TAMARACK HOLLOW|||71402^OYELARAN^TEMITOPE",
    ),
    Vendor(
        "typed",
        "2.5.1",
        "\r\n",
        "6620418^^^HGH&2.16.840.1.99&ISO^MR^HGH&2.16.840.1.99&ISO",
        "Brzoskwinia^Halszka^Teofila^^Ms.^^L",
        "1417^Oyelaran^Temitope^^^Dr.^^^HGH&2.16.840.1.99&ISO^L^^^EI",
        "1418^Vandermeulen^Joris^^^Dr.^^^HGH&2.16.840.1.99&ISO^L^^^EI",
        "31 Tamarack Hollow&Tamarack Hollow&31^^Carrowby^WI^54999^USA^H",
        "^PRN^PH^^1^608^5550171",
    ),
    Vendor(
        "short",
        "2.6",
        "\n",
        "6620418",
        "Brzoskwinia^Halszka",
        "Oyelaran^Temitope",
        "Quarrington^Ada",
        "31 Tamarack Hollow^^Carrowby^WI^54999",
        "608-555-0171",
        "ZDR|1|Temitope Oyelaran~Ada Quarrington|PL88213",
        "Mrs Brzoskwinia, born 29 Feb 1948, SSN 902-14-7733, lives at 31 Tamarack Hollow; "
        "husband Witold Brzoskwinia 608-555-0188. Seen by Ada Quarrington.",
    ),
)


def write_message(vendor: Vendor, kind: str) -> GeneratedMessage:
    """Write a message of a type as a vendor does."""
    code, _, event = kind.partition("^")
    name = f"{code}^{event.partition('^')[0]}" if vendor.name == "short" else kind
    head = [r"MSH|^~\&", "REG", "HGH", "DEID", "RES", "20240311081502", "", name, f"{code}77"]
    segments = ["|".join([*head, "P", vendor.version]), *_write_body(vendor, code)]
    segments += [vendor.z_segment] if vendor.z_segment else []
    return GeneratedMessage(vendor.end.join([*segments, ""]), SECRETS)


def _write_body(vendor: Vendor, code: str) -> Iterator[str]:
    match code:
        case "REF":
            yield "RF1|P|R|MED|WR|O|RF220918^REG|20240311|20240611|20240310|R07.4^Chest pain^I10"
            yield f"PRD|RP|{_named(vendor.doctor)}|{vendor.address}||{vendor.phone}||1699123456^NPI"
            yield f"CTD|PR|{_named(vendor.other)}|{vendor.address}||{vendor.phone}||88213^OFF"
            yield from _write_patient(vendor)
            yield "DG1|1|I10|R07.4^Chest pain^I10||20240311|W"
            yield f"NTE|1|L|{vendor.text}"
        case "SIU":
            yield from _write_schedule(vendor)
        case "OUL":
            yield from _write_patient(vendor)
            yield "SPM|1|ACC551204&LAB|||BLD^Blood^HL70487|||LA^Left arm|||||||||202403110700"
            yield "SAC|ACC551204|ACC551204|ACC551204"
            panel = "24321-2^Basic metabolic panel^LN"
            yield f"OBR|1|PL88213^REG|FL90417^LAB|{panel}|||20240311|||{vendor.doctor}"
            yield "OBX|1|NM|2951-2^Sodium^LN||139|mmol/L|135-145|N|||F|||20240311"
            yield f"OBX|2|TX|8251-1^Comment^LN||{vendor.text}||||||F||||{vendor.other}"
        case _:
            yield from _write_patient(vendor)
            people = f"{vendor.other}||{vendor.doctor}"
            yield f"ORC|NW|PL88213^REG|FL90417^LAB||SC||||20240311|{people}|||20240311"
            yield "TQ1|1|1||||||20240311|20240312|R"
            yield (
                f"OBR|1|PL88213^REG|FL90417^LAB|71020^Chest X-ray, two views^C4|||20240311||||||"
                f"{vendor.text}|||{vendor.doctor}|{vendor.phone}||||||||||||||R07.4^Chest pain"
            )
            yield f"NTE|1|P|{vendor.text}"
            yield "DG1|1|I10|R07.4^Chest pain^I10||20240311|W"
            yield f"OBX|1|ST|8302-2^Height^LN||{vendor.text}||||||F"


def _write_patient(vendor: Vendor) -> Sequence[str]:
    return (
        (
            f"PID|1|5540917|{vendor.number}||{vendor.patient}||19480229|F|||{vendor.address}||"
            f"{vendor.phone}|||M||ACC551204|902-14-7733"
        ),
        f"NK1|1|Brzoskwinia^Witold|SPO|{vendor.address}|608-555-0188",
        f"PV1|1|O|CLIN^3^A||||{vendor.doctor}|{vendor.other}|||||||||||V6620418",
    )


def _write_schedule(vendor: Vendor) -> Iterator[str]:
    yield (
        f"SCH|AP773120^REG|AP773120^RES|||||FOLLOWUP^Follow-up visit|OFFICE|30|min|"
        f"^^30^20240318090000^20240318093000|{vendor.other}|{vendor.phone}|{vendor.address}||"
        f"{vendor.doctor}||||{vendor.other}|||||BOOKED|PL88213^REG"
    )
    yield f"NTE|1||{vendor.text}"
    yield from _write_patient(vendor)
    yield "RGS|1|A"
    yield "AIS|1|A|99213^Office visit^C4|20240318090000|||30|min"
    yield f"AIG|1|A|{vendor.doctor}|P"
    yield "AIL|1|A|CLIN^3^A^HGH"
    yield f"AIP|1|A|{vendor.doctor}|MD"


def _named(doctor: str) -> str:
    """Return the name of a physician without the number before it."""
    first, _, rest = doctor.partition("^")
    return rest if first.isdigit() else doctor

"""HL7 v2 messages for tests; the people in them are invented."""

from collections.abc import Mapping, Sequence

PATIENT = (
    "PID|1||7741902^^^HGH^MR||Zyxwvan^Lindiwe^Rose||19420605|F|||"
    "77 Pellwood Rd^^Carrowby^WI^54999||6085550143"
)
NAMES = ("Zyxwvan", "Lindiwe", "7741902", "Pellwood", "6085550143", "608-555-0143", "Quellmar")
"""What must not come out."""


def message(kind: str, segments: Sequence[str], control_id: str = "M1", **header: str) -> str:
    """Build a message; ``header`` has values of MSH by ``f4``, ``f15``, ``f18``."""
    fields = {3: "REG", 4: "HGH", 5: "DEID", 6: "RES", 7: "20240311081502", 9: kind}
    fields |= {10: control_id, 11: "P", 12: "2.5.1"}
    fields |= {int(name[1:]): value for name, value in header.items()}
    head = [r"MSH|^~\&", *(fields.get(number, "") for number in range(3, max(fields) + 1))]
    return "\r".join(["|".join(head), *segments]) + "\r"


def document(
    event: str = "T02", text: str = "Ms. Zyxwvan is well.", control_id: str = "M1", **more: str
) -> str:
    """Build an MDM; ``more`` has ``number``, ``parent``, ``availability`` and values of MSH."""
    own = {"number": "DOC7^EHR", "parent": "", "availability": "AV"}
    given = own | {name: more.pop(name) for name in own if name in more}
    txa = "TXA|1|DS|TX|20240311080000|1417^Quellmar^Folasade|||||||"
    txa += f"{given['number']}|{given['parent']}"
    segments = [
        f"EVN|{event}|20240311081500",
        PATIENT,
        "PV1|1|I|4WEST^412^B|||||1417^Quellmar^Folasade",
        f"{txa}||||LA||{given['availability']}",
        *([f"OBX|1|TX|NOTE^Free text||{text}||||||F"] if text else []),
    ]
    return message(f"MDM^{event}^MDM_T02", segments, control_id, **more)


def results(
    statuses: Mapping[str, str] | None = None, order_status: str = "F", control_id: str = "M1"
) -> str:
    """Build an ORU with one OBX for each text of ``statuses``, and the status of its order."""
    given = {"Ms. Zyxwvan is well.": "F"} if statuses is None else statuses
    order = ["", "OBR", "1", "P1^EHR", "F77^LAB", "24321-2^Basic metabolic panel^LN", "", ""]
    order += ["20240311070000", *([""] * 14), "20240311080000", "", "LAB", order_status]
    segments = [PATIENT, "|".join(order[1:])]
    segments += [
        f"OBX|{number}|FT|N^Note||{text}||||||{status}"
        for number, (text, status) in enumerate(given.items(), 1)
    ]
    return message("ORU^R01^ORU_R01", segments, control_id)


def admission(event: str = "A01", control_id: str = "M1", **header: str) -> str:
    """Build an ADT."""
    kin = "NK1|1|Zyxwvan^Pieter|SPO|||608-555-0144"
    segments = [f"EVN|{event}|20240311081500", PATIENT, kin, "PV1|1|I|4WEST^412^B"]
    return message(f"ADT^{event}^ADT_A01", segments, control_id, **header)

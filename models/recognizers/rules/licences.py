"""Rules for licences, vehicles, devices and biometric templates."""

import re2

from deidstream.models.phi.codes.checksums import digits, holds, is_dea, is_npi, is_vin
from deidstream.models.phi.codes.code_cues import BODY, DEVICE, LICENCE, VEHICLE
from deidstream.models.phi.places.place_cues import STATE_CODE
from deidstream.models.recognizers.rules.code_fits import LINK, VALUE, keep_code, keep_formed_code
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole, when
from deidstream.models.text.patterns import APART, APART_AFTER, BEGIN, END
from deidstream.schemas.label import PhiLabel

_STATE = rf"(?:{STATE_CODE}[ ])?"
_PLATE = (
    r"(?:[0-9]{3}[ ][A-Z]{3}|[0-9A-Z]{1,4}[- ]?[0-9A-Z]{2,5}(?:[- ][0-9A-Z]{1,4})?|[0-9A-Z]{5,9})"
)
_TEMPLATE = (
    r"(?:[A-Za-z]{1,6}[-_:]?[0-9A-Za-z]{1,12}(?:[-_:/][0-9A-Za-z]{1,12}){0,4}"
    r"|[0-9]{2,6}[A-Z][0-9]{4,9})"
)
_MODEL = re2.compile(r"^, ?s/n|^ quad|^ ?rpm")


def _plate(candidate: Candidate) -> tuple[int, int]:
    text = candidate.text
    good = digits(text) and text[3:] and text.upper() == text
    return keep_whole(candidate) if good else REFUSED


def _serial(candidate: Candidate) -> tuple[int, int]:
    good = holds(candidate.text, 2) and not _MODEL.search(candidate.after)
    return keep_formed_code(candidate) if good else REFUSED


RULES = (
    Rule(
        "licence.npi",
        PhiLabel.LICENSE,
        rf"{BEGIN}([12][0-9]{{9}}){END}",
        0.99,
        ("signed [[1234567893]].",),
        ("1234567890",),
        when(is_npi),
    ),
    Rule(
        "licence.dea",
        PhiLabel.LICENSE,
        r"\b([A-Za-z][A-Za-z9][0-9]{7})\b",
        0.99,
        ("DEA [[AB1234563]]",),
        ("AB1234567",),
        when(is_dea),
    ),
    Rule(
        "licence.cued",
        PhiLabel.LICENSE,
        rf"{APART}(?i:{LICENCE}){LINK}{_STATE}({VALUE})",
        0.9,
        (
            "License [[G-00326]]   o",
            "NPI [[1000041788]]",
            "CLIA [[00D0000044]];",
            "GMC [[9917042]]",
            "Reg. no. [[RCCP-90411]]",
            "DL [[001653363]] AL, p",
        ),
        ("registered 3", "license plate", "lic #3"),
        keep_code,
    ),
    Rule(
        "vehicle.vin",
        PhiLabel.VEHICLE,
        r"\b([0-9A-HJ-NPR-Z]{17})\b",
        1.0,
        ("seen [[1M8GDM9AXKP042788]] on",),
        ("1M8GDM9A0KP042788",),
        when(is_vin),
    ),
    Rule(
        "vehicle.vin_cued",
        PhiLabel.VEHICLE,
        r"\bVIN\b(?:[ ][a-z]{2,8}){0,3}[:# ]{1,3}([0-9A-Z]{6,17})\b",
        0.95,
        ("VIN [[2ZZZZ99X0KH087218]], p", "VIN of vehicle [[0ZZAA99B00X441820]]"),
        ("VIN UNKNOWN",),
        _plate,
    ),
    Rule(
        "vehicle.british",
        PhiLabel.VEHICLE,
        r"(?:^|[^0-9A-Za-z./-])([A-Z]{2}[0-9]{2}[ ][A-HJ-PR-Z]{3})(?:$|[^0-9A-Za-z/-])",
        0.96,
        ("VW [[XY19 ZZK]] b",),
        ("XY19 zzk", "HBA12 LOW", "OD1 MLS", "XY19 QIZ"),
    ),
    Rule(
        "vehicle.plate",
        PhiLabel.VEHICLE,
        rf"\b(?i:{VEHICLE})(?:[ ](?:no\.?|number|is|reg|was|with[ ]lift"
        rf"|of[ ]van[ ]for[ ]parking[ ]permit|Subaru))?[ ]?[:#(]{{0,2}}[ ]?{_STATE}"
        rf"({_PLATE}){APART_AFTER}",
        0.85,
        (
            "plate [[KX4 7719]] from",
            "reg [[QD69 ZOM]],",
            "rego [[XQ-00-ZZ]])",
            "tag WY [[0-00ZK]]",
            "(tail [[N000QZ]])",
        ),
        ("plate and screws", "reg diet", "plate 4"),
        _plate,
    ),
    Rule(
        "device.serial",
        PhiLabel.DEVICE,
        rf"{APART}(?i:{DEVICE})(?:[ ](?:on[ ]sticker|R|L|left|right|serial|id))?{LINK}({VALUE})",
        0.85,
        (
            "s/n [[RTX700214H]], i",
            "serial [[V20-4408-716]].",
            "asset tag [[BR-4471-K]].",
            "SN [[CG7-0078-0695Q]]",
            "pump # [[CADD-3370-14]],",
        ),
        ("scope 10 mm", "pump 4", "unit 3", "Pump: 5400 rpm"),
        _serial,
    ),
    Rule(
        "biometric.cued",
        PhiLabel.BIOID,
        rf"{APART}(?i:{BODY})(?:[ -](?i:[a-z()]{{2,14}})){{0,3}}[:,;]?[ (#]{{1,3}}(?i:(?:id"
        rf"|no\.?|code|ref|kit|hash|barcode|card)[ :]{{1,2}})?({_TEMPLATE}){APART_AFTER}",
        0.85,
        (
            "iris ([[IRIS-R-771-PK]]).",
            "fingerprint template ([[FPT-7A31-09]])",
            "saliva kit [[TTR-SK-009417]].",
            "voice template [[vt_0004_6218]] /",
            "footprint card: [[FPC-260107-03]]",
            "Palm print: [[PP-00771-R]]",
        ),
        ("face CT-1", "foot x-ray 2", "index finger"),
        when(lambda text: holds(text, 3)),
    ),
)

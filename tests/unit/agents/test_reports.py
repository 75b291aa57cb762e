"""Reports of pathology, imaging, devices and the laboratory come out, with their figures."""

import re

import pytest

from deidstream.models.pipeline import Pipeline
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Outcome
from support.pipeline import pipeline

REPORTS = {
    "synoptic pathology": (
        (
            "SYNOPTIC REPORT (CAP 4.3.0.0)\nProcedure: right hemicolectomy\nTumor site: cecum\n"
            "Histologic type: adenocarcinoma\nGrade: G2\nMargins: uninvolved, closest 4.2 cm\n"
            "Lymph nodes: 0/17\npT3 N0\nMMR: intact. Form 4.3.0.0, used with CAP eCC 4.2.1.0."
        ),
        ("CAP 4.3.0.0", "0/17", "pT3 N0", "4.2.1.0"),
    ),
    "breast pathology": (
        (
            "Specimen: left breast core, 14 g\nER 95 %, PR 40 %, HER2 1+\nKi-67 12 %\n"
            "Blocks 1.2.1.3 and 1.2.1.4 stained. Protocol 3.4.0.1 of the laboratory was followed."
        ),
        ("1.2.1.3", "1.2.1.4", "3.4.0.1", "HER2 1+"),
    ),
    "ct": (
        (
            "CT chest without contrast\nTechnique: 1.25 mm, kernel B31f, DLP 212 mGy cm\n"
            "Reconstructed with ADMIRE 3, workflow release 5.1.0.2.\nNodule 6 x 5 mm, segment 4.\n"
            "Lung-RADS 2."
        ),
        ("5.1.0.2", "6 x 5 mm", "Lung-RADS 2"),
    ),
    "mri": (
        (
            "MRI lumbar spine\nSequences: T1, T2, STIR; scanner software E11C, patch 2.0.4.1.\n"
            "L4/5: broad bulge, canal 9 mm. L5/S1: no stenosis."
        ),
        ("2.0.4.1", "L4/5", "L5/S1"),
    ),
    "echo": (
        (
            "ECHO: LVEF 55-60 %, E/A 0.8, E/e' 11, TAPSE 21 mm\n"
            "Wall motion scores 1.1.1.2 (septal, anterior, lateral, inferior)\nEchoPAC 204.1.0.3"
        ),
        ("1.1.1.2", "204.1.0.3", "55-60 %", "E/e' 11"),
    ),
    "ventilator": (
        "Vent: PC 14, PEEP 8, FiO2 0.45, I:E ratio 1::2, RR 18, Vt 420\nLater I:E 1::3, RR 20.",
        ("1::2", "1::3", "FiO2 0.45"),
    ),
    "insulin pump": (
        (
            "Pump rate 12.5 mL/h\nLispro 6.6.6.10 units with meals and at night\n"
            "Basal 0.8 units/h, ratio 1::12"
        ),
        ("12.5 mL/h", "6.6.6.10 units", "1::12"),
    ),
    "drains": (
        "POD 2. Drain output 20.30.40.50 ml over four shifts, JP 15.10.5.5 cc.\nHb 10.2.",
        ("20.30.40.50 ml", "15.10.5.5 cc"),
    ),
    "serology": (
        (
            "RPR titer 1::64, repeat 1::32\nANA 1:160, speckled\nCMV IgG 12.4 AU/mL\n"
            "Assay build 2.1.0.118"
        ),
        ("1::64", "1::32", "1:160", "2.1.0.118"),
    ),
    "sleep device": (
        (
            "CPAP download: AHI 2.1, leak 8 L/min, pressure 9.4.\nFirmware 4.0.7.12 on the heater "
            "and 5.6.0.9 on the blower."
        ),
        ("4.0.7.12", "5.6.0.9", "AHI 2.1"),
    ),
}


@pytest.fixture(scope="module", params=["surrogate", "safe-harbor"])
def shipped(request: pytest.FixtureRequest) -> Pipeline:
    return pipeline(request.param)


def outcome_of(shipped: Pipeline, text: str) -> Outcome:
    planned = shipped.prepare([RawNote("n", "p", text)])
    (made,) = shipped.finish(planned, allocate_without_store(shipped.allocate(planned)))
    return made


@pytest.mark.parametrize("kind", REPORTS)
def test_a_report_comes_out_with_its_figures(shipped: Pipeline, kind: str) -> None:
    text, figures = REPORTS[kind]
    made = outcome_of(shipped, text)
    assert isinstance(made, Anonymized)
    assert not [figure for figure in figures if figure not in made.note.text]


def test_four_numbers_without_a_machine_keep_no_report_back(shipped: Pipeline) -> None:
    assert isinstance(outcome_of(shipped, "Pump 10.1.20.7, rate 12.5 mL/h"), Anonymized)


@pytest.mark.parametrize(
    "text", ["Login from {} at night", "Images pushed to host {}.", "Terminal ({}), by the nurse"]
)
@pytest.mark.parametrize("address", ["192.168.4.12", "10.1.20.7", "2001:db8::1"])
def test_the_address_of_a_machine_is_replaced(shipped: Pipeline, text: str, address: str) -> None:
    made = outcome_of(shipped, text.format(address))
    assert isinstance(made, Anonymized)
    # A surrogate of a documentation address may begin as the address does.
    assert address not in re.findall(r"[\w:.]+\w", made.note.text)

"""What frameworks ask for, and where the pack has it, or that somebody has to add it.

The questions are those of: 45 CFR 164.514(b)(1) with the guidance of the Office for Civil Rights of
2012; ISO/IEC 27559:2022; NIST SP 800-188 (2023); the motivated intruder test of the UK Information
Commissioner (guidance of 28 March 2025); recital 26 of Regulation (EU) 2016/679.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

SITE = ""
"""In place of a section: no software can state it, the site or its expert does."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that a framework asks for."""

    text: str
    section: str
    """Anchor of the page's section with the evidence."""


CHECKLISTS: Mapping[str, Sequence[Question]] = MappingProxyType(
    {
        "HIPAA expert determination, 45 CFR 164.514(b)(1)": (
            Question("Who is the expert, and what qualifies that person?", SITE),
            Question("Which data, from which source and time?", "scope"),
            Question("By which methods was the information made not identifiable?", "method"),
            Question("Who are the anticipated recipients, and what else can they get?", SITE),
            Question("Replicability: which facts stay that recur for a person?", "stays"),
            Question("Availability: what stays in the outputs?", "stays"),
            Question("Availability: which of it do others publish or hold?", SITE),
            Question("Distinguishability: how many patients share what stays?", "classes"),
            Question("How often does an identifier remain, with which confidence?", "claims"),
            Question("Can outputs be matched with originals?", "attacks"),
            Question("Are codes derived from information about the person (164.514(c))?", "method"),
            Question("For how long does the determination hold?", SITE),
        ),
        "ISO/IEC 27559:2022": (
            Question("Context: who receives the data, under which controls (clause 6)", SITE),
            Question("Data: principals, direct and indirect identifiers (7)", "stays"),
            Question("Data: what was not examined, by field (7)", "stays"),
            Question("Identifiability: measured, with a threshold stated before (8)", "claims"),
            Question("Adversarial testing (8.2.3)", "attacks"),
            Question("Mitigation: what was done to each kind of identifier", "method"),
            Question("Governance before and after the release (9)", SITE),
        ),
        "NIST SP 800-188": (
            Question("Pack for the disclosure review board", "claims"),
            Question("Data-sharing model: public, agreement, enclave", SITE),
            Question("Performance of the tool, measured on this agency's own data", "labels"),
            Question("Tests for re-identification", "attacks"),
            Question("Differences between groups of people and kinds of documents", "slices"),
        ),
        "UK ICO, motivated intruder test": (
            Question("Singling out: how many patients share what stays?", "classes"),
            Question(
                "Linkability: can outputs be matched with originals or parts of them?", "attacks"
            ),
            Question("Inference: what stays true in the text?", "stays"),
            Question("Test by software that holds the originals", "attacks"),
            Question("Test by a person with the outputs, the internet and public records", SITE),
            Question("In whose hands the data are, and when this is reviewed again", SITE),
        ),
        "GDPR, recital 26": (
            Question(
                "Means reasonably likely to be used: attacks, with what they found", "attacks"
            ),
            Question("Costs, time and technology that an intruder needs", SITE),
            Question("Additional information (keys, vault, crosswalk): who holds it", SITE),
            Question("Whether it is anonymous or pseudonymised, for whom", SITE),
        ),
    }
)

"""Validate clinical documents (CDA) before and after de-identification: schema and schematron.

python benchmarks/cda_validity.py --schema CDA_SDTC.xsd [--schematron FILE.sch] [--policy NAME]
    FILES

A line for each document says how many errors it had and has, and whether it has the same sections
and entries. Of a schematron, what its phase ``errors`` asserts counts, and a document that fails
anything which it did not fail before counts as worse. HL7 publishes the schema in
github.com/HL7/CDA-core-2.0, and the schematron of C-CDA 2.1 in github.com/HL7/CDA-ccda-2.1, beside
it ``voc.xml`` with the value sets; neither is part of this repository.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree, isoschematron  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.models.messages.read_message import read_message

Schema = Any
"""A schema of lxml, which has no types."""
_SAME = ("section", "entry", "observation", "act", "table", "tr", "td", "item", "content", "id")
_KEY = bytes(range(32))
_SCH = "{http://purl.oclc.org/dsdl/schematron}"
_FAILED = "{http://purl.oclc.org/dsdl/svrl}failed-assert"
_VALUE_SETS = "voc.xml"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a document is held against; each finds the errors of one, by what they say."""

    checks: dict[str, Callable[[Any], Counter[str]]]

    def find(self, document: bytes) -> dict[str, Counter[str]]:
        """Find the errors by each check."""
        tree = etree.fromstring(document)
        return {name: check(tree) for name, check in self.checks.items()}


def main() -> int:
    """Run, and return 1 if a document became less valid or lost something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--schematron", type=Path)
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    checks = {"schema": _read_schema(arguments.schema)}
    if arguments.schematron is not None:
        checks["schematron"] = _read_schematron(arguments.schematron)
    worse = 0
    with Deidentifier.load(arguments.policy, key=_KEY) as deidentifier:
        for path in arguments.files:
            worse += _check(path, Rules(checks), deidentifier)
    return int(worse > 0)


def _read_schema(path: Path) -> Callable[[Any], Counter[str]]:
    schema = etree.XMLSchema(etree.parse(str(path)))

    def check(tree: Schema) -> Counter[str]:
        schema.validate(tree)
        return Counter(error.type_name for error in schema.error_log)

    return check


def _read_schematron(path: Path) -> Callable[[Any], Counter[str]]:
    tree = etree.parse(str(path))
    sets = (path.parent / _VALUE_SETS).resolve()
    quoted, here = f"document('{_VALUE_SETS}')", f"document('{sets.as_uri()}')"
    of_sets = [one for one in tree.iter(f"{_SCH}assert") if quoted in one.get("test")]
    for rule in of_sets:
        # A stylesheet that was made in memory has no folder to count from.
        test = rule.get("test").replace(quoted, here) if sets.exists() else "true()"
        rule.set("test", test)
    if of_sets and not sets.exists():
        print(f"without {_VALUE_SETS}: {len(of_sets)} rules are left out", file=sys.stderr)
    # What C-CDA has is not what the schema of schematrons wants, and runs.
    schema = isoschematron.Schematron(
        tree, store_report=True, validate_schema=False, phase="errors"
    )

    def check(document: Schema) -> Counter[str]:
        schema.validate(document)
        failed = schema.validation_report.iter(_FAILED)
        return Counter(one.get("id") or one.get("test") for one in failed)

    return check


def _check(path: Path, rules: Rules, deidentifier: Deidentifier) -> bool:
    given = path.read_bytes()
    before = time.process_time()
    outcome = deidentifier.deidentify(read_message(given))
    seconds = time.process_time() - before
    if not isinstance(outcome, DeidentifiedNote) or outcome.record.document is None:
        print(path.name, outcome)
        return True
    made = outcome.record.document.encode()
    same = _count_elements(given) == _count_elements(made)
    line: dict[str, object] = {"file": path.name, "same": same}
    had, has = rules.find(given), rules.find(made)
    new = {name: dict(has[name] - errors) for name, errors in had.items()}
    for name, errors in had.items():
        line[name] = [errors.total(), has[name].total()]
    if any(new.values()):
        line["new"] = new
    print(json.dumps(line | {"bytes": len(given), "seconds": round(seconds, 2)}), flush=True)
    return any(new.values()) or not same


def _count_elements(document: bytes) -> list[int]:
    root = etree.fromstring(document)
    return [len(list(root.iter(f"{{urn:hl7-org:v3}}{name}"))) for name in _SAME]


if __name__ == "__main__":
    sys.exit(main())

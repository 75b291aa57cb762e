"""Validate clinical documents (CDA) before and after de-identification against a schema.

python benchmarks/cda_validity.py --schema CDA_SDTC.xsd [--policy NAME] FILES

A line for each document says how many errors it had and has, and whether it has the same sections
and entries. HL7 publishes the schema in github.com/HL7/CDA-core-2.0; it is not part of this
repository.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.models.messages.read_message import read_message

Schema = Any
"""A schema of lxml, which has no types."""
_SAME = ("section", "entry", "observation", "act", "table", "tr", "td", "item", "content", "id")
_KEY = bytes(range(32))


def main() -> int:
    """Run, and return 1 if a document became less valid or lost something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    schema = etree.XMLSchema(etree.parse(str(arguments.schema)))
    worse = 0
    with Deidentifier.load(arguments.policy, key=_KEY) as deidentifier:
        for path in arguments.files:
            worse += _check(path, schema, deidentifier)
    return int(worse > 0)


def _check(path: Path, schema: Schema, deidentifier: Deidentifier) -> bool:
    given = path.read_bytes()
    before = time.process_time()
    outcome = deidentifier.deidentify(read_message(given))
    seconds = time.process_time() - before
    if not isinstance(outcome, DeidentifiedNote) or outcome.record.document is None:
        print(path.name, outcome)
        return True
    made = outcome.record.document.encode()
    errors = [_count_errors(each, schema) for each in (given, made)]
    same = _count_elements(given) == _count_elements(made)
    line = {"file": path.name, "before": errors[0], "after": errors[1], "same": same}
    print(json.dumps(line | {"bytes": len(given), "seconds": round(seconds, 2)}), flush=True)
    return errors[1] > errors[0] or not same


def _count_errors(document: bytes, schema: Schema) -> int:
    return 0 if schema.validate(etree.fromstring(document)) else len(schema.error_log)


def _count_elements(document: bytes) -> list[int]:
    root = etree.fromstring(document)
    return [len(list(root.iter(f"{{urn:hl7-org:v3}}{name}"))) for name in _SAME]


if __name__ == "__main__":
    sys.exit(main())

"""Files of a bulk export go through a real broker and a real worker, and come out as resources."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.fhir_samples import SAMPLES, identifiers, sample, shown_text
from support.kafka import Kafka
from support.service import Service

pytestmark = [pytest.mark.broker, pytest.mark.slow]
UNSCANNABLE = {
    "resourceType": "DiagnosticReport",
    "id": "scan",
    "status": "final",
    "presentedForm": [{"contentType": "image/png", "data": "iVBORw0KGgo="}],
}


def test_resources_in_resources_out(kafka: Kafka, redis_url: str, tmp_path: Path) -> None:
    given = {name: json.loads(sample(name)) for name in SAMPLES}
    file = tmp_path / "export.ndjson"
    lines = (json.dumps(one) for one in (*given.values(), UNSCANNABLE, {"resourceType": "Claim"}))
    file.write_text("".join(f"{line}\n" for line in lines))
    service = Service(kafka, redis_url, tmp_path)
    command = [sys.executable, "-m", "deidstream.agents", "ingest", "fhir", str(file)]
    done = subprocess.run(  # noqa: S603 - our own command
        command, check=False, env=service.environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert f"{len(SAMPLES) + 1} records sent" in done.stderr
    assert "1 resources are of types that are not read" in done.stderr
    # One message is a resource by itself, without a record around it.
    service.send([sample("composition_r5")])
    service.start_worker()
    try:
        service.wait(lambda: service.count("anonymized") > len(SAMPLES), 120)
        service.wait(lambda: service.count("quarantine") == 1, 30)
    finally:
        service.stop()
    outputs = service.records("anonymized")
    assert len(outputs) == len(SAMPLES) + 1
    shown = "\n".join(shown_text(record) for record in outputs)
    for resource in given.values():
        assert {one for one in identifiers(resource) if one.casefold() in shown.casefold()} == set()
    kinds = sorted(str(record["resource"]["resourceType"]) for record in outputs)  # type: ignore[index]
    assert kinds == sorted([*(str(one["resourceType"]) for one in given.values()), "Composition"])
    (letter,) = service.records("quarantine")
    assert (letter["reason"], letter["attachment"]) == ("UNSCANNABLE_ATTACHMENT", "unknown_type")
    assert not any(name in service.logs() for name in ("Kasprzak", "Featherstonehaugh"))

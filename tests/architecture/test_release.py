"""A release is whole, of the last commit, and signed; without a key there is none."""

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ROOT = Path(__file__).parents[2]
PEM, PKCS8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
pytestmark = [pytest.mark.helm, pytest.mark.slow]


def write_key(key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey, file: Path) -> Path:
    file.write_bytes(key.private_bytes(PEM, PKCS8, serialization.NoEncryption()))
    return file


def release(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [ROOT / "deploy/release.sh", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def test_without_a_key_that_signs_there_is_no_release(tmp_path: Path) -> None:
    other = write_key(ec.generate_private_key(ec.SECP256R1()), tmp_path / "other.key")
    (tmp_path / "no.key").write_text("no key")
    folder = tmp_path / "release"
    for words, said in (
        ((), "name the key"),
        ((tmp_path / "missing.key", folder), "cannot be read"),
        ((tmp_path / "no.key", folder), "no private key"),
        ((other, folder), "not an Ed25519 key"),
    ):
        ended = release(*words)
        assert (ended.returncode, said in ended.stderr) == (78, True), ended.stderr
    assert not folder.exists()


def test_a_release_is_whole_and_signed(tmp_path: Path) -> None:
    key, folder = Ed25519PrivateKey.generate(), tmp_path / "release"
    ended = release(write_key(key, tmp_path / "release.key"), folder)
    assert ended.returncode == 0, ended.stderr
    sums, signature = folder / "SHA256SUMS", (folder / "SHA256SUMS.sig").read_bytes()
    key.public_key().verify(signature, sums.read_bytes())
    with pytest.raises(InvalidSignature):
        key.public_key().verify(signature, sums.read_bytes() + b"\n")
    listed = {line.split()[1] for line in sums.read_text().splitlines()}
    assert listed == {file.name for file in folder.iterdir()} - {sums.name, "SHA256SUMS.sig"}
    checked = ["sha256sum", "--check", "--quiet", sums.name]
    assert subprocess.run(checked, cwd=folder, check=False).returncode == 0  # noqa: S603 - ours
    kinds = sorted(re.sub(r"-\d.*?(\.whl|\.tgz)$", r"\1", name) for name in listed)
    assert kinds == [
        "deidstream.tgz",
        "deidstream.whl",
        "deidstream_study.whl",
        "requirements.lock",
        "sbom.json",
        "without-torch.txt",
    ]
    assert json.loads((folder / "sbom.json").read_text())["bomFormat"] == "CycloneDX"
    (wheel,) = folder.glob("deidstream-*.whl")
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("deidstream/")}
    committed = subprocess.run(  # noqa: S603 - ours
        ["git", "-C", ROOT, "ls-tree", "-r", "--name-only", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert inside <= {f"deidstream/{file}" for file in committed}
    assert release(tmp_path / "release.key", folder).returncode == 78

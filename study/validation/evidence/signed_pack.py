"""The manifest of an evidence pack, and its signature: Ed25519 (RFC 8032) under the site's key.

Without this software, ``openssl pkeyutl -verify -pubin -inkey signer.pem -rawin -in manifest.json
-sigfile manifest.sig`` checks the signature, and ``sha256sum`` the files.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)

from deidstream.agents.runtime.lines import write_whole
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import MissingArtefact, Refused

SCHEMA = 1
MANIFEST, SIGNATURE, SIGNER = "manifest.json", "manifest.sig", "signer.pem"


@dataclass(frozen=True, slots=True)
class CheckedPack:
    """A pack whose signature and files are right."""

    files: int
    signer: str
    """Fingerprint of the key that signed it: compare it with the one that the site published."""


def write_pack(
    folder: Path, contents: Mapping[str, bytes], kept: Mapping[str, bytes], ring: Keyring
) -> str:
    """Write a pack and sign it; return the fingerprint of the key.

    Args:
        folder: Made if need be.
        contents: The files of the pack by name.
        kept: Files that stay at the site; the pack has their digests alone.
        ring: Of the root key; the key that signs is derived from it.

    Raises:
        MissingArtefact: It cannot be written.
    """
    # Two digests of 16 bytes are a seed.
    private = Ed25519PrivateKey.from_private_bytes(
        ring.digest("sign", "1") + ring.digest("sign", "2")
    )
    public = private.public_key()
    manifest = {
        "schema": SCHEMA,
        "kind": "evidence manifest",
        "version": version("deidstream"),
        "files": {name: _digest(content) for name, content in sorted(contents.items())},
        "kept_at_the_site": {name: _digest(content) for name, content in sorted(kept.items())},
        "signature": {"algorithm": "Ed25519", "signer": _fingerprint(public)},
    }
    encoded = orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n"
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{folder}: cannot be created: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    signed = {MANIFEST: encoded, SIGNATURE: private.sign(encoded), SIGNER: pem}
    for name, content in {**contents, **signed}.items():
        write_whole(folder / name, content)
    return _fingerprint(public)


def check_pack(folder: Path) -> CheckedPack:
    """Check the signature of a pack and the digests of its files.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: The signature is wrong, or a file is not the one that was signed.
    """
    encoded = _read(folder / MANIFEST)
    try:
        public = load_pem_public_key(_read(folder / SIGNER))
        _verify(public, _read(folder / SIGNATURE), encoded)
        manifest = cast("dict[str, Any]", orjson.loads(encoded))
        files: dict[str, str] = manifest["files"]
        signer: str = manifest["signature"]["signer"]
    except (InvalidSignature, KeyError, TypeError, ValueError):
        msg = f"{folder}: the signature is not that of {MANIFEST} by {SIGNER}"
        raise Refused(msg) from None
    if not isinstance(public, Ed25519PublicKey) or signer != _fingerprint(public):
        msg = f"{folder}: {SIGNER} is not the key that {MANIFEST} names"
        raise Refused(msg)
    for name, digest in files.items():
        if _digest(_read(folder / Path(name).name)) != digest:
            msg = f"{folder}: {name} is not the file that was signed"
            raise Refused(msg)
    return CheckedPack(len(files), signer)


def _verify(public: object, signature: bytes, content: bytes) -> None:
    if not isinstance(public, Ed25519PublicKey):
        raise TypeError
    public.verify(signature, content)


def _fingerprint(public: Ed25519PublicKey) -> str:
    return _digest(public.public_bytes(Encoding.Raw, PublicFormat.Raw))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None

"""Pseudonyms of notes and patients, shared by all releases of a key or of one release alone.

Pools of sentences name their donors by such pseudonyms, with the release that they are of.
"""

from collections.abc import Iterable

from deidstream.models.keyring import Keyring


def note_pseudonym(keyring: Keyring, note_id: str, release: str = "") -> str:
    """Return the pseudonym of a note; ``release`` is ``Policy.id_release``, empty if shared."""
    return keyring.pseudonym("note", *_of_release(release), note_id)


def patient_pseudonym(keyring: Keyring, patient_id: str, release: str = "") -> str:
    """Return the pseudonym of a patient; ``release`` is ``Policy.id_release``, empty if shared."""
    return keyring.pseudonym("patient", *_of_release(release), patient_id)


def _of_release(release: str) -> tuple[str, ...]:
    # Joined with prefixes of their lengths, one part is never equal to two.
    return (release,) if release else ()


def name_donor(pseudonym: str, release: str) -> str:
    """Name the patient of an output in a pool of sentences; one release's names are its own.

    >>> name_donor("8c1f", ""), name_donor("8c1f", "study 7")
    ('8c1f', 'study 7 8c1f')
    """
    return f"{release} {pseudonym}" if release else pseudonym


def releases_of(donors: Iterable[str]) -> tuple[str, ...]:
    """Return the releases from which a pool has donors, sorted; ``""``: shared pseudonyms.

    >>> releases_of(["8c1f", "study 7 8c1f", ""])
    ('', 'study 7')
    """
    return tuple(sorted({donor.rpartition(" ")[0] for donor in set(donors) if donor}))


def donors_of(keyring: Keyring, patient_id: str, releases: Iterable[str]) -> frozenset[str]:
    """Return all names that a patient may have as a donor."""
    return frozenset(
        name_donor(patient_pseudonym(keyring, patient_id, release), release) for release in releases
    )

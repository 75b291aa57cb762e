"""Build the output record: pseudonyms for ids, and the text of a permit."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from deidstream.models.changes import count_changes
from deidstream.models.keyring import Keyring
from deidstream.models.messages.render_form import WrittenForm, render_form
from deidstream.models.phi.not_phi import common_words
from deidstream.models.precedence import state_precedence
from deidstream.models.records import Substituted
from deidstream.models.release_ids import note_pseudonym, patient_pseudonym
from deidstream.models.risk.measured import METHOD_VERSION
from deidstream.models.text.context import Condition
from deidstream.models.text.folding import words_of
from deidstream.models.text.language import identify_language
from deidstream.models.text.search import find_occurrences
from deidstream.models.verification.identifying_literals import find_identifying_literals
from deidstream.schemas.note import LinkType, PatientLink, PipelineStamp, PolicyStamp, RawNote
from deidstream.schemas.outcome import AnonymizedNote, LinkedPatients, Ranking, Retracted
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import encode_note

_WORDS = re.compile(r"[A-Za-z]+(?:[_ /-][A-Za-z]+){0,7}")
"""A note type is a few ordinary words; a longer text, or one with digits, may be anything."""


@dataclass(frozen=True, slots=True)
class RecordBuilder:
    """Makes output records of one policy, pipeline and key."""

    policy: Policy
    stamp: PipelineStamp
    root: bytes = field(repr=False)

    def build_record(self, item: Substituted, permit: EmitPermit) -> AnonymizedNote:
        """Build the record of a permitted note. It depends on the note and our own versions."""
        note = item.planned.note
        keyring = Keyring(self.root, self.stamp.key_version, note.tenant)
        release = self.policy.id_release
        pseudonym = note_pseudonym(keyring, note.note_id, release)
        written = self._write_form(keyring, item, permit)
        return AnonymizedNote(
            output_id=self._output_id(keyring, note),
            note_id=pseudonym,
            patient_id=patient_pseudonym(keyring, note.patient_id, release),
            permit=permit,
            technique=self.policy.technique,
            policy=PolicyStamp(self.policy.name, self.policy.sha256, release),
            pipeline=self.stamp,
            language=identify_language(note.text),
            note_type=_note_type(item),
            authored_at=item.authored_at,
            correlation=note.correlation,
            precedence=state_precedence(keyring, pseudonym, note),
            changes=count_changes(note.text, permit.replacements),
            kneo=item.kneo,
            status=note.status,
            resource=written.resource,
            document=written.document,
        )

    def build_ranking(self, item: Substituted, note: AnonymizedNote) -> Ranking | None:
        """Name the notes among which this one is ranked; none if thresholds alone make levels.

        They are those of its tenant under policies of this name, as long as the same measures count
        on the same scale: a policy whose lists change every night keeps its counts.
        """
        shares = self.policy.risk.shares
        if shares is None:
            return None
        keyring = Keyring(self.root, self.stamp.key_version, item.planned.note.tenant)
        risk = self.policy.risk
        scale = (f"{measure} {risk.red_from(measure)}" for measure in risk.counted)
        group = keyring.digest("levels", self.policy.name, str(METHOD_VERSION), *scale).hex()
        kind = keyring.digest("note type", note.note_type.casefold()) if note.note_type else b""
        return Ranking(group, kind[:8].hex(), *shares)

    def _write_form(self, keyring: Keyring, item: Substituted, permit: EmitPermit) -> WrittenForm:
        """Write the resource or document that the note came as, with the permitted text alone."""
        release, note = self.policy.id_release, item.planned.note

        def pseudonym(identifier: str, *, of_patient: bool) -> str:
            if not of_patient:
                return note_pseudonym(keyring, identifier, release)
            merged = identifier == note.merged_id
            return patient_pseudonym(keyring, note.patient_id if merged else identifier, release)

        masked = find_identifying_literals(item.planned)
        return render_form(note, permit, pseudonym, masked)

    def build_retraction(self, note: RawNote) -> Retracted:
        """Build the record that takes a note back; it has the pseudonyms of the note's outputs."""
        keyring = Keyring(self.root, self.stamp.key_version, note.tenant)
        release = self.policy.id_release
        pseudonym = note_pseudonym(keyring, note.note_id, release)
        return Retracted(
            output_id=self._output_id(keyring, note),
            note_id=pseudonym,
            patient_id=patient_pseudonym(keyring, note.patient_id, release),
            policy=PolicyStamp(self.policy.name, self.policy.sha256, release),
            pipeline=self.stamp,
            precedence=state_precedence(keyring, pseudonym, note),
        )

    def build_links(
        self, note: RawNote, links: Iterable[PatientLink]
    ) -> tuple[LinkedPatients, ...]:
        """Build the records that say what a note's patient is to others, by pseudonyms alone."""
        keyring = Keyring(self.root, self.stamp.key_version, note.tenant)
        release = self.policy.id_release
        built: list[LinkedPatients] = []
        for link in links:
            of_patient, of_other = (
                patient_pseudonym(keyring, number, release)
                for number in (note.patient_id, link.patient_id)
            )
            if of_patient == of_other:
                continue
            kind = link.type
            if kind is LinkType.REPLACED_BY:
                kind, of_patient, of_other = LinkType.REPLACES, of_other, of_patient
            output_id = keyring.pseudonym("output", self._output_id(keyring, note), kind, of_other)
            stamp = PolicyStamp(self.policy.name, self.policy.sha256, release)
            built.append(LinkedPatients(output_id, of_patient, kind, of_other, stamp, self.stamp))
        return tuple(built)

    def _output_id(self, keyring: Keyring, note: RawNote) -> str:
        stamp = self.stamp
        made_by = (stamp.version, *stamp.recognizers, stamp.tagger, stamp.embedder, stamp.index)
        mapped = (stamp.mapping, str(stamp.epoch))
        # A file may be in force under two names, and so for two releases.
        releases = (self.policy.id_release, self.policy.surrogate_release)
        released = releases if any(releases) else ()
        drawn_from = (stamp.vectors,) if stamp.vectors else ()
        parts = [part or "" for part in (*made_by, *mapped, *released, *drawn_from)]
        return keyring.pseudonym("output", encode_note(note).decode(), self.policy.sha256, *parts)


def _note_type(item: Substituted) -> str | None:
    given = item.planned.note.note_type
    if given is None or not _WORDS.fullmatch(given):
        return None
    if not common_words().issuperset(re.findall("[a-z]+", given.casefold())):
        return None
    letters = _letters_of(given)
    # A term occurs only where its letters do, and hardly any has letters of the type.
    possible = [term for term in item.planned.leak_terms if _letters_of(term.text) in letters]
    terms = [term._replace(condition=Condition.ANYWHERE) for term in possible]
    return None if find_occurrences(given, terms) else given


def _letters_of(text: str) -> str:
    return "".join(words_of(text))

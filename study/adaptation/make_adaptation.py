"""Run ``deidstream adapt make``: from a site's own files to a policy and a tagger in force."""

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from deidstream.agents.note_files.open_notes import Reading, open_notes
from deidstream.agents.runtime.load_models import find_tagger
from deidstream.agents.runtime.policy_files import find_policy, policy_path
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings, read_settings
from deidstream.agents.settings.adaptation import TAGGER, Adaptation
from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import RecognizerName
from deidstream.schemas.wire import decode
from deidstream.study.adaptation.adapt_tagger import SiteTagger, adapt_tagger, open_adapted
from deidstream.study.adaptation.allowed_words import SiteWords, find_allowed
from deidstream.study.adaptation.choose_site_policy import choose_site_policy
from deidstream.study.adaptation.marked_parts import MarkedParts, split_marked
from deidstream.study.adaptation.master_data import MasterData
from deidstream.study.adaptation.measure import (
    Measured,
    compare,
    find_spans,
    measure,
    open_detector,
    show_figures,
)
from deidstream.study.adaptation.read_master import read_master_files
from deidstream.study.adaptation.teach_tagger import Lesson, write_tagger
from deidstream.study.adaptation.write_version import (
    BasePolicy,
    SitePolicy,
    open_folder,
    put_in_force,
    write_policy,
    write_version,
)
from deidstream.study.corpus.read_notes import read_labelled_notes, read_marked_notes

DONE, NOT_BETTER = 0, 1
MOST_NOTES = 1000
"""Unmarked notes that patterns are checked against."""


@dataclass(frozen=True, slots=True)
class AdaptRequest:
    """What the command line states."""

    folder: Path
    master: tuple[Path, ...] = ()
    marked: tuple[Path, ...] = ()
    """Labelled notes, or folders of marked ones."""
    notes: Path | None = None
    """Further notes of the site."""
    reading: Reading = field(default_factory=Reading)
    """How these are read."""
    policy: str | None = None
    """What is adapted; ``None``: the policy of the settings."""
    recall: float = 0.99
    """Share of the tokens of direct identifiers that thresholds are chosen for."""
    apart: float = 0.4
    """Share of the patients with marked notes that is kept apart."""
    lesson: Lesson | None = field(default_factory=Lesson)
    """How the tagger is taught; ``None``: not at all."""
    in_force: bool = True
    """Whether a version that finds no fewer identifiers is put in force."""


@dataclass(frozen=True, slots=True)
class _Start:
    """What is adapted."""

    settings: Settings
    """Without any adaptation."""
    base: BasePolicy
    folder: Path
    """Where the version is made."""

    @classmethod
    def of(cls, wanted: AdaptRequest) -> "_Start":
        settings = read_settings(os.environ, {"adaptation": "", "policy": wanted.policy})
        named = policy_path(settings.policy)
        base = settings.policy if named is None else str(named.resolve())
        policy = find_policy(base)
        for name in (RecognizerName.RULES, RecognizerName.DICTIONARY):
            if name not in policy.recognizers:
                msg = f"policy {policy.name}: lists and patterns need the recognizer {name}"
                raise Refused(msg)
        folder = open_folder(wanted.folder)
        return cls(settings, BasePolicy(base, policy), folder)

    def write(self, site: SitePolicy) -> Settings:
        """Write the policy of the version; return the settings with it."""
        policy = write_policy(self.folder, self.base, site)
        return replace(self.settings, policy=str(policy))


def make_adaptation(wanted: AdaptRequest) -> int:
    """Make a version, measure it and put it in force; return 0, or 1 if it finds fewer.

    Raises:
        Refused: Something cannot be read, written or taught, or there is nothing to adapt to.
    """
    if sys.stdin.isatty() and not (wanted.master or wanted.marked):
        wanted = _ask_for_files(wanted)
    if not wanted.master and not wanted.marked:
        msg = "name what to adapt to: --master FILE, --marked FILE, or both"
        raise Refused(msg)
    master = read_master_files(wanted.master)
    parts = _read_parts(wanted)
    own = _read_notes(wanted)
    start = _Start.of(wanted)

    detector = open_detector(start.settings)
    site, counts = choose_site_policy(start.base, master, parts, own, detector)
    before = measure(detector, parts.apart)
    del detector  # a model and the gazetteers take hundreds of megabytes
    site = _allow_words(start, site, master, parts)
    settings = start.write(site)
    work = wanted.folder / "work"
    tagger = adapt_tagger(settings, parts, work, lesson=wanted.lesson, recall=wanted.recall)
    facts: dict[str, Any] = {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        **counts,
        "marked": parts.count(),
        "tagger_taught": tagger.taught is not None,
        "threshold_bound": tagger.bound,
    }
    good = _compare(before, settings, tagger, parts.apart, facts)
    site = _take_back(site, parts.apart)
    facts["allowed"] = len(site.allowed)
    start.write(site)
    if tagger.is_own:
        source = tagger.taught or find_tagger(start.settings)
        write_tagger(source, start.folder / TAGGER, tagger.bound)
    version = write_version(wanted.folder, start.folder, start.base, facts)
    return _conclude(wanted, version, good=good)


def _ask_for_files(wanted: AdaptRequest) -> AdaptRequest:
    """Ask at the terminal for what the command line has not named."""
    say("Names of files, with spaces between them; empty: none.")
    master = _ask("Master files (staff, wards, numbers; HL7, FHIR or CSV)")
    marked = _ask("Notes that readers have marked (labelled JSONL, or folders)")
    notes = wanted.notes or next(iter(_ask("Further notes, one file or folder")), None)
    return replace(wanted, master=master, marked=marked, notes=notes)


def _ask(question: str) -> tuple[Path, ...]:
    sys.stderr.write(f"{question}: ")
    sys.stderr.flush()
    try:
        return tuple(map(Path, shlex.split(sys.stdin.readline())))
    except ValueError:
        msg = "a quotation mark is not closed"
        raise Refused(msg) from None


def _read_parts(wanted: AdaptRequest) -> MarkedParts:
    marked: list[LabelledNote] = []
    for path in wanted.marked:
        marked += read_marked_notes(path) if path.is_dir() else read_labelled_notes(path)
    parts = split_marked(marked, apart=wanted.apart)
    if marked:
        say(
            f"marked notes: {len(parts.learnt)} to learn from, {len(parts.chosen_on)} to choose "
            f"thresholds on, {len(parts.apart)} kept apart"
        )
    return parts


def _read_notes(wanted: AdaptRequest) -> list[RawNote]:
    if wanted.notes is None:
        return []
    notes: list[RawNote] = []
    refused = 0
    for each in islice(open_notes(wanted.notes, wanted.reading).read(), MOST_NOTES):
        try:
            if isinstance(each.message, bytes):
                notes.append(decode(each.message))
                continue
        except InvalidNote:
            pass
        refused += 1
    unread = f"; {refused:,} cannot be read" if refused else ""
    say(f"notes of the site: {len(notes):,}{unread}")
    return notes


def _allow_words(
    start: _Start, site: SitePolicy, master: MasterData, parts: MarkedParts
) -> SitePolicy:
    """Add the words that readers let stand, though the policy of the site finds them."""
    if not parts.read:
        return site
    detector = open_detector(start.write(site))
    found = find_spans(detector, [labelled.note for labelled in parts.read])
    allowed = find_allowed(parts.read, found, SiteWords.gather(master, parts.read))
    say(f"allowed words: {len(allowed)} that readers let stand each time")
    return replace(site, allowed=allowed)


def _compare(
    before: Measured,
    settings: Settings,
    tagger: SiteTagger,
    apart: Sequence[LabelledNote],
    facts: dict[str, Any],
) -> bool:
    """Say what changes in the notes kept apart; return whether no fewer identifiers are found."""
    if not apart:
        say("no marked notes are kept apart, so that nothing is measured")
        return True
    after = measure(open_adapted(settings, tagger), apart)
    changes = compare(apart, before, after)
    say(f"in the {len(apart)} notes kept apart:")
    say(show_figures({"before": before, "after": after}))
    say(f"direct identifiers: {changes.gained} more are covered, {changes.lost} no longer")
    facts["apart"] = {
        "before": before.encode(),
        "after": after.encode(),
        "changes": asdict(changes),
    }
    return (after.direct.recall or 0.0) >= (before.direct.recall or 0.0)


def _take_back(site: SitePolicy, apart: Sequence[LabelledNote]) -> SitePolicy:
    """Allow no words that are marked in the notes kept apart, now that these are measured."""
    never = SiteWords.gather(MasterData(), apart)
    kept = [term for term in site.allowed if not never.hold_a_word_of(term)]
    if len(kept) < len(site.allowed):
        taken = len(site.allowed) - len(kept)
        say(f"{taken} allowed words are taken back, as they are marked there")
    return replace(site, allowed=kept)


def _conclude(wanted: AdaptRequest, version: Adaptation, *, good: bool) -> int:
    folder = wanted.folder
    if not good or not wanted.in_force:
        why = "" if good else ": it finds fewer direct identifiers"
        say(f"version {version.name} is not in force{why}")
        say(f"'deidstream adapt apply {folder} {version.name}' puts it in force")
        return DONE if good else NOT_BETTER
    put_in_force(folder, version.name)
    say(f"version {version.name} is in force where DEIDSTREAM_ADAPTATION={folder} is set")
    say(f"'deidstream adapt undo {folder}' undoes it")
    return DONE

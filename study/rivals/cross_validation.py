"""Train models on other notes than those that they tag, and let others tag the same notes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol

from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import POSSIBLE, Span
from deidstream.study.rivals.bilstm import BiLstm
from deidstream.study.rivals.comparison import intersect, unite
from deidstream.study.rivals.crf import ConditionalRandomField, TaggedTokens
from deidstream.study.rivals.note_tokens import NoteTokens
from deidstream.study.rivals.word_lists import shipped_lists


class LineTagger(Protocol):
    """Labels the words of one line."""

    def tag(self, words: Sequence[str]) -> list[str]:
        """Return the label of each word."""
        ...


Train = Callable[[Sequence[TaggedTokens]], LineTagger]
FindSpans = Callable[[Sequence[RawNote]], Sequence[Sequence[Span]]]
"""Returns the spans of each note."""
NOTHING_BESIDE: Final[Mapping[str, FindSpans]] = MappingProxyType({})


def train_field(lines: Sequence[TaggedTokens]) -> LineTagger:
    """Train the conditional random field with the lists that ship."""
    return ConditionalRandomField.train(lines, shipped_lists())


MODELS: dict[str, Train] = {"CRF": train_field, "BiLSTM": BiLstm.train}


@dataclass(frozen=True, slots=True)
class ComparedModels:
    """The labels of the tokens of all notes: the true ones, and those of each model."""

    truth: list[list[str]] = field(repr=False)
    told: dict[str, list[list[str]]] = field(repr=False)
    """By the name of the model; union and intersection of the trained ones among them."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines to learn from, and the numbers of the notes that are tagged then."""

    name: str
    lines: Sequence[TaggedTokens] = field(repr=False)
    tagged: Sequence[int] = field(repr=False)


def compare_models(
    notes: Sequence[LabelledNote],
    *,
    folds: int = 5,
    train: Sequence[LabelledNote] = (),
    beside: Mapping[str, FindSpans] = NOTHING_BESIDE,
    done: Callable[[str], None] = lambda _: None,
) -> ComparedModels:
    """Tag every note by models that were trained on other notes.

    Args:
        notes: Labelled notes.
        folds: Parts that the patients are dealt into, in the order of their ids; those of one part
            are tagged by models of the others.
        train: Labelled notes of other patients. Where there are some, models learn from them alone.
        beside: Models that are not trained here, by name; they tag the same notes.
        done: Told the name of each model and part when it is through.
    """
    cut = [NoteTokens.cut(one.note.text) for one in notes]
    truth = [tokens.label(one.spans) for tokens, one in zip(cut, notes, strict=True)]
    told: dict[str, list[list[str]]] = {name: [[] for _ in notes] for name in MODELS}
    for part in [_take_whole(notes, train)] if train else _deal(notes, folds):
        for name, learn in MODELS.items():
            model = learn(part.lines)
            for number in part.tagged:
                told[name][number] = _label(model, cut[number])
            done(f"{name}, {part.name}")
    told["union"] = unite(told["CRF"], told["BiLSTM"])
    told["intersection"] = intersect(told["CRF"], told["BiLSTM"])
    for name, find in beside.items():
        told[name] = label_by(find, notes, cut)
        done(name)
    return ComparedModels(truth, told)


def _take_whole(notes: Sequence[LabelledNote], train: Sequence[LabelledNote]) -> _Part:
    return _Part(f"{len(train)} notes", _tag_lines(train), range(len(notes)))


def _deal(notes: Sequence[LabelledNote], folds: int) -> Iterator[_Part]:
    patients = sorted({one.note.patient_id for one in notes})
    fold_of = {patient: place % folds for place, patient in enumerate(patients)}
    for fold in range(folds):
        others = [one for one in notes if fold_of[one.note.patient_id] != fold]
        own = [n for n, one in enumerate(notes) if fold_of[one.note.patient_id] == fold]
        yield _Part(f"fold {fold + 1} of {folds}", _tag_lines(others), own)


def _tag_lines(notes: Sequence[LabelledNote]) -> list[TaggedTokens]:
    return [line for one in notes for line in NoteTokens.cut(one.note.text).tag_lines(one.spans)]


def _label(model: LineTagger, tokens: NoteTokens) -> list[str]:
    return [label for words in tokens.words() for label in model.tag(words)]


def label_by(
    find: FindSpans, notes: Sequence[LabelledNote], cut: Sequence[NoteTokens]
) -> list[list[str]]:
    """Label tokens by the spans that a model finds; where spans overlap, the first one counts."""
    told: list[list[str]] = []
    for one, tokens in zip(notes, cut, strict=True):
        (found,) = find([one.note])
        spans = [span for span in sorted(found) if span.source != POSSIBLE]
        told.append(tokens.label(spans))
    return told

"""Train the models on some patients and tag the notes of the others, until every note is tagged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import POSSIBLE
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


def compare_models(
    notes: Sequence[LabelledNote],
    *,
    folds: int = 5,
    beside: Sequence[Recognizer] = (),
    done: Callable[[str], None] = lambda _: None,
) -> ComparedModels:
    """Tag every note by models that were trained on the notes of other patients.

    Args:
        notes: Labelled notes of at least ``folds`` patients.
        folds: Parts that the patients are dealt into, in the order of their ids.
        beside: Recognizers that are not trained here; they tag the same notes.
        done: Told the name of each model and fold when it is through.
    """
    cut = [NoteTokens.cut(one.note.text) for one in notes]
    truth = [tokens.label(one.spans) for tokens, one in zip(cut, notes, strict=True)]
    patients = sorted({one.note.patient_id for one in notes})
    fold_of = {patient: place % folds for place, patient in enumerate(patients)}
    told: dict[str, list[list[str]]] = {name: [[] for _ in notes] for name in MODELS}
    for fold in range(folds):
        lines = [
            line
            for tokens, one in zip(cut, notes, strict=True)
            if fold_of[one.note.patient_id] != fold
            for line in tokens.tag_lines(one.spans)
        ]
        for name, train in MODELS.items():
            model = train(lines)
            for number, one in enumerate(notes):
                if fold_of[one.note.patient_id] == fold:
                    told[name][number] = _label(model, cut[number])
            done(f"{name}, fold {fold + 1} of {folds}")
    told["union"] = unite(told["CRF"], told["BiLSTM"])
    told["intersection"] = intersect(told["CRF"], told["BiLSTM"])
    for recognizer in beside:
        told[recognizer.name] = label_by(recognizer, notes, cut)
        done(recognizer.name)
    return ComparedModels(truth, told)


def _label(model: LineTagger, tokens: NoteTokens) -> list[str]:
    return [label for words in tokens.words() for label in model.tag(words)]


def label_by(
    recognizer: Recognizer, notes: Sequence[LabelledNote], cut: Sequence[NoteTokens]
) -> list[list[str]]:
    """Label tokens by the spans of a recognizer; where spans overlap, the first one counts."""
    told: list[list[str]] = []
    for one, tokens in zip(notes, cut, strict=True):
        (found,) = recognizer.recognize([one.note])
        spans = [span for span in sorted(found) if span.source != POSSIBLE]
        told.append(tokens.label(spans))
    return told

"""F1 of a model that is trained on outputs and tested on plain notes.

Source: Larbi et al., section 4.1: train on what is anonymized, test on what is not. The task is the
class of a note, where the paper has five; the model is that of ``text_classifier``. Notes of a fold
are told by a model of the other folds' outputs, and F1 is averaged over the classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sklearn.metrics import f1_score

from deidstream.study.measures.measure import Figure, Judged, Side
from deidstream.study.measures.text_classifier import FEWEST_CLASSES, TextClassifier
from deidstream.study.techniques.technique import Output, StudyNote


@dataclass(frozen=True, slots=True)
class LearntF1:
    """What a classifier learns of the outputs."""

    name: str = "F1"
    side: Side = Side.UTILITY
    meaning: str = "macro F1 on plain notes of a classifier that was trained on outputs"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where some fold has fewer than two classes to learn from."""
        told, true = list[str](), list[str]()
        for fold in sorted({note.fold for note in judged.notes}):
            taught = [one for one in judged.outputs if _teaches(judged.notes, one, fold)]
            asked = [note for note in judged.notes if note.fold == fold and note.kind]
            if len({judged.notes[one.own].kind for one in taught}) < FEWEST_CLASSES or not asked:
                return None
            kinds = [judged.notes[one.own].kind for one in taught]
            model = TextClassifier.learn([one.text for one in taught], kinds)
            told += model.tell([note.text for note in asked])
            true += [note.kind for note in asked]
        return Figure(float(f1_score(true, told, average="macro")), len(true))


def _teaches(notes: Sequence[StudyNote], output: Output, fold: int) -> bool:
    """Return whether an output has a class and nothing of the notes of a fold."""
    return bool(notes[output.own].kind) and all(notes[n].fold != fold for n in output.members)

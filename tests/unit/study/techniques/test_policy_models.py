"""A text is tagged once for each profile, whatever notes stand beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Profile
from deidstream.schemas.span import Span
from deidstream.study.techniques.policy_models import RememberingTagger

if TYPE_CHECKING:
    from deidstream.models.recognizers.tagger import Tagger


@dataclass(frozen=True)
class Counting:
    """Finds the whole of each text, and keeps what it was asked."""

    profile: Profile = Profile.BALANCED
    asked: list[tuple[Profile, str]] = field(default_factory=list[tuple[Profile, str]])

    def at_profile(self, profile: Profile) -> "Counting":
        return replace(self, profile=profile)

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        self.asked.extend((self.profile, note.text) for note in notes)
        return [(Span(0, len(note.text), PhiLabel.AGE),) for note in notes]


def test_each_text_is_tagged_once_by_profile() -> None:
    inner = Counting()
    tagger = RememberingTagger(cast("Tagger", inner))
    one, same, other = (RawNote(f"n{n}", "p", text) for n, text in enumerate(("a", "a", "bc")))
    balanced = tagger.at_profile(Profile.BALANCED)
    assert balanced.recognize([one, same]) == [(Span(0, 1, PhiLabel.AGE),)] * 2
    again = tagger.at_profile(Profile.BALANCED).recognize([other, one])
    assert again == [(Span(0, 2, PhiLabel.AGE),), (Span(0, 1, PhiLabel.AGE),)]
    tagger.at_profile(Profile.STRICT).recognize([one])
    assert inner.asked == [
        (Profile.BALANCED, "a"),
        (Profile.BALANCED, "bc"),
        (Profile.STRICT, "a"),
    ]

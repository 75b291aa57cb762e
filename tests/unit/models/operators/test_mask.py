import pytest

from deidstream.models.mention import Mention
from deidstream.models.operators.mask import Mask
from deidstream.schemas.label import PhiLabel


def masked(text: str) -> str:
    return Mask().render(Mention(text, PhiLabel.PATIENT), {})


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("McKee, J. 4/12", "XxXxx, X. 0/00"),
        ("(617) 555-0172 x4", "(000) 000-0000 x0"),
        ("a+b@c.org", "x+x@x.xxx"),
        ("\u00c9va\nGro\u00df", "Xxx\nXxxx"),
        ("\u738b\u4e94", "xx"),
        ("\u0663\u0664", "00"),
        ("E\u0301va", "Xxxx"),
        ("\u24bf\u24c4", "XX"),
        ("J\u200bo", "Xxx"),
        ("\u2801\u2803", "xx"),
    ],
)
def test_letters_and_digits_are_covered_and_the_length_stays(text: str, mask: str) -> None:
    assert masked(text) == mask
    assert len(mask) == len(text)


@pytest.mark.parametrize("text", ["XXX", "000-00", "--", "\uff38"])
def test_what_is_its_own_mask_becomes_its_label(text: str) -> None:
    assert masked(text) == "[PATIENT]"

import pytest

from deidstream.schemas.model_pins import is_pin, read_pins, show_pins

DIGEST = "0123456789abcdef" * 4
PINS = {DIGEST: "int8-bf16-openvino-0a9e96a4", "f" * 64: "fp32"}


def test_what_is_shown_is_read_again() -> None:
    shown = {digest[:12]: its for digest, its in PINS.items()}
    assert read_pins(show_pins(PINS)) == shown
    assert read_pins(f" {DIGEST}=fp32, ") == {DIGEST: "fp32"}
    assert read_pins("") == {}


@pytest.mark.parametrize("text", ["openvino", "abc=fp32", f"{DIGEST}=", f"{DIGEST}=a b", "=fp32"])
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="DIGEST=PRECISION"):
        read_pins(text)
    assert not is_pin(*text.partition("=")[::2])

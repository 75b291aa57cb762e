from support.surrogate_uses import SurrogateUses


def test_a_displaced_surrogate_does_not_split_an_original() -> None:
    uses = SurrogateUses()
    uses.add(("p", "ximena"), "Socorro", "Ximena came.")
    uses.add(("p", "ximena"), "Sessa", "Ximena came with Socorro.")
    assert uses.count_split() == 0


def test_another_surrogate_for_no_reason_does() -> None:
    uses = SurrogateUses()
    uses.add(("p", "ximena"), "Socorro", "Ximena came.")
    uses.add(("p", "ximena"), "Sessa", "Ximena came again.")
    assert uses.count_split() == 1

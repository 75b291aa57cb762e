"""Tell the English of Britain, and of those who spell like it, from that of America."""

import re2

from deidstream.models.text.patterns import any_of

_BRITISH = any_of("""
haem[a-z]{2,}, [a-z]{2,}aemi[ac], oedem[a-z]+, paediat[a-z]+, orthopaed[a-z]+, oesoph[a-z]+
gynaecol[a-z]+, [a-z]+rrhoea, tumours?, colours?, coloured, favour[a-z]*, behaviour[a-z]*
neighbour[a-z]*, labour, centres?, centred, (?:milli|centi|kilo)?(?:litre|metre)s?, fibres?
paracetamol, salbutamol, adrenaline, bleeped, orientated, whilst
[a-z]{4,}(?:lis|nis)(?:e|ed|ing|ation)
""")
_AMERICAN = any_of("""
hem[ao]t[a-z]+, hemo[dglpst][a-z]+, hemorr[a-z]+, [a-z]+(?:n|l|r|c|x|sch)emi[ac], edem[a-z]+
pediatr[a-z]+, orthoped[a-z]+, esoph[a-z]+, gynecol[a-z]+, [a-z]+rrhea, tumors?, colors?, colored
favor[a-z]*, behavior[a-z]*, neighbor[a-z]*, labor, centers?, centered, (?:milli)?liters?, fibers?
acetaminophen, albuterol, epinephrine, medicaid, [a-z]{4,}(?:liz|niz)(?:e|ed|ing|ation)
""")
_SPELLED = tuple(re2.compile(rf"(?i)\b{words}\b") for words in (_BRITISH, _AMERICAN))


def lean_british(text: str) -> int:
    """Return 1 if more words are spelled in the British way than in the American, -1 if fewer.

    >>> lean_british("Haemorrhage, no oedema."), lean_british("Anemia, diarrhea.")
    (1, -1)
    """
    british, american = (sum(1 for _ in words.finditer(text)) for words in _SPELLED)
    return (british > american) - (british < american)

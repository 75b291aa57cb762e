"""Words of a person's mention that are no name: titles, particles, suffixes, credentials."""

from deidstream.models.text.word_files import listed

SUFFIXES = frozenset(listed("jr sr ii iii iv jnr snr junior j\u00fanior filho 2nd 3rd 4th"))
CREDENTIALS = frozenset(
    listed(
        "md rn phd lpn lvn pharmd crna mbbs dnp msw lcsw bsn msn frcs mrcp facs dds dpm rph "
        "aprn arnp fnp cnm cns pac dpt otr slp crnp lcpc lmft lmhc mph mba mpas frcp frcpc frcpath "
        "frcog mrcgp mrcs mrcog facc facog facp faap facep faan facr fasn fache bcps cde cdces rrt "
        "emt paramedic esq bds bchir mbchb bmbs dvm psyd edd scd rdn"
    )
)
CAPITAL_CREDENTIALS = frozenset(listed("np pa do ot pt rd od dc"))
"""Credentials only in capitals, in a name that is not: Do and Pa are surnames too."""
LINKS = frozenset(listed("née nee né geb geboren aka fka formerly vda"))
"""What stands between two names of one person."""
PARTICLES = frozenset(
    listed(
        "de der den del della di da dos das du la las los le van von vander ter ten ap arap st "
        "saint san santa bin binti bint bte ibn al el a/l a/p y e i und zu zum te mac nic mhic "
        "n\u00ed \u00f3 o' d' abu abd"
    )
)
ARTICLES = frozenset(listed("al el ad ar as ash an at az abu"))
"""Before an Arabic name these are part of it, also with a capital and a hyphen."""
HYPHENED = frozenset(listed("al el"))
"""With a hyphen behind they are articles whatever follows."""
ALSO_NAMES = frozenset(listed("van al del le la st mac te san e i y abu el"))
CLIPPED = frozenset(listed("t s"))
"""What is left of a Dutch article: ``van 't Hof``, ``'s Jongers``."""
FILIAL = frozenset(listed("s/o d/o w/o h/o c/o a/l a/p"))
"""Son, daughter, wife of: between two names."""
MIDDLES = {"th\u1ecb": "thi", "thi": "thi", "v\u0103n": "van", "van": "van"}
"""What many Vietnamese have between surname and given name tells no more than the gender."""
COMMON = frozenset(
    listed("and the of his family twins wife husband patient mother father sister brother daughter")
)
"""What a span may hold of the sentence around the names; never in title case."""
NEWBORN = frozenset(listed("baby boy girl male female infant newborn twin triplet"))
"""Next to each other they stand for a given name: ``Baby Girl Smith``."""
SURELY_NEWBORN = frozenset(listed("infant newborn twin triplet babyboy babygirl bboy bgirl"))
"""Also alone."""
DOTTED = frozenset(listed("M.D R.N D.O N.P Ph.D"))
"""Credentials behind a name."""
NEWBORN_LETTERS = frozenset(listed("BG BB BBG BBB B/G B/B"))
ABBREVIATED = {
    "wm": "william", "edw": "edward", "chas": "charles", "thos": "thomas", "geo": "george",
    "jas": "james", "jos": "joseph", "benj": "benjamin", "robt": "robert", "ma": "maria",
    "md": "mohammed", "mohd": "mohammed", "muhd": "mohammed",
}  # fmt: skip
"""With a point behind they are given names."""
DOTLESS = frozenset(listed("mohd muhd"))
"""Those that are also without one."""

"""Seasons and holidays."""

from deidstream.models.phi.dates.date_patterns import YEAR
from deidstream.models.recognizers.rules.rule import Rule
from deidstream.schemas.label import PhiLabel

_HOLIDAYS = (
    r"Christmas(?:[ ](?:Eve|Day))?|Xmas(?:[ ](?:Eve|Day))?"
    r"|New[ ]Year(?:['`\xe2\x80\x99]{0,3}s)?(?:[ ](?:Eve|Day))?|Thanksgiving(?:[ ]Day)?"
    r"|Easter(?:[ ](?:Sunday|Monday|Saturday))?|Good[ ]Friday|Palm[ ]Sunday|Ash[ ]Wednesday"
    r"|Maundy[ ]Thursday|Holy[ ](?:Thursday|Week|Saturday)|Pentecost|Whitsun(?:day)?|Advent"
    r"|Epiphany|Candlemas|Michaelmas|Martinmas|Lammas|Hogmanay|Corpus[ ]Christi|All[ ](?:Saints"
    r"|Souls)['\xe2\x80\x99]{0,3}(?:[ ]Day)?|Halloween|Hallowe'en|Labou?r[ ]Day|Memorial[ ]Day"
    r"|Veterans['\xe2\x80\x99]{0,3}[ ]Day|Columbus[ ]Day|Independence[ ]Day|(?:the[ ])?(?:Fourth"
    r"|4th)[ ]of[ ]July|July[ ](?:Fourth|4th)|Juneteenth|MLK[ ]Day"
    r"|Presidents?['\xe2\x80\x99]{0,3}s?[ ](?:Day|weekend)|Groundhog[ ]Day"
    r"|Valentine['\xe2\x80\x99]{0,3}s?[ ]Day|St\.?[ ]Patrick['\xe2\x80\x99]{0,3}s(?:[ ]Day)?"
    r"|Mother['\xe2\x80\x99]{0,3}s['\xe2\x80\x99]{0,3}[ ]Day"
    r"|Father['\xe2\x80\x99]{0,3}s['\xe2\x80\x99]{0,3}[ ]Day|Mothering[ ]Sunday|Boxing[ ]Day"
    r"|Bonfire[ ]Night|Guy[ ]Fawkes(?:[ ]Night)?|Remembrance[ ](?:Day|Sunday)|Armistice[ ]Day"
    r"|Anzac[ ]Day|ANZAC[ ]Day|Australia[ ]Day|Canada[ ]Day|Waitangi[ ]Day|Victoria[ ]Day"
    r"|Burns[ ]Night|Bastille[ ]Day|Heritage[ ]Day|Ramadan|Ramazan|Eid(?:[ ]al[- ](?:Fitr|Adha)"
    r"|[ ]ul[- ](?:Fitr|Adha))?|Hari[ ]Raya|Diwali|Deepavali|Holi|Navratri|Onam|Pongal|Vesak"
    r"|Songkran|Obon|Tet|(?:Chinese|Lunar)[ ]New[ ]Year|Mid-Autumn[ ]Festival|Nowruz|Norooz"
    r"|Rosh[ ]Hashanah|Yom[ ]Kippur|Passover|Pesach|Sukkot|Purim|Hanukkah|Chanukah|Shavuot"
    r"|Mardi[ ]Gras(?:[ ]Sunday)?|Shrove[ ]Tuesday|Carnival[ ](?:Saturday|Monday|Tuesday)"
    r"|Kwanzaa|Cinco[ ]de[ ]Mayo|Super[ ]Bowl[ ]Sunday|Lent|Ascension[ ]Day|Black[ ]Friday"
    r"|Golden[ ]Week|Midsummer(?:[ ]Eve|[ ]Day)?|Crop[ ]Over(?:[ ]Monday)?"
    r"|April[ ]Fools?['\xe2\x80\x99]{0,3}s?(?:[ ]Day)?|Lammas|Twelfth[ ]Night"
    r"|Feast[ ]of[ ]St\.?[ ][A-Z][a-z]+"
)

RULES = (
    Rule(
        "date.feast",
        PhiLabel.DATE,
        rf"\b((?i:{_HOLIDAYS})(?:,?[ ](?:of[ ])?{YEAR})?)\b",
        0.8,
        (
            "by [[Labor Day]], then",
            "since [[Christmas Eve]].",
            "[[Halloween 2024]]",
            "over [[Advent]] showed",
            "on [[the Fourth of July]]",
        ),
        ("lentil soup", "eider down"),
    ),
    Rule(
        "date.season_of_year",
        PhiLabel.DATE,
        r"\b((?i:(?:early|mid|late)[ -])?(?i:spring|summer|autumn|fall|winter"
        rf"|rainy[ ]season)[ ](?:(?i:of)[ ])?{YEAR})\b",
        0.9,
        ("in [[autumn of 2019]]", "[[Fall 2024]] term"),
        ("fall 3 days ago",),
    ),
    Rule(
        "date.season",
        PhiLabel.DATE,
        r"\b(?i:in|in[ ]the|the|this|last|next|by|until|since|early|late|mid|every|each|all"
        r"|over[ ]the|during|from|through)[ -](?:(?i:the)[ ])?(?:(?i:early|late"
        r"|mid)[ -])?((?i:spring|summer|autumn|winter|harmattan))\b(?:$|[^- A-Za-z]|[ ](?:[^tb]"
        r"|to))",
        0.8,
        ("in the [[spring]].", "last [[winter]] she", "since [[summer]]"),
        ("the spring-loaded", "spring water"),
    ),
    Rule(
        "date.fall",
        PhiLabel.DATE,
        r"\b(?i:last|this|next|each|every|in[ ]early|in[ ]late|by)[ ]((?i:fall))\b(?:[.,;)]|$"
        r"|[ ](?i:and|at|when|she|he|term|semester|for|with|\()|\n)",
        0.6,
        ("since last [[fall]].", "school this [[fall]], and"),
        ("a fall at home", "last fall 3/4 onto hip", "this fall was"),
    ),
)

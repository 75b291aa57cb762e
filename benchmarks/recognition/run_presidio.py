"""Presidio's analyzer as it comes: its default recognizers and thresholds, for English.

With a spaCy model in this environment its names and places count too. Without one the pipeline is
blank and only the pattern recognizers find anything.
"""

import logging
from collections.abc import Sequence
from importlib.metadata import version

import spacy
import tldextract
from exchange import UNNAMED, Found, Runner, serve
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import SpacyNlpEngine

MODELS = ("en_core_web_lg", "en_core_web_trf", "en_core_web_md", "en_core_web_sm")
"""Presidio's own choice first."""
LABELS = {
    "PERSON": "PATIENT",
    "LOCATION": "LOCATION_OTHER",
    "ORGANIZATION": "ORGANIZATION",
    "DATE_TIME": "DATE",
    "AGE": "AGE",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "US_SSN": "SSN",
    "US_DRIVER_LICENSE": "LICENSE",
    "MEDICAL_LICENSE": "LICENSE",
    "US_BANK_NUMBER": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
    "CREDIT_CARD": "ACCOUNT",
    "CRYPTO": "ACCOUNT",
}


class Blank(SpacyNlpEngine):
    """A pipeline that cuts words and finds nothing."""

    def load(self) -> None:
        self.nlp = {"en": spacy.blank("en")}


def prepare() -> Runner:
    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    # The list of suffixes that comes with the package: the other would be asked of the network.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    model = next(filter(spacy.util.is_package, MODELS), None)
    nlp = SpacyNlpEngine([{"lang_code": "en", "model_name": model}]) if model else Blank()
    nlp.load()
    analyzer = AnalyzerEngine(nlp_engine=nlp)
    how = f"with {model} {version(model)}" if model else "patterns only, blank spaCy pipeline"

    def find(texts: Sequence[str]) -> list[list[Found]]:
        return [spans(analyzer, text) for text in texts]

    return Runner(f"presidio-analyzer {version('presidio-analyzer')}, {how}", find)


def spans(analyzer: AnalyzerEngine, text: str) -> list[Found]:
    results = analyzer.analyze(text, language="en")
    return [(r.start, r.end, LABELS.get(r.entity_type, UNNAMED)) for r in results]


if __name__ == "__main__":
    serve(prepare)

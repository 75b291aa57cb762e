"""Presidio's analyzer with its default recognizers and its default configuration, for English.

``PRESIDIO_MODEL`` names the folder of a spaCy pipeline that ``train_spacy.py`` has made, or is
``patterns``: words are parted and no model runs, so that Presidio's patterns alone find anything.
Without it the pipeline is spaCy's small English one.
"""

import logging
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import spacy
import tldextract
from exchange import UNNAMED, Absent, Found, Runner, serve
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NerModelConfiguration, NlpEngineProvider, SpacyNlpEngine
from presidio_labels import ENTITIES, LABELS, MODEL
from spacy.language import Language
from spacy.tokens import Doc

FOLDER = "PRESIDIO_MODEL"
PATTERNS = "patterns"
"""Value of that variable for no model."""
SCORE = "PRESIDIO_SCORE"
"""Variable of the lowest score that counts; Presidio's own is 0."""


class Pipeline(SpacyNlpEngine):
    """A spaCy pipeline that gives each word a lemma, by which Presidio finds words of context."""

    def load(self) -> None:
        name = self.models[0]["model_name"]
        nlp = spacy.blank("en") if name == PATTERNS else spacy.load(name)
        if "lemmatizer" not in nlp.pipe_names:
            nlp.add_pipe("words_as_lemmas")
        self.nlp = {"en": nlp}


@Language.component("words_as_lemmas")
def give_lemmas(doc: Doc) -> Doc:
    for token in doc:
        token.lemma_ = token.lower_
    return doc


def prepare() -> Runner:
    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    # The list of suffixes that comes with the package: the other would be asked of the network.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    folder, least = os.environ.get(FOLDER) or None, float(os.environ.get(SCORE, "0"))
    if folder and folder != PATTERNS and not Path(folder).is_dir():
        msg = "train_spacy.py has not made a model"
        raise Absent(msg)
    names = [{"lang_code": "en", "model_name": folder or MODEL}]
    nlp = Pipeline(names, configuration(trained=folder not in {None, PATTERNS}))
    nlp.load()
    analyzer = AnalyzerEngine(nlp_engine=nlp, default_score_threshold=least)

    def find(texts: Sequence[str]) -> list[list[Found]]:
        return [spans(analyzer, text) for text in texts]

    model = {None: f"{MODEL} {version(MODEL)}", PATTERNS: "no model"}.get(
        folder, "a model trained here"
    )
    what = f"presidio-analyzer {version('presidio-analyzer')}, {model}, scores from {least}"
    return Runner(what, find)


def configuration(*, trained: bool) -> NerModelConfiguration:
    """Read Presidio's own; a trained model has more entities, and its organizations count."""
    own = NlpEngineProvider().nlp_configuration["ner_model_configuration"]
    if trained:
        entities = set(ENTITIES.values())
        own["model_to_presidio_entity_mapping"] |= {each: each for each in entities}
        own["labels_to_ignore"] = [each for each in own["labels_to_ignore"] if each not in entities]
    return NerModelConfiguration(**own)


def spans(analyzer: AnalyzerEngine, text: str) -> list[Found]:
    results = analyzer.analyze(text, language="en")
    return [(r.start, r.end, LABELS.get(r.entity_type, UNNAMED)) for r in results]


if __name__ == "__main__":
    serve(prepare)

"""Settings of a list: its policy as a form; policies are saved, taken and used again."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse

from deidstream.agents.review.desk import AtDesk, OfWholeList, OfWorklist
from deidstream.agents.review.door import AnyVisit, ReviewerVisit
from deidstream.agents.review.list_routes import find_draft, start_run
from deidstream.agents.review.note_views import View, view_label
from deidstream.agents.review.policy_draft import (
    TAGGERS,
    LabelName,
    PolicyDraft,
    ReviewTerms,
    choose_recognizers,
)
from deidstream.agents.review.users import ReviewRole
from deidstream.models.policy.reader import read_policy
from deidstream.models.policy.shipped import list_policies
from deidstream.schemas.errors import Refused
from deidstream.schemas.label import OF_I2B2
from deidstream.schemas.policy import (
    SENTENCE_KNEO,
    OperatorName,
    Profile,
    RedactStyle,
    Technique,
)

ROUTES = APIRouter(prefix="/api")
_EXAMPLES = {
    Technique.KNEO_SENTENCES: "kneo",
    Technique.KNEO_NOTES: "kneo-notes",
    Technique.KNEO_WORDS: "kneo-words",
}
_Terms = Annotated[list[Annotated[str, Field(max_length=1_000)]], Field(max_length=200_000)]


class PolicySettings(BaseModel):
    """What the form of a policy holds."""

    model_config = ConfigDict(extra="forbid")

    base: Annotated[str, Field(max_length=64)]
    """The policy that the rest is taken from."""
    technique: Technique
    profile: Profile
    redact_style: RedactStyle
    tagger: Annotated[str, Field(pattern=f"^({'|'.join(TAGGERS)})$")]
    operators: dict[LabelName, OperatorName]
    """The labels that do not have the operator of the technique, with their own."""
    allow: Annotated[_Terms, Field(repr=False)]
    deny: Annotated[dict[LabelName, _Terms], Field(repr=False)]


class SavedPolicy(BaseModel):
    """How a policy is saved."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=64)]
    marked: bool = False
    """Whether the terms that were marked in the list become part of it."""


@ROUTES.get("/facts")
async def show_facts(visit: AnyVisit, desk: AtDesk) -> View:
    """Show the labels, and what a policy can be made of."""
    saved = desk.folder.list_saved() if visit.user.role is ReviewRole.REVIEWER else []
    return {
        "labels": [view_label(name, label) for name, label in OF_I2B2.items()],
        "techniques": {each: _own_operators(each) for each in Technique},
        "profiles": list(Profile),
        "styles": list(RedactStyle),
        "taggers": list(TAGGERS),
        "shipped": list(list_policies()),
        "saved": saved,
        "quarantine": desk.settings.review.quarantine,
        "risk": desk.settings.review.risk,
        "saved_days": desk.settings.review.saved_days,
    }


def _own_operators(technique: Technique) -> dict[str, str]:
    """Return the operators that a technique has where a policy names none."""
    kneo = "kneo.donors = 1\n" if technique in SENTENCE_KNEO else ""
    least = f'recognizers = ["rules"]\npurpose = "training"\n{kneo}'
    source = f'technique = "{technique}"\n{least}'.encode()
    return {str(label): one for label, one in read_policy(source, name="x").operators.items()}


@ROUTES.get("/policies/{name}")
async def show_policy(name: str, _visit: ReviewerVisit, desk: AtDesk) -> View:
    """Show a policy as the form has it."""
    return _as_form(find_draft(name, desk))


@ROUTES.get("/policies/{name}/file")
async def take_policy(name: str, visit: ReviewerVisit, desk: AtDesk) -> Response:
    """Take a policy as a file for ``--policy``."""
    draft = find_draft(name, desk)
    await desk.trail.add(visit.user, "download-policy", {"policy": draft.name})
    headers = {"Content-Disposition": f'attachment; filename="{draft.name}.toml"'}
    return Response(draft.source(), media_type="application/toml", headers=headers)


@ROUTES.get("/lists/{worklist}/settings")
async def show_settings(_visit: ReviewerVisit, worklist: OfWorklist) -> View:
    """Show the policy of a list, and how many terms were marked in it."""
    denied = sum(map(len, worklist.terms.deny.values()))
    marked = {"allow": len(worklist.terms.allow), "deny": denied}
    return _as_form(worklist.draft) | {"marked": marked}


@ROUTES.put("/lists/{worklist}/settings", response_model=None)
async def change_settings(
    settings: PolicySettings, visit: ReviewerVisit, desk: AtDesk, worklist: OfWholeList
) -> View | Response:
    """Give a list another policy, and run all of its notes again."""
    same = settings.base == worklist.draft.name
    draft = _with_settings(worklist.draft if same else find_draft(settings.base, desk), settings)
    try:
        policy = draft.policy(worklist.terms)
        desk.service.check(draft)
    except Refused as refused:
        return _mistakes(refused)
    await desk.trail.add(visit.user, "settings", {"list": worklist.id, "sha256": policy.sha256})
    worklist.draft = draft
    await desk.keep(worklist)
    start_run(desk, worklist, again=True)
    return _as_form(draft)


@ROUTES.post("/lists/{worklist}/policy", response_model=None)
async def save_policy(
    wanted: SavedPolicy, visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist
) -> View | Response:
    """Save the policy of a list under a name."""
    source = worklist.draft.source(worklist.terms if wanted.marked else None)
    try:
        desk.folder.check_name(wanted.name)
        policy = read_policy(source, name=wanted.name)
    except Refused as refused:
        return _mistakes(refused)
    details = {"policy": wanted.name, "sha256": policy.sha256, "marked": wanted.marked}
    await desk.trail.add(visit.user, "save-policy", details)
    try:
        desk.folder.save(wanted.name, source)
    except Refused as refused:
        return _mistakes(refused)
    return {"name": wanted.name, "saved": desk.folder.list_saved()}


def _with_settings(draft: PolicyDraft, settings: PolicySettings) -> PolicyDraft:
    table: dict[str, Any] = dict(draft.table)
    if table["technique"] != settings.technique:
        # What one technique alone reads goes with it, and is refused beside another one.
        table = {name: part for name, part in table.items() if name not in {"kneo", "words"}}
    if table["technique"] != settings.technique and settings.technique in _EXAMPLES:
        # What only this technique needs is taken from the shipped policy that has it.
        example = PolicyDraft.read(_EXAMPLES[settings.technique], None).table
        table |= {name: example[name] for name in ("purpose", "kneo", "words") if name in example}
    table["technique"] = str(settings.technique)
    table["recognizers"] = choose_recognizers(table["recognizers"], settings.tagger)
    table["redact_style"] = str(settings.redact_style)
    table["detection"] = {**table.get("detection", {}), "profile": str(settings.profile)}
    table["operators"] = {name: str(one) for name, one in settings.operators.items()}
    deny = {label: _distinct(terms) for label, terms in settings.deny.items() if terms}
    terms = ReviewTerms(_distinct(settings.allow), deny)
    return PolicyDraft(draft.name, table, terms, settings.tagger)


def _distinct(terms: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (" ".join(term.split()) for term in terms))))


def _as_form(draft: PolicyDraft) -> View:
    policy = draft.policy()
    return {
        "base": draft.name,
        "technique": policy.technique,
        "profile": policy.detection.profile,
        "redact_style": policy.redact_style,
        "tagger": draft.tagger,
        "labels": [view_label(name, draft.labels[name]) for name in draft.own],
        "operators": dict(draft.table.get("operators", {})),
        "allow": list(draft.terms.allow),
        "deny": {name: list(terms) for name, terms in draft.terms.deny.items()},
    }


def _mistakes(refused: Refused) -> Response:
    body = {"code": "INVALID_POLICY", "mistakes": str(refused).splitlines()}
    return JSONResponse(body, HTTPStatus.UNPROCESSABLE_ENTITY)

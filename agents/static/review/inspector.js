// What can be done with a chosen span or a selected text: mark, remove, relabel; here or everywhere.

import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Reasons, groupOf, inWords } from "/static/review/parts.js";
import { describe, findPlaces } from "/static/review/text.js";

export function Inspector({ chosen, note, facts, busy, edit, close, why }) {
  if (!chosen) {
    return html`<section class="inspector idle" aria-label="Edit">
      <p class="quiet">
        Select text in the original to mark it, or choose a coloured span to change or remove it.
        <span class="typing"> With the keyboard: <kbd>m</kbd> to type the text, <kbd>Tab</kbd> to the spans.</span>
      </p>
    </section>`;
  }
  const escape = (event) => event.key === "Escape" && close();
  return html`<section class="inspector" aria-label="Edit" onKeyDown=${escape}>
    ${chosen.segment
      ? html`<${SpanForm} key=${`s${chosen.segment.at}`} segment=${chosen.segment} facts=${facts} busy=${busy} edit=${edit} why=${why} />`
      : html`<${MarkForm} key=${`m${chosen.start}-${chosen.end}`} chosen=${chosen} note=${note} facts=${facts} busy=${busy} edit=${edit} why=${why} />`}
    <button class="plain close" aria-label="Close" onClick=${close}>✕</button>
  </section>`;
}

function LabelChoice({ facts, value, change, first }) {
  const groups = [...new Set(facts.labels.map((one) => one.group))];
  return html`<label>
    Label
    <select value=${value} ref=${first} onChange=${(event) => change(event.target.value)}>
      ${groups.map(
        (group) => html`<optgroup label=${group}>
          ${facts.labels
            .filter((one) => one.group === group)
            .map((one) => html`<option value=${one.name}>${inWords(one.name)}</option>`)}
        </optgroup>`,
      )}
    </select>
  </label>`;
}

const COMMON = ["PATIENT", "DOCTOR", "DATE", "HOSPITAL", "PHONE", "MEDICALRECORD", "AGE", "CITY", "IDNUM", "ORGANIZATION"];
const KEYED = 9;
// What was chosen last is what the next mark most often is.
let lastLabel = "PATIENT";
let lastEverywhere = true;

// The labels that have a digit key: the last one first.
function keyedLabels(facts) {
  const names = new Set([lastLabel, ...COMMON]);
  return [...names].filter((name) => facts.labels.some((one) => one.name === name)).slice(0, KEYED);
}

function LabelKeys({ keyed, facts, value, change }) {
  return html`<div class="label-keys" role="group" aria-label="Labels with a key">
    ${keyed.map(
      (name, place) => html`<button
        key=${name}
        type="button"
        class=${groupOf(facts, name)}
        aria-pressed=${value === name ? "true" : "false"}
        onClick=${() => change(name)}
      ><kbd>${place + 1}</kbd> ${inWords(name)}</button>`,
    )}
  </div>`;
}

// A digit chooses a label, but for one that is typed into a field.
function chooseByDigit(event, keyed, change) {
  const name = keyed[Number(event.key) - 1];
  if (!name || event.target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  change(name);
}

// What was decided about a text that stays, asked for when it is unfolded.
function WhyNot({ place, why }) {
  const [found, setFound] = useState(null);
  const ask = (event) => {
    if (!event.currentTarget.open || found) return;
    why.explain(place.start, place.end).then(setFound, () => setFound({ ended: "It cannot be explained.", lines: [] }));
  };
  return html`<details class="why" onToggle=${ask}>
    <summary>Why is it not replaced?</summary>
    <div role="status">${found && html`<p>${found.ended}</p><${Reasons} place=${found} />`}</div>
  </details>`;
}

function MarkForm({ chosen, note, facts, busy, edit, why }) {
  const [label, setLabel] = useState(lastLabel);
  const [keyed] = useState(() => keyedLabels(facts));
  const everywhere = useRef(lastEverywhere).current;
  const submit = useRef(null);
  const [typed, setTyped] = useState("");
  const [which, setWhich] = useState(1);
  const first = useRef(null);
  const places = chosen.typed ? findPlaces(note.original, typed) : [chosen];
  useLayoutEffect(() => {
    const target = chosen.typed ? first.current : submit.current;
    if (target) target.focus({ preventScroll: true });
  }, []);
  const place = places[Math.min(which, places.length) - 1];
  const send = (all) => {
    lastLabel = label;
    lastEverywhere = all;
    edit({ kind: "mark", start: place.start, end: place.end, label, everywhere: all });
  };
  return html`<form
    onSubmit=${(event) => {
      event.preventDefault();
      if (places.length) send(everywhere);
    }}
    onKeyDown=${(event) => chooseByDigit(event, keyed, setLabel)}
  >
    ${chosen.typed
      ? html`<label>
            Text to mark
            <input ref=${first} value=${typed} onInput=${(event) => setTyped(event.target.value)} autocomplete="off" />
          </label>
          <span class="quiet" role="status">${typed && `${places.length} found`}</span>
          ${places.length > 1 &&
          html`<label>
            Which
            <input type="number" min="1" max=${places.length} value=${which} onInput=${(event) => setWhich(Number(event.target.value) || 1)} />
          </label>`}`
      : html`<p class="what">Mark <q>${chosen.text}</q> as${chosen.told && html` <small class="quiet">${chosen.told.join(" ")}</small>`}</p>`}
    <${LabelChoice} facts=${facts} value=${label} change=${setLabel} />
    ${[true, false].map(
      (all) => html`<button
        key=${all ? "all" : "one"}
        class=${all === everywhere ? "main" : ""}
        type=${all === everywhere ? "submit" : "button"}
        ref=${all === everywhere ? submit : undefined}
        disabled=${busy || !places.length}
        onClick=${all === everywhere ? undefined : () => send(all)}
      >${all ? "Mark all occurrences" : "Mark this one"}</button>`,
    )}
    ${place && html`<${WhyNot} key=${`${place.start}-${place.end}`} place=${place} why=${why} />`}
    <${LabelKeys} keyed=${keyed} facts=${facts} value=${label} change=${setLabel} />
  </form>`;
}

function SpanForm({ segment, facts, busy, edit, why }) {
  const [label, setLabel] = useState(segment.label);
  const [keyed] = useState(() => keyedLabels(facts));
  const first = useRef(null);
  useLayoutEffect(() => first.current && first.current.focus(), []);
  useEffect(() => why.ask(), []);
  const end = segment.at + [...segment.text].length;
  const original = segment.start === undefined ? { start: segment.at, end } : segment;
  const send = (kind, everywhere) =>
    edit({ kind, start: original.start, end: original.end, label: kind === "mark" ? label : segment.label, everywhere });
  return html`<form onSubmit=${(event) => event.preventDefault()} onKeyDown=${(event) => chooseByDigit(event, keyed, setLabel)}>
    <p class="what">
      <span class=${`chip ${groupOf(facts, segment.label)}`}>${inWords(segment.label)}</span>
      <q>${segment.original || segment.text}</q>
      <small class="quiet">${describe(segment)}</small>
    </p>
    <div class="pair">
      <button ref=${first} type="button" disabled=${busy} onClick=${() => send("clear", false)}>Remove this one</button>
      <button type="button" disabled=${busy} onClick=${() => send("clear", true)}>Remove all</button>
    </div>
    <${LabelChoice} facts=${facts} value=${label} change=${setLabel} />
    <div class="pair">
      <button type="button" disabled=${busy || label === segment.label} onClick=${() => send("mark", false)}>Change this one</button>
      <button type="button" disabled=${busy || label === segment.label} onClick=${() => send("mark", true)}>Change all</button>
    </div>
    <${LabelKeys} keyed=${keyed} facts=${facts} value=${label} change=${setLabel} />
    <details class="why">
      <summary>Why is it replaced so?</summary>
      <${Reasons} place=${why.find(segment)} />
    </details>
  </form>`;
}

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

let lastLabel = "PATIENT";

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
  const [typed, setTyped] = useState("");
  const [which, setWhich] = useState(1);
  const first = useRef(null);
  const places = chosen.typed ? findPlaces(note.original, typed) : [chosen];
  useLayoutEffect(() => {
    if (chosen.typed && first.current) first.current.focus();
  }, []);
  const place = places[Math.min(which, places.length) - 1];
  const send = (everywhere) => {
    lastLabel = label;
    edit({ kind: "mark", start: place.start, end: place.end, label, everywhere });
  };
  return html`<form onSubmit=${(event) => { event.preventDefault(); if (places.length) send(true); }}>
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
      : html`<p class="what">Mark <q>${chosen.text}</q> as</p>`}
    <${LabelChoice} facts=${facts} value=${label} change=${setLabel} />
    <button class="main" type="submit" disabled=${busy || !places.length}>Mark all occurrences</button>
    <button type="button" disabled=${busy || !places.length} onClick=${() => send(false)}>Mark this one</button>
    ${place && html`<${WhyNot} key=${`${place.start}-${place.end}`} place=${place} why=${why} />`}
  </form>`;
}

function SpanForm({ segment, facts, busy, edit, why }) {
  const [label, setLabel] = useState(segment.label);
  const first = useRef(null);
  useLayoutEffect(() => first.current && first.current.focus(), []);
  useEffect(() => why.ask(), []);
  const end = segment.at + [...segment.text].length;
  const original = segment.start === undefined ? { start: segment.at, end } : segment;
  const send = (kind, everywhere) =>
    edit({ kind, start: original.start, end: original.end, label: kind === "mark" ? label : segment.label, everywhere });
  return html`<form onSubmit=${(event) => event.preventDefault()}>
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
    <details class="why">
      <summary>Why is it replaced so?</summary>
      <${Reasons} place=${why.find(segment)} />
    </details>
  </form>`;
}

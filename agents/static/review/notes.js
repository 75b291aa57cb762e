// The notes of a list at its side, with filters.

import { html, useState } from "/static/vendor/htm-preact.js";
import { Level, Levels, inWords } from "/static/review/parts.js";

const VERDICTS = { open: "to review", accepted: "accepted", corrected: "corrected" };

export function chosenRows(rows, filter) {
  return rows.filter(
    (row) =>
      (!filter.level || row.level === filter.level) &&
      (!filter.verdict || row.verdict === filter.verdict) &&
      (!filter.label || (row.labels && row.labels[filter.label])),
  );
}

// Notes of the stream whose originals were not found: their risk is all there is to see.
function LostNotes({ lost }) {
  return html`<details class="lost">
    <summary>${lost.length} without original</summary>
    <p class="quiet small">Their originals were not found in the input topic.</p>
    <ul>
      ${lost.map(
        (one) => html`<li key=${one.pseudonym}>
          <span class="title">${one.pseudonym}</span>
          <${Level} level=${one.level} />${" "}
          <span class="small">${one.reasons.map((reason) => reason.text).join(" ")}</span>
        </li>`,
      )}
    </ul>
  </details>`;
}

export function NotesPanel({ list, rows, number, filter, setFilter, show, reviewer }) {
  const [unfolded, setUnfolded] = useState(false);
  const labels = new Set(list.rows.flatMap((row) => Object.keys(row.labels || {})));
  const choose = (name) => (event) => setFilter({ ...filter, [name]: event.target.value });
  const open = list.rows.filter((row) => row.verdict === "open").length;
  return html`
    <aside class=${unfolded ? "notes unfolded" : "notes"} aria-label="Notes of this list">
      <button
        class="unfold"
        aria-expanded=${unfolded ? "true" : "false"}
        onClick=${() => setUnfolded(!unfolded)}
      >
        Notes (${rows.length} of ${list.notes})
      </button>
      <div class="fold">
        <p class="sums">
          <b>${open}</b> of ${list.notes} to review
          <${Levels} levels=${list.levels} />
        </p>
        <div class="filters">
          <label>
            Level
            <select value=${filter.level} onChange=${choose("level")}>
              <option value="">all</option>
              ${["held back", "red", "yellow", "green"].map((name) => html`<option value=${name}>${name}</option>`)}
            </select>
          </label>
          <label>
            State
            <select value=${filter.verdict} onChange=${choose("verdict")}>
              <option value="">all</option>
              ${Object.keys(VERDICTS).map((name) => html`<option value=${name}>${VERDICTS[name]}</option>`)}
            </select>
          </label>
          ${reviewer &&
          html`<label>
            Label
            <select value=${filter.label} onChange=${choose("label")}>
              <option value="">all</option>
              ${[...labels].sort().map((name) => html`<option value=${name}>${inWords(name)}</option>`)}
            </select>
          </label>`}
        </div>
        <ol class="rows">
          ${rows.map(
            (row) => html`<li key=${row.number}>
              <button
                class="entry"
                aria-current=${row.number === number ? "true" : undefined}
                onClick=${() => {
                  setUnfolded(false);
                  show(row.number);
                }}
              >
                <span class="title">${row.name || `Note ${row.number}`}</span>
                <span class="facts">
                  <${Level} level=${row.level} />
                  ${row.verdict !== "open" && html`<span class="verdict">✓ ${VERDICTS[row.verdict]}</span>`}
                </span>
              </button>
            </li>`,
          )}
        </ol>
        ${!rows.length && html`<p class="quiet">${list.notes ? "No note fits the filter." : "There is no note."}</p>`}
        ${list.remarks.map((remark) => html`<p class="quiet small remark" key=${remark}>${remark}</p>`)}
        ${list.lost.length > 0 && html`<${LostNotes} lost=${list.lost} />`}
      </div>
    </aside>
  `;
}

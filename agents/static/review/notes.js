// The notes of a list at its side, with filters.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Level, Levels, inWords } from "/static/review/parts.js";
import { post } from "/static/review/server.js";

const PAUSE = 250; // milliseconds after the last key before the list is searched

const VERDICTS = { open: "to review", accepted: "accepted", corrected: "corrected" };

const ORDERS = ["attention", "risk", "name"];

export function chosenRows(rows, filter) {
  const chosen = rows.filter(
    (row) =>
      (!filter.found || filter.found.has(row.number)) &&
      (!filter.level || row.level === filter.level) &&
      (!filter.verdict || row.verdict === filter.verdict) &&
      (!filter.reader || readersOf(row).includes(filter.reader)) &&
      (!filter.label || (row.labels && row.labels[filter.label])),
  );
  // The server sends those first that need most attention.
  if (filter.order === "risk") chosen.sort((one, other) => (other.score ?? 1) - (one.score ?? 1));
  if (filter.order === "name") chosen.sort((one, other) => titleOf(one).localeCompare(titleOf(other), "en", { numeric: true }));
  return chosen;
}

// Of a note that two read, these.
const readersOf = (row) => (row.pair.length ? row.pair : [row.reader].filter(Boolean));

const titleOf = (row) => row.name || `Note ${row.number}`;

// The notes that hold a text, by name or in the original; the address holds nothing of it.
function SearchBox({ list, setFilter, complain }) {
  const asked = useRef("");
  const timer = useRef(0);
  const search = (event) => {
    const wanted = event.target.value.trim();
    asked.current = wanted;
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      if (!wanted) return setFilter((known) => ({ ...known, found: null }));
      const answer = await post(`/api/lists/${list.id}/search`, { text: wanted }).catch(complain);
      if (answer && asked.current === wanted) setFilter((known) => ({ ...known, found: new Set(answer.found) }));
    }, PAUSE);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`<label class="search">
    Search the list
    <input type="search" onInput=${search} autocomplete="off" placeholder="name or text" />
  </label>`;
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

const TWICE = { 0: "none", 0.1: "a tenth", 0.25: "a quarter", 0.5: "half", 1: "all" };

// Notes without a verdict go to those named here by turns, all of a patient to one; some go to two.
function ShareForm({ list, me, reload, complain }) {
  const [names, setNames] = useState("");
  const [twice, setTwice] = useState("0");
  const share = (event) => {
    event.preventDefault();
    const chosen = names.split(",").map((name) => name.trim()).filter(Boolean);
    if (Number(twice) && chosen.length < 2) {
      complain(new Error("Name two users at least for notes that two read."));
      return;
    }
    post(`/api/lists/${list.id}/readers`, { names: chosen, twice: Number(twice) }).then(reload, complain);
  };
  return html`<details class="share">
    <summary>Share the list</summary>
    <form onSubmit=${share}>
      <label>
        Users who read it, with commas
        <input value=${names} placeholder=${`${me}, …`} autocomplete="off" onInput=${(event) => setNames(event.target.value)} />
      </label>
      <label>
        Read by two, blind to each other
        <select value=${twice} onChange=${(event) => setTwice(event.target.value)}>
          ${Object.keys(TWICE).sort().map((name) => html`<option value=${name}>${TWICE[name]}</option>`)}
        </select>
      </label>
      <button>Assign notes to review</button>
    </form>
  </details>`;
}

export function NotesPanel({ list, rows, number, filter, setFilter, show, reviewer, me, reload, complain }) {
  const [unfolded, setUnfolded] = useState(false);
  const labels = new Set(list.rows.flatMap((row) => Object.keys(row.labels || {})));
  const readers = new Set(list.rows.flatMap(readersOf));
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
        ${reviewer && html`<${SearchBox} list=${list} setFilter=${setFilter} complain=${complain} />`}
        <div class="filters">
          <label>
            Order
            <select value=${filter.order} onChange=${choose("order")}>
              ${ORDERS.map((name) => html`<option value=${name}>${name}</option>`)}
            </select>
          </label>
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
          ${readers.size > 0 &&
          html`<label>
            Reader
            <select value=${filter.reader} onChange=${choose("reader")}>
              <option value="">all</option>
              ${[...readers].sort().map((name) => html`<option value=${name}>${name === me ? `${name} (you)` : name}</option>`)}
            </select>
          </label>`}
          ${reviewer &&
          html`<label>
            Label
            <select value=${filter.label} onChange=${choose("label")}>
              <option value="">all</option>
              ${[...labels].sort().map((name) => html`<option value=${name}>${inWords(name)}</option>`)}
            </select>
          </label>`}
        </div>
        ${reviewer && !list.blind && html`<${ShareForm} list=${list} me=${me} reload=${reload} complain=${complain} />`}
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
                <span class="title">${titleOf(row)}</span>
                <span class="facts">
                  <${Level} level=${row.level} />
                  ${readersOf(row).length > 0 && html`<span class="small">${readersOf(row).join(" and ")}</span>`}
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

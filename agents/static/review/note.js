// One note: its risk in words, original and output side by side, and what a reviewer does with it.

import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Inspector } from "/static/review/inspector.js";
import { Level } from "/static/review/parts.js";
import { get, post, take } from "/static/review/server.js";
import { TextPane, followScroll, selectNext } from "/static/review/text.js";

const JUDGE = { open: "Accept", accepted: "Accepted ✓", corrected: "Corrected ✓" };
const NO_TERMS = "The policy of this list takes no terms, as it has no dictionary. Mark or remove this one.";

export function NoteView({ note, list, tools, act, busy, canEdit, receive, move, judge, undo, position, count }) {
  const { visit, facts } = tools;
  const reviewer = visit.role === "reviewer";
  const [chosen, setChosen] = useState(null);
  const [lit, setLit] = useState(null);
  const [pane, setPane] = useState("original");
  const [labels, setLabels] = useState(true);
  const title = useRef(null);
  const passed = useRef(-1);
  const left = useRef(null);
  const right = useRef(null);
  const why = useExplanation(`/api/lists/${list.id}/notes/${note.number}/explanation`, note.runs, tools.complain);

  useEffect(() => {
    if (left.current && right.current) return followScroll(left.current, right.current);
    return undefined;
  }, [note]);
  useEffect(() => {
    // What had the focus went with the note before.
    if (document.activeElement === document.body) title.current.focus({ preventScroll: true });
  }, []);
  // Before anything is painted: a key may come as soon as the note is on the screen.
  useLayoutEffect(() => {
    const start = () => setChosen({ typed: true });
    window.addEventListener("mark-text", start);
    window.addEventListener("next-suspect", nextSuspect);
    return () => {
      window.removeEventListener("mark-text", start);
      window.removeEventListener("next-suspect", nextSuspect);
    };
  });

  // After the one that was looked at last; then from the beginning.
  const nextSuspect = () => {
    const suspects = (note.original || []).filter((one) => one.suspect);
    const next = suspects.find((one) => one.at > passed.current) || suspects[0];
    if (!next) return tools.say("Nothing else in this note is suspect.");
    passed.current = next.at;
    choose(next);
    left.current.querySelector(`mark[data-at="${next.at}"]`).scrollIntoView({ block: "nearest" });
    return undefined;
  };
  const close = () => {
    const fromOutput = chosen && chosen.segment && chosen.segment.start !== undefined;
    const pane = (fromOutput ? right : left).current;
    const focused = document.activeElement;
    // The focus goes with the form; it returns to the text that the form was about.
    if (pane && (focused === document.body || focused.closest(".inspector"))) pane.focus({ preventScroll: true });
    choose(null);
  };
  const edit = (body) =>
    act(async () => {
      const path = `/api/lists/${list.id}/notes/${note.number}/edits`;
      const found = await post(path, body).catch((error) => {
        throw error.status === 409 ? new Error(NO_TERMS) : error;
      });
      close();
      window.getSelection().removeAllRanges();
      const notes = found.others === 1 ? "note is" : "notes are";
      const others = found.others ? ` ${found.others} other ${notes} run again too.` : "";
      receive(found, (body.kind === "mark" ? "Marked." : "Removed.") + others);
    });

  const output = note.output || (note.text === undefined ? null : [{ at: 0, text: note.text }]);
  const choose = (segment) => {
    if (segment && segment.suspect) {
      const end = segment.at + [...segment.text].length;
      setChosen({ start: segment.at, end, text: segment.text, told: segment.why });
      return setLit(null);
    }
    setChosen(segment ? { segment } : null);
    return setLit(segment ? segment.id : null);
  };
  return html`
    <article class="note" aria-label=${note.name || `Note ${note.number}`}>
      <header class="head">
        <div class="step">
          <button aria-label="Previous note" title="Previous note (p)" disabled=${position <= 0} onClick=${() => move(-1)}>‹</button>
          <span>${position + 1} / ${count}</span>
          <button aria-label="Next note" title="Next note (n)" disabled=${position >= count - 1} onClick=${() => move(1)}>›</button>
        </div>
        <h2 ref=${title} tabindex="-1">${note.name || `Note ${note.number}`}</h2>
        <div class="acts">
          ${canEdit &&
          html`<button disabled=${!note.undo} title="Undo (u)" onClick=${undo}>Undo</button>
            <button class="main" title="Accept (a)" disabled=${note.waiting} onClick=${() => judge("accepted")}>
              ${JUDGE[note.verdict]}
            </button>`}
          ${output &&
          html`<button onClick=${() => take(`/api/lists/${list.id}/notes/${note.number}/output.${note.word ? "docx" : "txt"}`)}>
            Download output
          </button>`}
        </div>
      </header>
      ${note.origin &&
      html`<p class="origin quiet small">${list.kind === "risk" ? "From the stream" : "From quarantine"}: ${note.origin}</p>`}
      ${note.pair.length > 0 &&
      !note.decided &&
      html`<p class="emitted small">
        ${note.pair.join(" and ")} read this note, each in a list of their own. It cannot be edited here until what they say
        is compared, under <i>Second opinion</i>, and decided where they differ.
      </p>`}
      <${Risk} note=${note} />
      ${note.emitted && !note.waiting && html`<${Emitted} emitted=${note.emitted} />`}
      ${canEdit &&
      html`<${Inspector}
        chosen=${chosen}
        note=${note}
        facts=${facts}
        busy=${busy}
        edit=${edit}
        close=${close}
        why=${why}
      />`}
      ${reviewer &&
      html`<div class="panes-bar">
        <div class="switch" role="group" aria-label="Text that is shown">
          ${["original", "output"].map(
            (name) => html`<button aria-pressed=${pane === name ? "true" : "false"} onClick=${() => setPane(name)}>
              ${name === "original" ? "Original" : "Output"}
            </button>`,
          )}
        </div>
        <${FindBox} panes=${[left, right]} pane=${pane} />
        <label class="check">
          <input type="checkbox" checked=${labels} onChange=${(event) => setLabels(event.target.checked)} />
          Show labels
        </label>
      </div>`}
      <div class=${`panes ${reviewer ? "two" : "one"} ${pane} ${labels ? "labelled" : ""}`}>
        ${reviewer &&
        html`<${TextPane}
          title="Original"
          segments=${note.original}
          runs=${note.runs}
          facts=${facts}
          lit=${lit}
          light=${setLit}
          choose=${choose}
          select=${(selection) => setChosen(selection)}
          own=${left}
          why=${why}
        />`}
        ${output
          ? html`<${TextPane}
              title="Output"
              segments=${output}
              runs=${note.runs}
              facts=${facts}
              lit=${lit}
              light=${setLit}
              choose=${choose}
              own=${right}
              why=${reviewer ? why : null}
            />`
          : html`<section class="pane output" aria-label="Output">
              <h3>Output</h3>
              <div class="text empty" tabindex="0">
                <p>${note.waiting ? "The note is being read." : "There is no output: the note is held back."}</p>
              </div>
            </section>`}
      </div>
    </article>
  `;
}

// Finds a text in the original, or in the output where that alone is shown.
function FindBox({ panes, pane }) {
  const box = useRef(null);
  const [told, setTold] = useState("");
  useLayoutEffect(() => {
    const start = () => box.current.select();
    window.addEventListener("find-text", start);
    return () => window.removeEventListener("find-text", start);
  }, []);
  const find = (event) => {
    event.preventDefault();
    const wanted = box.current.value;
    const place = panes[pane === "original" ? 0 : 1].current;
    if (!wanted || !place) return;
    const { count, number } = selectNext(place, wanted);
    setTold(count ? `${number} of ${count}` : "not found");
  };
  return html`<form class="find" role="search" onSubmit=${find}>
    <label>
      <span class="unseen">Find in the text</span>
      <input
        ref=${box}
        type="search"
        placeholder="find in the text"
        autocomplete="off"
        onInput=${() => setTold("")}
        onKeyDown=${(event) => event.key === "Escape" && box.current.blur()}
      />
    </label>
    <span class="quiet small" role="status">${told}</span>
  </form>`;
}

// Why the spans of a note were replaced: asked for once after each run, at the first of them.
function useExplanation(path, runs, complain) {
  const [found, setFound] = useState(null);
  const asked = useRef(0);
  const places = found && found.runs === runs ? found.places : [];
  return {
    ask: () => {
      if (asked.current === runs) return;
      asked.current = runs;
      get(path).then(setFound, complain);
    },
    // Of a segment of the original, or of one of the output, which knows its place in the original.
    find: (segment) => {
      const start = segment.start === undefined ? segment.at : segment.start;
      return places.find((place) => place.start === start);
    },
    // Of any other stretch of the original.
    explain: (start, end) => get(`${path}?start=${start}&end=${end}`).then((answer) => answer.places[0]),
  };
}

// What the stream says of its output, where this page has made another one.
function Emitted({ emitted }) {
  if (emitted.same) return html`<p class="emitted quiet small">The stream has this output.</p>`;
  const reasons = emitted.reasons.map((one) => one.text).join(" ");
  return html`<div class="emitted">
    <p>
      In the stream: <${Level} level=${emitted.level} /> risk ${emitted.score.toFixed(2)}${reasons && `. ${reasons}`}
    </p>
    <p class="quiet small">
      This page has not made that output: the note was edited here or corrected since, or policy, version, model or key
      differ.
    </p>
  </div>`;
}

function Risk({ note }) {
  if (note.failure) {
    return html`<div class="risk">
      <${Level} level="held back" />
      <ul><li>${note.failure.text}</li></ul>
    </div>`;
  }
  if (!note.risk) return html`<div class="risk"><${Level} level="" /></div>`;
  const { level, score, reasons } = note.risk;
  return html`<div class="risk">
    <${Level} level=${level} />
    <span class="score">risk ${score.toFixed(2)}</span>
    ${reasons.length
      ? html`<ul>${reasons.map((one) => html`<li key=${one.code} title=${one.code}>${one.text}</li>`)}</ul>`
      : html`<p>Nothing stands out.</p>`}
  </div>`;
}

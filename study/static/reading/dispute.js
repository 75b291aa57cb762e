// The adjudicator's note: each place that the readers differ about is decided by a key.

import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/htm-preact.js";
import { inWords } from "/static/review/parts.js";
import { get, put } from "/static/review/server.js";
import { KEYS, KeyList, Sheet, cutPieces } from "/static/reading/words.js";

export function DisputeView({ state, tools }) {
  const { facts, complain, say, look } = tools;
  const [note, setNote] = useState(null);
  const [rulings, setRulings] = useState([]);
  const [at, setAt] = useState(0);
  const busy = useRef(false);

  useEffect(() => {
    if (!state.next) {
      setNote(null);
      const timer = setInterval(look, 10000);
      return () => clearInterval(timer);
    }
    get(`/api/disputes/${state.next}`).then((found) => {
      setNote(found);
      setRulings(found.places.map(() => undefined));
      setAt(0);
    }, complain);
    return undefined;
  }, [state]);
  const pieces = useMemo(() => (note ? cutPieces(note.segments) : []), [note]);

  const rule = (label) => {
    setRulings(rulings.map((one, number) => (number === at ? label : one)));
    setAt(Math.min(at + 1, note.places.length - 1));
  };
  const open = rulings.filter((one) => one === undefined).length;
  const finish = async () => {
    if (busy.current) return;
    if (open) {
      say(`${open} more ${open === 1 ? "place is" : "places are"} to be decided.`, true);
      return;
    }
    busy.current = true;
    try {
      const places = note.places.map(({ start, end }, number) => ({ start, end, label: rulings[number] }));
      await put(`/api/disputes/${note.number}`, { places });
      say("");
      await look();
    } catch (error) {
      complain(error);
    } finally {
      busy.current = false;
    }
  };
  useEffect(() => {
    const press = (event) => {
      if (!note || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, button")) return;
      const acts = {
        ArrowDown: () => setAt(Math.min(at + 1, note.places.length - 1)),
        ArrowRight: () => setAt(Math.min(at + 1, note.places.length - 1)),
        ArrowUp: () => setAt(Math.max(at - 1, 0)),
        ArrowLeft: () => setAt(Math.max(at - 1, 0)),
        Enter: () => event.repeat || finish(),
        x: () => rule(null),
        y: () => rule(note.places[at].labels[0]),
      };
      const label = KEYS[event.key];
      const act = acts[event.key] || (label && (() => rule(label)));
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  });

  if (!note) {
    return html`<section class="rest card" role="status">
      <h1>Nothing is disputed now</h1>
      <p>The plan says: <b>${state.decision}</b>, after ${state.notes} notes. Read so far: ${Object.entries(state.read).map(([name, count]) => `${name} ${count}`).join(", ")} of ${state.wanted}.</p>
    </section>`;
  }
  const marks = note.places.map((place, number) => ({ ...place, label: rulings[number] === undefined ? place.labels[0] : rulings[number] }));
  return html`<div class="work"><div class="desk reading">
    <div>
      <div class="head"><h2>Note ${note.number}</h2><span class="count">${state.disputed} notes to decide</span></div>
      <${Sheet} pieces=${pieces} picked=${note.places[at]} marks=${marks} facts=${facts} pick=${() => {}} title="Note" />
    </div>
    <aside class="side">
      <div><h2>Is it an identifier?</h2><p class="small quiet">The readers differ about ${note.places.length} ${note.places.length === 1 ? "place" : "places"}. Who marked what is not shown.</p></div>
      <ol>${note.places.map(
        (place, number) => html`<li key=${place.start} aria-current=${number === at ? "true" : undefined}>
          ${number === at ? "▸ " : ""}${place.labels.map(inWords).join(" or ")}${place.readers === 1 ? ", or nothing" : ""}:
          <b>${rulings[number] === undefined ? " open" : rulings[number] === null ? " no identifier" : ` ${inWords(rulings[number])}`}</b>
        </li>`,
      )}</ol>
      <${KeyList} rows=${[["y", "yes, as marked"], ["x", "no identifier"], ["↑ ↓", "place"], ["↵", "done, next note"]]} />
      <${KeyList} rows=${Object.entries(KEYS).map(([key, label]) => [key, inWords(label)])} />
      <button class="main" onClick=${finish}>Done</button>
    </aside>
  </div></div>`;
}

// The adjudicator's note: each place that the readers differ about is decided by a key.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "/static/vendor/htm-preact.js";
import { inWords } from "/static/review/parts.js";
import { get, put } from "/static/review/server.js";
import { KEYS, KeyList, Sheet, cutPieces } from "/static/reading/words.js";

export function DisputeView({ state, tools }) {
  const { facts, complain, say, look } = tools;
  const [note, setNote] = useState(null);
  // Keys may come faster than the screen follows: each one finds what the one before it did.
  const now = useRef({ rulings: [], at: 0 });
  const [, draw] = useState(0);
  const change = (fields) => {
    now.current = { ...now.current, ...fields };
    draw((count) => count + 1);
  };
  const { rulings, at } = now.current;
  const busy = useRef(false);

  useEffect(() => {
    if (!state.next) {
      setNote(null);
      const timer = setInterval(look, 10000);
      return () => clearInterval(timer);
    }
    get(`/api/disputes/${state.next}`).then((found) => {
      setNote(found);
      change({ rulings: found.places.map(() => undefined), at: 0 });
    }, complain);
    return undefined;
  }, [state]);
  const pieces = useMemo(() => (note ? cutPieces(note.segments) : []), [note]);

  const rule = (label) => {
    const place = now.current.at;
    change({ rulings: now.current.rulings.map((one, number) => (number === place ? label : one)), at: Math.min(place + 1, note.places.length - 1) });
  };
  const go = (step) => change({ at: Math.min(Math.max(now.current.at + step, 0), note.places.length - 1) });
  const finish = async () => {
    if (busy.current) return;
    const open = now.current.rulings.filter((one) => one === undefined).length;
    if (open) {
      say(`${open} more ${open === 1 ? "place is" : "places are"} to be decided.`, true);
      return;
    }
    busy.current = true;
    try {
      const places = note.places.map(({ start, end }, number) => ({ start, end, label: now.current.rulings[number] }));
      await put(`/api/disputes/${note.number}`, { places });
      say("");
      await look();
    } catch (error) {
      complain(error);
    } finally {
      busy.current = false;
    }
  };
  useLayoutEffect(() => {
    const press = (event) => {
      if (!note || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, button")) return;
      const acts = {
        ArrowDown: () => go(1),
        ArrowRight: () => go(1),
        ArrowUp: () => go(-1),
        ArrowLeft: () => go(-1),
        Enter: () => event.repeat || finish(),
        x: () => rule(null),
        y: () => rule(note.places[now.current.at].labels[0]),
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
      <div class="head"><h2>Note ${note.number}</h2><span class="count">${state.disputed === 1 ? "1 note" : `${state.disputed} notes`} to decide</span></div>
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

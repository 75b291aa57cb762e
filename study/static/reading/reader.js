// A reader's note: words are picked and marked by keys; the clock stands still while nobody is here.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "/static/vendor/htm-preact.js";
import { inWords } from "/static/review/parts.js";
import { get, put } from "/static/review/server.js";
import { KEYS, KeyList, Sheet, cutPieces, findVertical, touches } from "/static/reading/words.js";

const IDLE_MS = 60000;

export function ReaderView({ state, tools }) {
  const { facts, say, complain, look } = tools;
  const [note, setNote] = useState(null);
  // Keys may come faster than the screen follows: each one finds what the one before it did.
  const now = useRef({ marks: [], picked: null });
  const [, draw] = useState(0);
  const change = (fields) => {
    now.current = { ...now.current, ...fields };
    draw((count) => count + 1);
  };
  const { marks, picked } = now.current;
  const clock = useClock(note && note.number);
  const busy = useRef(false);

  const open = (number) =>
    get(`/api/notes/${number}`).then((found) => {
      setNote(found);
      change({ marks: found.marks, picked: null });
    }, complain);
  useEffect(() => {
    if (state.next) open(state.next);
    else setNote(null);
  }, [state]);
  useEffect(() => {
    if (note) return undefined;
    const timer = setInterval(look, 10000);
    return () => clearInterval(timer);
  }, [note]);

  const pieces = useMemo(() => (note ? cutPieces(note.segments) : []), [note]);
  const words = useMemo(() => pieces.filter((piece) => piece.word), [pieces]);
  const pick = (word, extend) => {
    clock.touch();
    const before = now.current.picked;
    const anchor = extend && before ? before.anchor : word;
    change({ picked: { start: Math.min(anchor.start, word.start), end: Math.max(anchor.end, word.end), anchor, head: word } });
  };
  const move = (step, extend) => {
    const before = now.current.picked;
    const at = before ? words.indexOf(before.head) : step > 0 ? -1 : words.length;
    const next = words[Math.min(Math.max(at + step, 0), words.length - 1)];
    if (next) pick(next, extend);
  };
  const moveLine = (step, extend) => {
    if (!now.current.picked) return move(step, false);
    const next = findVertical(words, now.current.picked.head, step);
    return next && pick(next, extend);
  };
  const mark = (label) => {
    if (!now.current.picked) return;
    const { start, end } = now.current.picked;
    const place = { start, end, label };
    const others = now.current.marks.filter((one) => !touches(one, place));
    change({ marks: [...others, place].sort((a, b) => a.start - b.start) });
  };
  const drop = () => {
    const place = now.current.picked;
    if (place) change({ marks: now.current.marks.filter((one) => !touches(one, place)) });
  };
  const finish = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      await put(`/api/notes/${note.number}`, { seconds: clock.read(), marks: now.current.marks });
      say("");
      await look();
    } catch (error) {
      complain(error.status === 409 ? { message: "This note was decided meanwhile." } : error);
    } finally {
      busy.current = false;
    }
  };

  useLayoutEffect(() => {
    const press = (event) => {
      if (!note || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, button")) return;
      const acts = {
        ArrowRight: () => move(1, event.shiftKey),
        ArrowLeft: () => move(-1, event.shiftKey),
        ArrowDown: () => moveLine(1, event.shiftKey),
        ArrowUp: () => moveLine(-1, event.shiftKey),
        Home: () => words[0] && pick(words[0], event.shiftKey),
        End: () => words.length && pick(words[words.length - 1], event.shiftKey),
        Backspace: drop,
        Delete: drop,
        Enter: () => event.repeat || finish(),
        b: () => state.last && open(state.last),
        " ": clock.toggle,
      };
      const label = event.shiftKey ? undefined : KEYS[event.key];
      const act = acts[event.key] || (label && (() => mark(label)));
      if (!act) return;
      event.preventDefault();
      if (event.key !== " ") clock.touch();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  });

  if (!note) {
    const text = state.done >= state.wanted ? "You have read everything that is to be read by now." : "Loading";
    return html`<section class="rest card" role="status"><h1>${text}</h1><p>If the plan asks for more, the next note opens here.</p></section>`;
  }
  return html`<div class="work"><div class="desk reading">
    <div>
      <div class="head"><h2>Note ${note.number}</h2>
        <span class="count">${state.done} of ${state.wanted} read</span>
        <span class=${clock.running ? "count" : "count paused"}>${clock.running ? `${clock.seconds} s` : "paused"}</span>
      </div>
      <${Sheet} pieces=${pieces} picked=${picked} marks=${marks} facts=${facts} pick=${pick} title="Note" />
    </div>
    <aside class="side">
      <div><h2>Mark what is left</h2><p class="small quiet">Crossed out: found and replaced. Dashed: found, and stays by the policy.</p></div>
      <button class="main" onClick=${finish}>Done: ${marks.length} ${marks.length === 1 ? "mark" : "marks"}</button>
      <${KeyList} rows=${[["← →", "word"], ["↑ ↓", "line"], ["⇧", "with an arrow: several words"], ["⌫", "take a mark away"], ["↵", "done, next note"], ["b", "the note before"], ["␣", "stop the clock"]]} />
      <${KeyList} rows=${Object.entries(KEYS).map(([key, label]) => [key, inWords(label)])} />
    </aside>
  </div></div>`;
}

// Seconds in which somebody was at the note.
function useClock(number) {
  const spent = useRef(0);
  const used = useRef(Date.now());
  const stopped = useRef(false);
  const [seconds, setSeconds] = useState(0);
  const [running, setRunning] = useState(true);
  useEffect(() => {
    spent.current = 0;
    used.current = Date.now();
    stopped.current = false;
    setSeconds(0);
    let before = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      const here = !document.hidden && !stopped.current && now - used.current < IDLE_MS;
      if (here) spent.current += (now - before) / 1000;
      before = now;
      setRunning(here);
      setSeconds(Math.round(spent.current));
    }, 500);
    const touch = () => {
      used.current = Date.now();
    };
    window.addEventListener("pointermove", touch);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pointermove", touch);
    };
  }, [number]);
  return {
    seconds,
    running,
    read: () => spent.current,
    touch: () => {
      used.current = Date.now();
      stopped.current = false;
    },
    toggle: () => {
      stopped.current = !stopped.current;
      used.current = Date.now();
    },
  };
}

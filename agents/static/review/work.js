// One work list: its notes at the side; a note, the settings or the downloads beside them.

import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { DownloadsView } from "/static/review/downloads.js";
import { HelpDialog } from "/static/review/help.js";
import { NoteView } from "/static/review/note.js";
import { OpinionsView } from "/static/review/opinions.js";
import { SettingsView } from "/static/review/settings.js";
import { NotesPanel, chosenRows } from "/static/review/notes.js";
import { withLabels } from "/static/review/parts.js";
import { get, poll, post, put } from "/static/review/server.js";

const TABS = { notes: "Notes", opinions: "Second opinion", settings: "Settings", downloads: "Download" };
// What a reader without originals has, and who reads a list blind.
const READER = ["notes", "downloads"];

export function WorkView({ id, tools, leave }) {
  const { visit, say, complain } = tools;
  const reviewer = visit.role === "reviewer";
  const [list, setList] = useState(null);
  const [number, setNumber] = useState(0);
  const [note, setNote] = useState(null);
  const [tab, setTab] = useState("notes");
  const [filter, setFilter] = useState({ order: "attention", level: "", label: "", verdict: "", reader: "", found: null });
  const [help, setHelp] = useState(false);
  const [failures, setFailures] = useState(0);
  const [busy, setBusy] = useState(false);
  const loads = useRef(0);
  const asked = useRef(0);
  const showing = useRef(0);
  const at = useRef(0);
  const acting = useRef(false);
  const failing = useRef(false);

  const load = (ask = get) => {
    loads.current += 1;
    const mine = loads.current;
    return ask(`/api/lists/${id}`).then(
      (found) => {
        if (failing.current) say("");
        failing.current = false;
        if (loads.current === mine) setList(found);
      },
      (error) => {
        complain(error.status === 404 ? { message: "This list was forgotten." } : error);
        if (error.status === 404) leave();
        failing.current = true;
        setFailures((before) => before + 1);
      },
    );
  };
  const rows = list ? chosenRows(list.rows, filter) : [];
  // What two say blind is not changed once it is compared, nor a note that they are reading.
  const canEdit = reviewer && !(list && list.closed) && !(note && note.pair.length && !note.decided);
  // Between two notes, the one that was asked for is not on the screen yet.
  const shown = note && note.number === number;

  const goTo = (wanted) => {
    at.current = wanted;
    setNumber(wanted);
  };
  const show = (wanted) => {
    asked.current += 1;
    const mine = asked.current;
    goTo(wanted);
    showing.current += 1;
    const answered = get(`/api/lists/${id}/notes/${wanted}`).finally(() => {
      showing.current -= 1;
    });
    return answered.then((found) => asked.current === mine && setNote(found), complain);
  };
  const receive = (found, text, from = found.number) => {
    // Who has gone on to another note meanwhile stays there.
    if (at.current === from) {
      // An answer that was asked for before this one would show the note as it was.
      asked.current += 1;
      goTo(found.number);
      setNote(found);
    }
    if (text) say(text);
    markRow(found);
    load();
  };
  // The next key may come before the list that is asked for: it must not find this note open.
  const markRow = ({ number: judged, verdict }) =>
    setList((known) => {
      const marked = known.rows.map((row) => (row.number === judged ? { ...row, verdict } : row));
      return { ...known, rows: marked };
    });

  useEffect(() => {
    load();
  }, []);
  useEffect(() => {
    if (!list) return undefined;
    if (!number && rows.length && !list.waiting) show(rows[0].number);
    // Its answer was lost: what is asked for is not on the screen, and nothing is on its way.
    if (number && !shown && !showing.current) show(number);
    const row = list.rows.find((one) => one.number === number);
    const shared = row && shown && (row.pair.length !== note.pair.length || row.decided !== note.decided);
    if (shown && row && (row.runs > note.runs || shared)) show(number);
    const timer = setTimeout(() => load(poll), list.waiting ? 600 : 5000);
    return () => clearTimeout(timer);
  }, [list, failures]);

  const move = (step) => {
    const place = rows.findIndex((row) => row.number === number);
    const next = rows[Math.min(Math.max(place + step, 0), rows.length - 1)];
    if (next && next.number !== number) show(next.number);
  };
  const moveToOpen = () => {
    const place = rows.findIndex((row) => row.number === number);
    const open = [...rows.slice(place + 1), ...rows.slice(0, place)].find((row) => row.verdict === "open");
    if (open) show(open.number);
    else say("No note is left to review.");
  };
  // One at a time: a key that is pressed twice must not judge a note that nobody has seen.
  const act = async (step) => {
    if (!shown) return;
    if (acting.current) {
      say("The last step still runs. Look at what it makes, then press again.");
      return;
    }
    acting.current = true;
    setBusy(true);
    try {
      await step();
    } catch (error) {
      complain(error);
    } finally {
      acting.current = false;
      setBusy(false);
    }
  };
  const judge = (verdict) =>
    act(async () => {
      const seen = { verdict, runs: note.runs };
      const answer = put(`/api/lists/${id}/notes/${number}/verdict`, seen).catch((error) => {
        if (error.status !== 409) throw error;
        show(number);
        throw new Error("The note was run again meanwhile. Look at it once more.");
      });
      receive(await answer);
      if (verdict === "open") return;
      const open = rows.filter((row) => row.verdict === "open" && row.number !== number);
      const stays = at.current === number;
      if (open.length && stays) await show(open[0].number);
      const next = stays ? "Accepted. This is the next note." : "Accepted.";
      say(open.length ? next : "Accepted. No note is left to review.");
    });
  const undo = () =>
    act(async () => receive(await post(`/api/lists/${id}/undo`), "Taken back.", number));

  // Before anything is painted: a key that answers what is on the screen must concern it.
  useLayoutEffect(() => {
    const press = (event) => {
      const typing = event.target.closest("input, select, textarea, dialog[open]");
      if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const acts = {
        n: () => move(1),
        j: () => move(1),
        p: () => move(-1),
        k: () => move(-1),
        o: () => moveToOpen(),
        s: () => window.dispatchEvent(new Event("next-suspect")),
        "/": () => window.dispatchEvent(new Event("find-text")),
        a: () => canEdit && shown && !note.waiting && judge("accepted"),
        u: () => canEdit && shown && note.undo && undo(),
        m: () => window.dispatchEvent(new Event("mark-text")),
        "?": () => setHelp(true),
      };
      if (tab === "notes" && acts[event.key]) {
        event.preventDefault();
        // A key that is held down goes through notes, and does nothing to them.
        if (!event.repeat || "njpk".includes(event.key)) acts[event.key]();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  });

  if (!list) return html`<p class="loading" role="status">Loading</p>`;
  const done = list.notes - list.waiting;
  return html`
    <div class="work">
      <div class="bar">
        <h1 title=${list.title}>${list.blind && "Your second opinion: "}${list.title}</h1>
        <nav class="tabs" aria-label="Parts of this list">
          ${Object.keys(TABS)
            .filter((name) => (reviewer && !list.blind) || READER.includes(name))
            .map(
              (name) => html`<button
                key=${name}
                aria-current=${tab === name ? "page" : undefined}
                onClick=${() => {
                  if (tab !== name) say("");
                  setTab(name);
                }}
              >
                ${TABS[name]}
              </button>`,
            )}
        </nav>
        <button class="plain keys" onClick=${() => setHelp(true)}>Keys <kbd>?</kbd></button>
      </div>
      ${list.blind &&
      html`<p class="emitted small blind">
        ${list.closed
          ? "This reading has ended; what you accepted is compared in the list that was shared."
          : `Another reader has the same notes; neither sees what the other marks. Accept each note: ${list.rows.filter((row) => row.verdict === "accepted").length} of ${list.notes} are accepted.`}
      </p>`}
      ${list.waiting > 0 &&
      html`<div class="progress" role="status">
        <progress max=${list.notes} value=${done} aria-label="Notes that are done"></progress>
        <span>Notes that are done: ${done} of ${list.notes}</span>
      </div>`}
      ${tab === "notes" &&
      html`<div class="desk">
        <${NotesPanel}
          list=${list}
          rows=${rows}
          number=${number}
          filter=${filter}
          setFilter=${setFilter}
          show=${show}
          reviewer=${reviewer}
          me=${visit.name}
          reload=${() => load()}
          complain=${complain}
        />
        ${shown
          ? html`<${NoteView}
              key=${note.number}
              note=${note}
              list=${list}
              tools=${{ ...tools, facts: withLabels(tools.facts, list.labels) }}
              act=${act}
              busy=${busy}
              canEdit=${canEdit}
              receive=${receive}
              move=${move}
              judge=${judge}
              undo=${undo}
              position=${rows.findIndex((row) => row.number === number)}
              count=${rows.length}
            />`
          : html`<p class="loading" role="status">${list.notes ? "Notes are being read" : "This list has no notes"}</p>`}
      </div>`}
      ${tab === "opinions" &&
      html`<${OpinionsView}
        list=${list}
        tools=${tools}
        reload=${() => load()}
        show=${(wanted) => {
          setTab("notes");
          show(wanted);
        }}
      />`}
      ${tab === "settings" &&
      html`<${SettingsView} list=${list} tools=${tools} changed=${load} />`}
      ${tab === "downloads" && html`<${DownloadsView} list=${list} tools=${tools} />`}
      <${HelpDialog} open=${help} close=${() => setHelp(false)} reviewer=${reviewer} />
    </div>
  `;
}

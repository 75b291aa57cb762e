// All work lists, and the ways to make one: files, sample notes, quarantine.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Levels } from "/static/review/parts.js";
import { get, poll, post, remove } from "/static/review/server.js";

const KINDS = ".txt,.md,.docx,.pdf,.rtf,.html,.htm,.xml,.json,.jsonl,.ndjson";

export function ListsView({ tools, open }) {
  const { visit, facts, say, complain } = tools;
  const [lists, setLists] = useState(null);
  const reviewer = visit.role === "reviewer";
  const loads = useRef(0);
  const failing = useRef(false);
  const load = (ask = get) => {
    loads.current += 1;
    const mine = loads.current;
    return ask("/api/lists").then(
      (found) => {
        if (failing.current) say("");
        failing.current = false;
        if (loads.current === mine) setLists(found);
      },
      (error) => {
        complain(error);
        failing.current = true;
      },
    );
  };
  useEffect(() => {
    load();
    const timer = setInterval(() => document.hidden || load(poll), 4000);
    return () => clearInterval(timer);
  }, []);

  const forget = async (list) => {
    if (!window.confirm("Forget this list, with its originals and edits?")) return;
    await remove(`/api/lists/${list.id}`).catch(complain);
    load();
  };

  return html`
    <div class="lists">
      ${reviewer && html`<${UploadCard} tools=${tools} open=${open} />`}
      <section class="card" aria-labelledby="lists-title">
        <h1 id="lists-title">Work lists</h1>
        ${lists && !lists.length && html`<p class="quiet">${reviewer
          ? "There is no list yet. Upload notes, or open the sample notes."
          : "There is no list yet. A reviewer makes them."}</p>`}
        <ul class="worklists">
          ${(lists || []).map(
            (list) => html`<li key=${list.id}>
              <button class="open" onClick=${() => open(list.id)}>
                <b>${list.blind && "Your second opinion: "}${list.title}</b>
                <span class="quiet">
                  ${list.notes} ${list.notes === 1 ? "note" : "notes"} · ${list.open} to review ·
                  policy ${list.policy}${list.until && ` · kept until ${list.until}`}
                  ${list.waiting > 0 && html` · ${list.waiting} in work`}
                </span>
                <${Levels} levels=${list.levels} />
              </button>
              ${reviewer &&
              !list.blind &&
              html`<button class="plain" onClick=${() => forget(list)}>
                Forget<span class="unseen"> ${list.title}</span>
              </button>`}
            </li>`,
          )}
        </ul>
        <p class="quiet small">
          ${facts.saved_days > 0
            ? `A list is saved, encrypted, for ${facts.saved_days} ${facts.saved_days === 1 ? "day" : "days"} after it was made.`
            : "Lists are held in memory alone. One that nobody uses is forgotten after some hours."}
        </p>
      </section>
    </div>
  `;
}

function UploadCard({ tools, open }) {
  const { facts, say, complain } = tools;
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState("");
  const [policy, setPolicy] = useState("");
  const [onePatient, setOnePatient] = useState(false);
  const [problems, setProblems] = useState([]);
  const input = useRef(null);
  const here = useRef(true);
  useEffect(() => () => {
    here.current = false;
  }, []);
  // Who has opened another list meanwhile stays there.
  const enter = (list) => (here.current ? open(list.id) : say(`${list.title}: this list is ready.`));

  const upload = async (chosen) => {
    const files = [...chosen];
    // The same file can be chosen again then.
    input.current.value = "";
    if (!files.length || busy) return;
    setProblems([]);
    setBusy("Reading");
    try {
      const first = [...files[0].name].slice(0, 80).join("");
      const title = files.length === 1 ? first : `${first} and ${files.length - 1} more`;
      const list = await post("/api/lists", { title, policy, one_patient: onePatient });
      const wrong = [];
      let added = 0;
      for (const [number, file] of files.entries()) {
        setBusy(`Reading ${number + 1} of ${files.length}`);
        const found = await post(`/api/lists/${list.id}/files`, file).catch((error) => ({
          added: 0,
          problems: [{ name: file.name, problem: error.message }],
        }));
        added += found.added;
        wrong.push(...found.problems);
      }
      if (!added) await remove(`/api/lists/${list.id}`);
      setBusy("");
      setProblems(wrong);
      if (!added) return;
      await post(`/api/lists/${list.id}/run`);
      enter(list);
      if (wrong.length) say(tellProblems(wrong), true);
    } catch (error) {
      setBusy("");
      complain(error);
    }
  };

  const make = async (path, body) => {
    setBusy("Opening");
    try {
      const list = await post(path, body);
      await post(`/api/lists/${list.id}/run`);
      enter(list);
    } catch (error) {
      setBusy("");
      complain(error);
    }
  };

  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    upload(event.dataTransfer.files);
  };

  return html`
    <section class="card upload" aria-labelledby="upload-title">
      <h2 id="upload-title">New list</h2>
      <div
        class=${over ? "drop over" : "drop"}
        onDragOver=${(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave=${() => setOver(false)}
        onDrop=${drop}
      >
        <p>
          <label class="button main" for="files">Choose files</label>
          <input
            id="files"
            class="unseen"
            type="file"
            multiple
            accept=${KINDS}
            ref=${input}
            onChange=${(event) => upload(event.target.files)}
          />
          <span class="quiet"> or drop them here</span>
        </p>
        <p class="quiet small">Text, Word, PDF, RTF, HTML, a FHIR resource, or JSONL with a note a line</p>
        ${busy && html`<p role="status" class="busy">${busy}</p>`}
      </div>
      <div class="row">
        <label>
          Policy
          <select value=${policy} onChange=${(event) => setPolicy(event.target.value)}>
            <option value="">that of this server</option>
            ${facts.saved.length > 0 &&
            html`<optgroup label="Saved">
              ${facts.saved.map((name) => html`<option value=${name}>${name}</option>`)}
            </optgroup>`}
            <optgroup label="Shipped">
              ${facts.shipped.map((name) => html`<option value=${name}>${name}</option>`)}
            </optgroup>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked=${onePatient}
            onChange=${(event) => setOnePatient(event.target.checked)}
          />
          All files are about one patient
        </label>
      </div>
      ${problems.length > 0 &&
      html`<div class="problem" role="alert">
        <p>Not read:</p>
        <ul>
          ${problems.map((one) => html`<li>${one.name}: ${one.problem}</li>`)}
        </ul>
      </div>`}
      <div class="others">
        <button disabled=${Boolean(busy)} onClick=${() =>
          make("/api/lists", { title: "Sample notes", sample: true, policy })}>
          Open sample notes
        </button>
        ${facts.quarantine &&
        html`<button disabled=${Boolean(busy)} onClick=${() => make("/api/lists/quarantine", { policy })}>
          Open quarantine
        </button>`}
      </div>
      ${facts.risk &&
      html`<${StreamChoice} busy=${busy} make=${(body) => make("/api/lists/risk", { ...body, policy })} />`}
    </section>
  `;
}

// The page of the list has no room for all of them, and this one is gone when it opens.
function tellProblems(problems) {
  const shown = problems.slice(0, 5).map((one) => `${one.name}: ${one.problem}`);
  const more = problems.length - shown.length;
  return ["Not read:", ...shown, ...(more ? [`and ${more} more`] : [])].join("\n");
}

const SPANS = { 1: "the last hour", 24: "the last day", 168: "the last week", 720: "the last 30 days" };

function StreamChoice({ busy, make }) {
  const [levels, setLevels] = useState("red yellow");
  const [hours, setHours] = useState("24");
  return html`<form
    class="row stream"
    onSubmit=${(event) => {
      event.preventDefault();
      make({ levels: levels.split(" "), hours: Number(hours) });
    }}
  >
    <label>
      Notes of the stream
      <select value=${levels} onChange=${(event) => setLevels(event.target.value)}>
        <option value="red yellow">red and yellow</option>
        <option value="red">red alone</option>
        <option value="yellow">yellow alone</option>
      </select>
    </label>
    <label>
      Written in
      <select value=${hours} onChange=${(event) => setHours(event.target.value)}>
        ${Object.keys(SPANS).map((name) => html`<option value=${name}>${SPANS[name]}</option>`)}
      </select>
    </label>
    <button disabled=${Boolean(busy)}>Open notes of the stream</button>
  </form>`;
}

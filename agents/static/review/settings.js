// The policy of a list as a form: technique, model, operator of each label, dictionaries.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { inWords, withLabels } from "/static/review/parts.js";
import { get, post, put, take } from "/static/review/server.js";

const TECHNIQUES = {
  surrogate: "Replace by realistic surrogates",
  redact: "Replace by labels",
  "kneo-sentences": "For training: surrogates, then each sentence by a near one",
  "kneo-notes": "For training: every sentence by one of a similar note",
  "kneo-words": "For training: labels, then each word by a near one",
};
const PROFILES = {
  strict: "Strict: least is overlooked",
  balanced: "Balanced",
  precise: "Precise: least is flagged for nothing",
};
const TAGGERS = {
  accurate: "Accurate model",
  fast: "Fast model",
  none: "Rules and dictionaries alone",
};

export function SettingsView({ list, tools, changed }) {
  const { facts, say, complain, setFacts } = tools;
  const [form, setForm] = useState(null);
  const [marked, setMarked] = useState({ allow: 0, deny: 0 });
  const [mistakes, setMistakes] = useState([]);
  const [busy, setBusy] = useState(false);
  const bases = useRef(0);
  const [saving, setSaving] = useState({ name: "", marked: false });

  useEffect(() => {
    get(`/api/lists/${list.id}/settings`).then((found) => {
      setMarked(found.marked);
      delete found.marked;
      setForm(found);
    }, complain);
  }, []);

  const change = (name) => (event) => setForm({ ...form, [name]: event.target.value });
  const rebase = (event) => {
    bases.current += 1;
    const mine = bases.current;
    const found = get(`/api/policies/${event.target.value}`);
    return found.then((policy) => bases.current === mine && setForm(policy), complain);
  };
  const operate = (label, operator) => {
    const operators = { ...form.operators };
    if (operator) operators[label] = operator;
    else delete operators[label];
    setForm({ ...form, operators });
  };
  // The labels of the policy are its file's, and are not changed here.
  const sent = () => {
    const { labels, ...rest } = form;
    return rest;
  };
  const attempt = async (act) => {
    setMistakes([]);
    setBusy(true);
    try {
      await act();
    } catch (error) {
      if (error.mistakes && error.mistakes.length) setMistakes(error.mistakes);
      else complain(error);
    }
    setBusy(false);
  };
  const apply = (event) => {
    event.preventDefault();
    return attempt(async () => {
      const found = await put(`/api/lists/${list.id}/settings`, sent());
      // What was changed while the server answered stays in the form.
      setForm((now) => (now === form ? found : now));
      say("Saved for this list. All its notes are run again.");
      changed();
    });
  };
  const save = (event) => {
    event.preventDefault();
    return attempt(async () => {
      await put(`/api/lists/${list.id}/settings`, sent());
      const found = await post(`/api/lists/${list.id}/policy`, saving);
      setFacts({ ...facts, saved: found.saved });
      say(`Saved as policy ${found.name}.`);
      changed();
    });
  };

  if (!form) return html`<p class="loading" role="status">Loading</p>`;
  const known = withLabels(facts, form.labels);
  const groups = [...new Set(known.labels.map((one) => one.group))];
  const own = facts.techniques[form.technique];
  return html`<div class="settings">
    <form onSubmit=${apply}>
      <section class="card" aria-labelledby="how-title">
        <h2 id="how-title">How PHI is found and replaced</h2>
        <div class="grid">
          <label>
            Start from
            <select value=${form.base} onChange=${rebase}>
              ${![...facts.saved, ...facts.shipped].includes(form.base) && html`<option value=${form.base}>${form.base}</option>`}
              ${facts.saved.length > 0 && html`<optgroup label="Saved">${facts.saved.map((name) => html`<option value=${name}>${name}</option>`)}</optgroup>`}
              <optgroup label="Shipped">${facts.shipped.map((name) => html`<option value=${name}>${name}</option>`)}</optgroup>
            </select>
          </label>
          <${Choice} title="Technique" options=${TECHNIQUES} value=${form.technique} change=${change("technique")} />
          <${Choice} title="Profile" options=${PROFILES} value=${form.profile} change=${change("profile")} />
          <${Choice} title="Model" options=${TAGGERS} value=${form.tagger} change=${change("tagger")} />
          <${Choice} title="Labels are written" options=${{ label: "[PATIENT]", xxx: "XXX-Name" }} value=${form.redact_style} change=${change("redact_style")} />
        </div>
      </section>
      <section class="card" aria-labelledby="labels-title">
        <h2 id="labels-title">What becomes of each label</h2>
        <p class="quiet">Labels in bold identify a person alone. “keep” leaves the original in the text.</p>
        <div class="labels">
          ${groups.map(
            (group) => html`<fieldset>
              <legend>${group}</legend>
              ${known.labels
                .filter((one) => one.group === group)
                .map(
                  (one) => html`<label class=${one.direct ? "direct" : ""}>
                    <span>${inWords(one.name)}</span>
                    <select value=${form.operators[one.name] || ""} onChange=${(event) => operate(one.name, event.target.value)}>
                      <option value="">default (${(one.like !== one.name && form.operators[one.like]) || own[one.like]})</option>
                      ${one.operators.map((name) => html`<option value=${name}>${name}</option>`)}
                    </select>
                  </label>`,
                )}
            </fieldset>`,
          )}
        </div>
      </section>
      <${Dictionaries} form=${form} setForm=${setForm} facts=${known} />
      ${mistakes.length > 0 &&
      html`<div class="problem" role="alert"><p>This is not a policy yet:</p><ul>${mistakes.map((line) => html`<li>${line}</li>`)}</ul></div>`}
      <div class="apply"><button class="main" type="submit" disabled=${busy}>Apply and run all notes again</button></div>
    </form>
    <form class="card save" onSubmit=${save} aria-labelledby="save-title">
      <h2 id="save-title">Keep as a policy</h2>
      <div class="grid">
        <label>
          Name
          <input value=${saving.name} required pattern="[a-z0-9][a-z0-9_\\-]*" maxlength="64" title="small letters, digits, - and _" onInput=${(event) => setSaving({ ...saving, name: event.target.value })} />
        </label>
        <label class="check">
          <input type="checkbox" checked=${saving.marked} disabled=${!marked.allow && !marked.deny} onChange=${(event) => setSaving({ ...saving, marked: event.target.checked })} />
          With terms marked in this list (${marked.allow + marked.deny}), which may be names
        </label>
      </div>
      <div class="pair">
        <button type="submit" disabled=${busy}>Save policy</button>
        ${facts.saved.map(
          (name) => html`<button type="button" class="plain" onClick=${() => take(`/api/policies/${name}/file`)}>Download ${name}.toml</button>`,
        )}
      </div>
    </form>
  </div>`;
}

function Choice({ title, options, value, change }) {
  return html`<label>
    ${title}
    <select value=${value} onChange=${change}>
      ${Object.keys(options).map((name) => html`<option value=${name}>${options[name]}</option>`)}
    </select>
  </label>`;
}

function Dictionaries({ form, setForm, facts }) {
  const [label, setLabel] = useState("HOSPITAL");
  const read = async (event) => {
    const files = [...event.target.files];
    const terms = (await Promise.all(files.map((file) => file.text()))).join("\n");
    const lines = terms.split(/\r?\n/).map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
    event.target.value = "";
    // The form may have changed while the files were read.
    setForm((now) => {
      const before = label === "" ? now.allow : now.deny[label] || [];
      const after = [...new Set([...before, ...lines])];
      return label === "" ? { ...now, allow: after } : { ...now, deny: { ...now.deny, [label]: after } };
    });
  };
  const drop = (name) => {
    const deny = { ...form.deny };
    delete deny[name];
    setForm(name ? { ...form, deny } : { ...form, allow: [] });
  };
  return html`<section class="card" aria-labelledby="terms-title">
    <h2 id="terms-title">Your own dictionaries</h2>
    <p class="quiet">A text file with one term a line. A term is always of its label, or never PHI.</p>
    <div class="row">
      <label>
        Terms are
        <select value=${label} onChange=${(event) => setLabel(event.target.value)}>
          <option value="">never PHI</option>
          ${facts.labels.map((one) => html`<option value=${one.name}>always ${inWords(one.name)}</option>`)}
        </select>
      </label>
      <label class="button" for="dictionary">Add a file</label>
      <input id="dictionary" class="unseen" type="file" accept=".txt,text/plain" onChange=${read} />
    </div>
    <ul class="dictionaries">
      ${form.allow.length > 0 &&
      html`<li>never PHI: ${form.allow.length} ${form.allow.length === 1 ? "term" : "terms"} <button type="button" class="plain" onClick=${() => drop("")}>Remove<span class="unseen"> the terms that are never PHI</span></button></li>`}
      ${Object.keys(form.deny).map(
        (name) => html`<li>${inWords(name)}: ${form.deny[name].length} ${form.deny[name].length === 1 ? "term" : "terms"} <button type="button" class="plain" onClick=${() => drop(name)}>Remove<span class="unseen"> the terms of ${inWords(name)}</span></button></li>`,
      )}
    </ul>
  </section>`;
}

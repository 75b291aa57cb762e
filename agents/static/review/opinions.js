// The second opinion: how far two readers are, how they agree, and what holds where they differ.

import { html, useEffect, useState } from "/static/vendor/htm-preact.js";
import { groupOf, inWords } from "/static/review/parts.js";
import { get, post, put } from "/static/review/server.js";

const kappa = (one) => (one.kappa === null ? "–" : one.kappa.toFixed(2));
const bounds = (one) => (one.kappa === null ? "–" : `${one.low.toFixed(2)} to ${one.high.toFixed(2)}`);

export function OpinionsView({ list, tools, reload, show }) {
  const { complain, say } = tools;
  const [found, setFound] = useState(null);
  const base = `/api/lists/${list.id}/opinions`;
  const load = () => get(base).then(setFound, complain);
  useEffect(() => {
    load();
  }, []);
  const end = async () => {
    if (!window.confirm("End the blind reading? What both have accepted by now is compared; the other notes can be shared again.")) return;
    await post(`${base}/end`).catch(complain);
    await load();
    reload();
  };
  const decide = async (note, choices) => {
    try {
      await put(`${base}/${note.number}`, { choices });
      say("Decided. The note is run again.");
    } catch (error) {
      complain(error);
    }
    await load();
    reload();
  };
  if (!found) return html`<p class="loading" role="status">Loading</p>`;
  if (!found.reading.length && !found.compared) {
    return html`<div class="downloads"><section class="card">
      <h2>Second opinion</h2>
      <p class="quiet">No note of this list is read by two. Under <i>Share the list</i>, beside the notes, choose how many are.</p>
    </section></div>`;
  }
  return html`<div class="downloads opinions">
    ${found.reading.length > 0 &&
    html`<section class="card" aria-labelledby="reading-title">
      <h2 id="reading-title">Being read</h2>
      <ul>
        ${found.reading.map((one) => html`<li key=${one.name}>${one.name}: ${one.read} of ${one.notes} notes accepted</li>`)}
      </ul>
      <p class="quiet">Each reader has a list of their own. What they say is shown when both have accepted every note.</p>
      <button onClick=${end}>End now</button>
    </section>`}
    ${found.compared > 0 &&
    html`<section class="card" aria-labelledby="agreement-title">
      <h2 id="agreement-title">Agreement</h2>
      <p>
        ${found.compared} ${found.compared === 1 ? "note" : "notes"} read by two; ${found.alike} of them alike.
        Kappa over all labels: <b>${kappa(found.overall)}</b> (${bounds(found.overall)}).
      </p>
      <table aria-label="Agreement by label">
        <thead><tr><th scope="col">Label</th><th scope="col">kappa</th><th scope="col">95 % interval</th></tr></thead>
        <tbody>
          ${found.labels.map(
            (one) => html`<tr key=${one.label}><th scope="row">${inWords(one.label)}</th><td>${kappa(one)}</td><td>${bounds(one)}</td></tr>`,
          )}
        </tbody>
      </table>
      <p class="quiet small">
        1: always the same, 0: as by chance; of ${found.overall.words} words. Both begin with what the pipeline finds, which
        lifts kappa.
      </p>
    </section>`}
    ${found.disputed.map((note) => html`<${Dispute} key=${note.number} note=${note} facts=${tools.facts} decide=${decide} show=${show} />`)}
  </div>`;
}

function Dispute({ note, facts, decide, show }) {
  const [choices, setChoices] = useState(note.places.map(() => null));
  const choose = (place, option) => setChoices(choices.map((one, at) => (at === place ? option : one)));
  return html`<section class="card" aria-label=${`Differences in ${note.name}`}>
    <h2>${note.name}</h2>
    ${note.decided
      ? html`<p class="quiet">Decided.</p>`
      : html`<form
          onSubmit=${(event) => {
            event.preventDefault();
            decide(note, choices);
          }}
        >
          ${note.places.map(
            (place, at) => html`<fieldset key=${at}>
              <legend>${at + 1} of ${note.places.length}</legend>
              <p class="context">${place.before}<b>${place.text}</b>${place.after}</p>
              ${place.options.map(
                (option, number) => html`<label class="check" key=${number}>
                  <input
                    type="radio"
                    name=${`place-${note.number}-${at}`}
                    checked=${choices[at] === number}
                    onChange=${() => choose(at, number)}
                  />
                  <span>
                    ${option.length
                      ? option.map((one) => html`${one.text} <span class=${`chip ${groupOf(facts, one.label)}`}>${inWords(one.label)}</span>${" "}`)
                      : "no identifier"}
                  </span>
                </label>`,
              )}
            </fieldset>`,
          )}
          <button class="main" disabled=${choices.includes(null)}>Decide</button>
        </form>`}
    <button class="plain" onClick=${() => show(note.number)}>Look at the note</button>
  </section>`;
}

// What can be taken along: outputs, and what the verdicts have made.

import { html } from "/static/vendor/htm-preact.js";
import { take } from "/static/review/server.js";

export function DownloadsView({ list, tools }) {
  const reviewer = tools.visit.role === "reviewer";
  const base = `/api/lists/${list.id}`;
  const outputs = list.rows.filter((row) => row.level && row.level !== "held back").length;
  const judged = list.rows.filter((row) => row.verdict !== "open").length;
  const labelled = () => {
    if (window.confirm("This file holds originals of notes. Keep it where the notes are kept.")) {
      take(`${base}/labelled.jsonl`);
    }
  };
  return html`<div class="downloads">
    <section class="card" aria-labelledby="outputs-title">
      <h2 id="outputs-title">Outputs</h2>
      <p class="quiet">Notes that have an output: ${outputs} of ${list.notes}. Files are named by pseudonyms.</p>
      <div class="pair">
        <button class="main" disabled=${!outputs} onClick=${() => take(`${base}/outputs.zip`)}>All as files (zip)</button>
        <button disabled=${!outputs} onClick=${() => take(`${base}/outputs.jsonl`)}>All as records (JSONL)</button>
      </div>
      ${reviewer &&
      html`<p class="quiet">Which output is of which file. <b>Names of files may be those of patients.</b></p>
        <button onClick=${() => take(`${base}/names.csv`)}>Table of names (CSV)</button>`}
    </section>
    ${reviewer &&
    html`<section class="card" aria-labelledby="verdicts-title">
      <h2 id="verdicts-title">What your verdicts have made</h2>
      <p class="quiet">
        Terms that were marked for all occurrences, as lists that a policy names
        with <code>dictionaries</code> and <code>allow_files</code>. They may be names of people.
      </p>
      <button onClick=${() => take(`${base}/terms.zip`)}>Lists of terms (zip)</button>
      <p class="quiet">
        Accepted and corrected notes (${judged}) as labelled notes, for <code>deidstream train</code>${" "}
        and <code>deidstream evaluate</code>. <b>The file holds originals.</b>
      </p>
      <button disabled=${!judged} onClick=${labelled}>Labelled notes (JSONL)</button>
    </section>`}
  </div>`;
}

// Small parts that several views share.

import { html } from "/static/vendor/htm-preact.js";

export const LEVEL_NAMES = {
  "held back": "held back",
  red: "red",
  yellow: "yellow",
  green: "green",
  waiting: "in work",
};
const SIGNS = { "held back": "■", red: "▲", yellow: "◆", green: "●", waiting: "…" };

export function Level({ level }) {
  const name = level || "waiting";
  return html`<span class=${`level ${name.replace(" ", "-")}`}>
    <span aria-hidden="true">${SIGNS[name]}</span> ${LEVEL_NAMES[name]}
  </span>`;
}

export function Levels({ levels }) {
  return html`<span class="levels">
    ${Object.keys(LEVEL_NAMES)
      .filter((name) => levels[name])
      .map(
        (name) => html`<span class=${`level ${name.replace(" ", "-")}`} key=${name}>
          <span aria-hidden="true">${SIGNS[name]}</span> ${levels[name]} ${LEVEL_NAMES[name]}
        </span>`,
      )}
  </span>`;
}

// What was reported, decided and drawn at a place, in the order in which it came about.
export function Reasons({ place }) {
  if (!place || !place.lines.length) return null;
  return html`<dl class="reasons">
    ${place.lines.map((one, number) => html`<div key=${number}><dt>${one.about}</dt><dd>${one.text}</dd></div>`)}
  </dl>`;
}

const WORDS = {
  MEDICALRECORD: "medical record",
  HEALTHPLAN: "health plan",
  LOCATION_OTHER: "other place",
  BIOID: "biometric id",
  IDNUM: "id number",
  IPADDR: "IP address",
  SSN: "SSN",
  ZIP: "ZIP",
  URL: "URL",
};

export function inWords(label) {
  return WORDS[label] || label.toLowerCase().replaceAll("_", " ");
}

// What a page knows of labels, with those of the policy of a list.
export function withLabels(facts, own) {
  return { ...facts, labels: [...facts.labels, ...own] };
}

// The colours of a label follow from its group, as in DeIDClinic; its name is always shown too.
const GROUPS = { Name: "name", Profession: "profession", Location: "place", Age: "age", Date: "date", Contact: "contact", ID: "id" };

export function groupOf(facts, label) {
  const found = facts.labels.find((one) => one.name === label);
  return `g-${found ? GROUPS[found.group] : "id"}`;
}

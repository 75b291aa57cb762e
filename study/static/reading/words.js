// A note in words: found identifiers are crossed out, plain words can be picked by keys or pointer.

import { html, useEffect, useRef } from "/static/vendor/htm-preact.js";
import { groupOf, inWords } from "/static/review/parts.js";

export const KEYS = {
  n: "PATIENT",
  s: "DOCTOR",
  d: "DATE",
  a: "AGE",
  h: "HOSPITAL",
  g: "ORGANIZATION",
  l: "CITY",
  r: "STREET",
  z: "ZIP",
  p: "LOCATION_OTHER",
  c: "PHONE",
  e: "EMAIL",
  i: "IDNUM",
  m: "MEDICALRECORD",
  o: "PROFESSION",
};

// Pieces in order: found identifiers, words, and what is between them; offsets are code points.
export function cutPieces(segments) {
  const pieces = [];
  for (const segment of segments) {
    if (segment.label !== undefined) {
      pieces.push({ start: segment.at, end: segment.at + [...segment.text].length, text: segment.text, found: segment });
      continue;
    }
    let at = segment.at;
    for (const text of segment.text.match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu) || []) {
      const length = [...text].length;
      pieces.push({ start: at, end: at + length, text, word: /[\p{L}\p{N}]/u.test(text) });
      at += length;
    }
  }
  return pieces;
}

export const touches = (one, other) => one.start < other.end && other.start < one.end;

export function Sheet({ pieces, picked, marks, facts, pick, title }) {
  const sheet = useRef(null);
  useEffect(() => {
    const first = sheet.current.querySelector(".picked");
    if (first) first.scrollIntoView({ block: "nearest" });
  }, [picked && picked.start, picked && picked.end]);
  useEffect(() => sheet.current.focus({ preventScroll: true }), [pieces]);
  return html`<div class="sheet" tabindex="0" role="group" aria-label=${title} ref=${sheet}>
    ${pieces.map((piece) => {
      if (piece.found) {
        return html`<span key=${piece.start} class=${`found ${piece.found.stays ? "stays" : ""}`} title=${inWords(piece.found.label)}>${piece.text}</span>`;
      }
      const mark = marks.find((one) => touches(one, piece));
      const within = picked && touches(picked, piece);
      if (!piece.word && !mark && !within) return html`<span key=${piece.start}>${piece.text}</span>`;
      const last = mark && mark.end <= piece.end;
      const classes = [piece.word && "word", mark && groupOf(facts, mark.label || "IDNUM"), mark && last && "marked", within && "picked"];
      return html`<span
        key=${piece.start}
        class=${classes.filter(Boolean).join(" ")}
        data-start=${piece.start}
        data-label=${mark && last ? inWords(mark.label || "?") : undefined}
        onClick=${(event) => piece.word && pick(piece, event.shiftKey)}
      >${piece.text}</span>`;
    })}
  </div>`;
}

// The word that is nearest in the line above or below.
export function findVertical(words, from, step) {
  const box = (word) => document.querySelector(`[data-start="${word.start}"]`).getBoundingClientRect();
  const here = box(from);
  let best = null;
  for (const word of words) {
    const there = box(word);
    const away = (there.top - here.top) * step;
    if (away < 4) continue;
    const cost = [Math.round(away), Math.abs(there.left - here.left)];
    if (!best || cost[0] < best.cost[0] - 4 || (Math.abs(cost[0] - best.cost[0]) <= 4 && cost[1] < best.cost[1])) best = { word, cost };
  }
  return best && best.word;
}

export function KeyList({ rows }) {
  return html`<dl>${rows.map(([keys, what]) => html`<div key=${keys}><dt>${keys.split(" ").map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>`;
}

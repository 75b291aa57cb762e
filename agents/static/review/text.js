// A text in segments: coloured by label, with a roving focus, and with selections in code points.
// A tip at the span that is pointed at, or has the focus, says why it is there.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Reasons, groupOf, inWords } from "/static/review/parts.js";

const LINGERS = 150; // milliseconds in which the pointer gets from a span to its tip
const EDGE = 12;
const ROOM = 180; // pixels that a tip with its reasons mostly takes

export function describe(segment) {
  if (segment.tells) return `tells what others may know the person by: ${inWords(segment.suspect)}`;
  if (segment.suspect) return `suspect: may be a ${segment.suspect.toLowerCase()} that was overlooked`;
  const found = segment.source ? `found by ${segment.source}` : "";
  const score = segment.score === undefined ? "" : `score ${segment.score.toFixed(2)}`;
  return [inWords(segment.label), found, score, segment.operator].filter(Boolean).join(" · ");
}

export function TextPane({ title, segments, runs, facts, lit, light, choose, select, own, why }) {
  const [tip, setTip] = useState(null);
  const leaving = useRef(0);
  const spans = segments.filter((one) => (one.label && !one.cleared) || one.suspect);
  const [current, setCurrent] = useState(0);
  const place = useRef(null);
  const refer = (element) => {
    place.current = element;
    if (own) own.current = element;
  };

  const stay = () => clearTimeout(leaving.current);
  const point = (segment, element) => {
    stay();
    light(segment.id);
    if (why && !segment.suspect) why.ask();
    setTip({ at: segment.at, style: placeTip(element.getClientRects()[0]) });
  };
  const close = () => {
    stay();
    setTip(null);
  };
  // The focus may have moved the text: its tip goes along.
  const scroll = () => {
    const focused = place.current.querySelector("mark:focus");
    if (tip && focused && focused.dataset.at === String(tip.at)) {
      setTip({ ...tip, style: placeTip(focused.getClientRects()[0]) });
    } else {
      close();
    }
  };
  const leave = () => {
    stay();
    leaving.current = setTimeout(close, LINGERS);
  };
  const walk = (event, segment) => {
    const index = spans.indexOf(segment);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape" && tip) {
      event.preventDefault();
      close();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(segment);
    } else if (steps[event.key]) {
      event.preventDefault();
      const next = Math.min(Math.max(index + steps[event.key], 0), spans.length - 1);
      setCurrent(next);
      place.current.querySelectorAll("mark[role=button]")[next].focus();
    }
  };
  const released = () => {
    const found = select && readSelection(place.current);
    if (found) select(found);
  };
  // A note that comes once more from the server, as it was, keeps its tip: no pointer enters again.
  useEffect(close, [runs]);
  useEffect(() => stay, []);
  const told = tip && spans.find((one) => one.at === tip.at);
  const tipId = `tip-${title.toLowerCase()}`;

  return html`
    <section class=${`pane ${title.toLowerCase()}`} aria-label=${title}>
      <h3>${title}</h3>
      <div class="text" tabindex="0" role="group" aria-label=${`${title}, text`} ref=${refer} onMouseUp=${released} onKeyUp=${(event) => event.key === "Shift" && released()} onScroll=${scroll}>
        ${segments.map((one) =>
          one.label === undefined && !one.suspect
            ? html`<span key=${`t${one.at}`} data-at=${one.at}>${one.text}</span>`
            : one.cleared
              ? html`<span key=${`c${one.at}`} class="cleared" title="removed by a reviewer" data-at=${one.at}>${one.text}</span>`
              : html`<mark
                  key=${`m${one.at}`}
                  class=${one.suspect ? "suspect" : `${groupOf(facts, one.label)} ${lit === one.id ? "lit" : ""}`}
                  role="button"
                  tabindex=${spans[current] === one || (!spans[current] && spans[0] === one) ? "0" : "-1"}
                  data-at=${one.at}
                  data-span=${one.id}
                  data-label=${one.suspect ? "?" : inWords(one.label)}
                  aria-label=${`${one.text}: ${describe(one)}`}
                  aria-describedby=${told === one ? tipId : undefined}
                  onClick=${() => window.getSelection().isCollapsed && choose(one)}
                  onKeyDown=${(event) => walk(event, one)}
                  onMouseEnter=${(event) => point(one, event.currentTarget)}
                  onMouseLeave=${leave}
                  onFocus=${(event) => {
                    setCurrent(spans.indexOf(one));
                    point(one, event.currentTarget);
                  }}
                  onBlur=${leave}
                ><span class="words">${one.text}</span></mark>`,
        )}
      </div>
      ${told &&
      html`<div class="tip" id=${tipId} role="tooltip" style=${tip.style} onMouseEnter=${stay} onMouseLeave=${leave}>
        <p>${describe(told)}</p>
        ${told.suspect
          ? html`<ul class="tells">${told.why.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`
          : html`<${Reasons} place=${why && why.find(told)} />`}
      </div>`}
    </section>
  `;
}

// Below a box of the window; above it, and over the form, only if there is no room.
function placeTip(box) {
  const below = window.innerHeight - box.bottom;
  const side = below < ROOM && box.top > below ? { bottom: `${window.innerHeight - box.top}px` } : { top: `${box.bottom}px` };
  return { ...side, maxHeight: `${(side.top ? below : box.top) - EDGE}px`, "--left": `${box.left}px` };
}

// Code points from the beginning of the text; JavaScript itself counts UTF-16 units.
function codePoint(node, offset) {
  const text = node.nodeType === Node.TEXT_NODE ? node : node.childNodes[offset] || node;
  const holder = (text.nodeType === Node.TEXT_NODE ? text.parentElement : text).closest("[data-at]");
  if (!holder) return null;
  const read = node.nodeType === Node.TEXT_NODE ? [...node.data.slice(0, offset)].length : 0;
  return Number(holder.dataset.at) + read;
}

export function readSelection(place) {
  const selection = window.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!place.contains(range.startContainer) || !place.contains(range.endContainer)) return null;
  const text = range.toString();
  const start = codePoint(range.startContainer, range.startOffset);
  const wanted = text.trim();
  if (start === null || !wanted) return null;
  const begin = start + [...text.slice(0, text.indexOf(wanted[0]))].length;
  return { start: begin, end: begin + [...wanted].length, text: wanted };
}

// Every place of a text in the original, in code points.
export function findPlaces(segments, wanted) {
  const text = segments.map((one) => one.text).join("");
  const places = [];
  if (!wanted) return places;
  const length = [...wanted].length;
  // Counted from place to place: a letter of a long note has thousands of them.
  let [read, start] = [0, 0];
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + 1)) {
    start += [...text.slice(read, from)].length;
    read = from;
    places.push({ start, end: start + length });
  }
  return places;
}

// Select the next place of a text in a pane, in whatever case, after the one that is selected.
export function selectNext(place, wanted) {
  const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  const found = [...place.textContent.matchAll(pattern)].map((one) => ({ start: one.index, end: one.index + one[0].length }));
  if (!found.length) return { count: 0, number: 0 };
  const selection = window.getSelection();
  const held = selection.rangeCount && place.contains(selection.getRangeAt(0).startContainer);
  const after = held ? unitsBefore(place, selection.getRangeAt(0)) : -1;
  const number = Math.max(found.findIndex((one) => one.start > after), 0);
  const range = document.createRange();
  range.setStart(...findUnit(place, found[number].start));
  range.setEnd(...findUnit(place, found[number].end));
  selection.removeAllRanges();
  selection.addRange(range);
  range.startContainer.parentElement.scrollIntoView({ block: "center" });
  return { count: found.length, number: number + 1 };
}

function unitsBefore(place, range) {
  const before = document.createRange();
  before.setStart(place, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return before.toString().length;
}

function findUnit(place, unit) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  let left = unit;
  let node = walker.nextNode();
  while (node && left > node.data.length) {
    left -= node.data.length;
    node = walker.nextNode();
  }
  return [node, left];
}

// Keep two panes at the same replaced span: between two of them, in proportion.
export function followScroll(left, right) {
  let leader = null;
  const lead = (pane) => () => {
    leader = pane;
  };
  const follow = (pane, other) => () => {
    if (leader !== pane) return;
    other.scrollTop = findTop(pane, other);
  };
  const undo = [];
  for (const [pane, other] of [[left, right], [right, left]]) {
    const events = { scroll: follow(pane, other), pointerenter: lead(pane), focusin: lead(pane), touchstart: lead(pane), wheel: lead(pane) };
    for (const [name, act] of Object.entries(events)) {
      pane.addEventListener(name, act, { passive: true });
      undo.push(() => pane.removeEventListener(name, act));
    }
  }
  return () => undo.forEach((act) => act());
}

function findTop(pane, other) {
  const tops = (place) => {
    const found = new Map();
    for (const mark of place.querySelectorAll("mark[data-span]")) {
      found.set(mark.dataset.span, mark.offsetTop - place.offsetTop);
    }
    return found;
  };
  const [own, theirs] = [tops(pane), tops(other)];
  const pairs = [[0, 0], ...[...own].filter(([id]) => theirs.has(id)).map(([id, top]) => [top, theirs.get(id)]), [pane.scrollHeight, other.scrollHeight]];
  const y = pane.scrollTop;
  if (y + pane.clientHeight >= pane.scrollHeight - 1) return other.scrollHeight;
  const after = pairs.findIndex(([top]) => top > y);
  if (after <= 0) return 0;
  const [[a, b], [c, d]] = [pairs[after - 1], pairs[after]];
  return b + ((y - a) / Math.max(c - a, 1)) * (d - b);
}

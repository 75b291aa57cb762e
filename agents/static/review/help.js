// The keys, in a dialog.

import { html, useEffect, useRef } from "/static/vendor/htm-preact.js";

const KEYS = [
  ["n, j", "next note"],
  ["p, k", "previous note"],
  ["o", "next note to review"],
  ["/", "find in the text; Enter: the next place"],
  ["Tab", "to the texts, then to their spans"],
  ["← →", "from span to span"],
  ["Enter", "choose a span"],
  ["Esc", "close what is open"],
  ["?", "these keys"],
];
const EDITS = [
  ["s", "next suspect: what may have been overlooked"],
  ["m", "mark text by typing it"],
  ["1 to 9", "choose a label, of a span or of what is marked"],
  ["Enter", "mark as before: all occurrences or this one"],
  ["a", "accept the note, and go to the next one"],
  ["u", "undo the last edit"],
];

export function HelpDialog({ open, close, reviewer }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  return html`<dialog ref=${dialog} onClose=${close} aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl>
      ${[...(reviewer ? EDITS : []), ...KEYS].map(
        ([key, text]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`,
      )}
    </dl>
    <button class="main" onClick=${() => dialog.current.close()}>Close</button>
  </dialog>`;
}

// Shows the figures of a worker and its group; asks for them every two seconds.
"use strict";

const EVERY_MS = 2000;
const STALE_MS = 8000;
const TOKEN = "deidstream-ops-token";
const NONE = "–";
const byId = (id) => document.getElementById(id);

let token = sessionStorage.getItem(TOKEN) || "";
let answeredAt = 0;

// ---- Words and numbers

const number = (value, digits = 0) =>
  value === null || value === undefined
    ? NONE
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const speed = (value) => number(value, value < 10 ? 2 : 1);
const share = (value, digits = 0) =>
  value === null || value === undefined ? NONE : `${number(100 * value, digits)} %`;

function seconds(value) {
  if (value === null || value === undefined) return NONE;
  if (value < 0.9995) return `${number(1000 * value)} ms`;
  if (value < 99.5) return `${number(value, value < 9.95 ? 1 : 0)} s`;
  if (value < 5400) return `${number(value / 60)} min`;
  return value < 172800 ? `${number(value / 3600, 1)} h` : `${number(value / 86400, 1)} d`;
}

function bytes(value) {
  return value >= 2 ** 30 ? `${number(value / 2 ** 30, 1)} GiB` : `${number(value / 2 ** 20, 1)} MiB`;
}

const PLAIN = {
  IDNUM: "id number", MEDICALRECORD: "medical record", HEALTHPLAN: "health plan", IPADDR: "IP address",
  SSN: "SSN", URL: "URL", BIOID: "biometric id",
};
const inWords = (code) => PLAIN[code] || code.toLowerCase().replaceAll("_", " ");

// ---- Elements

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value;
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function picture(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A box that can be scrolled keeps its place, and its focus, when its figures change.
function show(id, ...children) {
  byId(id).replaceChildren(...children);
}

function bar(part, whole) {
  const inner = element("i");
  inner.style.width = `${whole ? (100 * part) / whole : 0}%`;
  return element("td", { class: "bar", "aria-hidden": "true" }, inner);
}

// Rows are arrays of cells: text, or an element that is itself a cell.
function table(caption, headings, rows) {
  const head = element("tr", {}, ...headings.map((each) =>
    element("th", { scope: "col", class: each === "" ? "bar" : "" }, each)));
  const body = rows.map(([first, ...rest]) =>
    element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell) =>
      cell instanceof HTMLTableCellElement ? cell : element("td", {}, cell))));
  return element("table", { "aria-label": caption },
    element("thead", {}, head), element("tbody", {}, ...body));
}

function showTable(id, caption, headings, rows) {
  let box = byId(id).querySelector(".wide");
  if (!box) {
    box = element("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": caption });
    show(id, box);
  }
  box.replaceChildren(table(caption, headings, rows));
}

const say = (text) => element("p", { class: "say" }, text);

// ---- The parts of the page

function showConcerns(concerns) {
  const items = concerns.map((each) =>
    element("li", { class: each.severity },
      element("b", {}, each.severity === "alarm" ? "Alarm" : "Warning"),
      `${each.text} `,
      element("small", {}, `(runbook: ${each.runbook})`)));
  const said = items.map((item) => item.textContent).join();
  const list = byId("concerns");
  // A screen reader is told of a change, not of every answer.
  if (list.dataset.said === said) return;
  list.dataset.said = said;
  list.replaceChildren(...(items.length ? items : [element("li", { class: "good" }, "Nothing.")]));
}

function tile(name, value, under, state = "") {
  return element("div", {}, element("dt", {}, name),
    element("dd", {}, element("b", { class: state }, value), element("small", {}, under)));
}

function showTiles(group) {
  const late = group.latency_seconds;
  const failed = group.notes.quarantined || 0;
  show("tiles",
    tile("Notes per second", speed(group.notes_per_second), `${number(group.totals.emitted || 0)} since start`),
    tile("Unread", number(group.lag), `${number(group.in_flight)} in work`),
    tile("Oldest unread", group.lag ? seconds(group.oldest_seconds) : NONE,
      group.lag ? "since it was sent" : "nothing waits", group.oldest_seconds > 60 ? "bad" : ""),
    tile("Latency, median", seconds(late.p50), `1 in 20 takes ${seconds(late.p95)} or longer`),
    tile("Slowest 1 in 100", seconds(late.p99), "or longer, from sending to confirmed"),
    tile("Batch fill", share(group.batch_fill), `${number(group.batch_notes, 1)} notes each`),
    tile("Quarantined", number(failed), `${share(group.quarantine_share, 2)} of notes`,
      group.quarantine_share > 0.01 ? "bad" : ""),
    tile("Workers", number(group.workers), `${number(group.partitions)} partitions`));
}

// The ranges are told by their slots; each has the same number of them.
const RANGES = [
  { slot: 5, name: "15 minutes", marks: ["15 min ago", "10 min", "5 min", "now"] },
  { slot: 20, name: "1 hour", marks: ["1 h ago", "40 min", "20 min", "now"] },
  { slot: 120, name: "6 hours", marks: ["6 h ago", "4 h", "2 h", "now"] },
  { slot: 480, name: "24 hours", marks: ["24 h ago", "18 h", "12 h", "6 h", "now"] },
];
const RANGE = "deidstream-ops-range";
let range = RANGES.find((each) => String(each.slot) === sessionStorage.getItem(RANGE)) || RANGES[0];
let plots = [];
let plot = null;
// When the slot began that is looked at, in seconds: it moves along with the chart.
let looked = null;

function showRanges() {
  byId("ranges").replaceChildren(...RANGES.map((each) => {
    const button = element("button", { type: "button" }, each.name);
    button.setAttribute("aria-pressed", each === range ? "true" : "false");
    button.addEventListener("click", () => {
      range = each;
      looked = null;
      sessionStorage.setItem(RANGE, String(each.slot));
      for (const one of byId("ranges").children) one.setAttribute("aria-pressed", one === button ? "true" : "false");
      showPlot();
    });
    return button;
  }));
}

const clock = (at) => new Date(1000 * at).toLocaleTimeString([], range.slot < 60 ? {} : { hour: "2-digit", minute: "2-digit" });

function showPlot() {
  const found = plots.find((each) => each.slot_seconds === range.slot);
  if (!found) return;
  const slot = found.slot_seconds;
  const rates = found.notes.map((notes) => (notes === null ? null : notes / slot));
  const known = rates.filter((rate) => rate !== null);
  const most = Math.max(0, ...known);
  const top = most > 0 ? niceCeiling(most) : 1;
  const wide = rates.length - 1;
  plot = { rates, notes: found.notes, slot, top, wide, begin: found.until - rates.length * slot };
  const shapes = [50, 99.6].map((y) => picture("line", { class: "grid", x1: 0, x2: wide, y1: y, y2: y }));
  for (const part of knownParts(rates)) {
    const points = part.map((at) => `${at},${(100 - (100 * rates[at]) / top).toFixed(2)}`).join(" ");
    shapes.push(picture("polygon", { class: "area", points: `${part[0]},100 ${points} ${part[part.length - 1]},100` }),
      picture("polyline", { class: "top", points }));
  }
  byId("plot-lines").setAttribute("viewBox", `0 0 ${wide} 100`);
  byId("plot-lines").replaceChildren(...shapes);
  byId("plot").setAttribute("aria-valuemax", wide);
  const digits = top < 10 ? 1 : 0;
  const axis = (id, words) => byId(id).replaceChildren(...words.map((word) => element("li", {}, word)));
  axis("plot-up", [number(top, digits), number(top / 2, digits), "0"]);
  axis("plot-along", range.marks);
  const mean = known.length ? known.reduce((sum, rate) => sum + rate, 0) / known.length : 0;
  const each = slot < 60 ? `${slot} seconds` : `${slot / 60} minutes`;
  const first = rates.findIndex((rate) => rate !== null);
  const since = first > 0 ? ` Counted since ${clock(plot.begin + first * slot)}.` : "";
  byId("plot-says").textContent = known.length
    ? `All workers, each point ${each}. Mean ${speed(mean)}, most ${speed(most)} notes per second.${since} Point at the chart, or choose it and use the arrow keys, for the figures of a time.`
    : `All workers, each point ${each}. The first point comes when ${each} are over.`;
  showPoint();
}

// The places with figures, in stretches without a gap.
function knownParts(rates) {
  const parts = [];
  rates.forEach((rate, at) => {
    if (rate === null) return;
    if (at && rates[at - 1] !== null && parts.length) parts[parts.length - 1].push(at);
    else parts.push([at]);
  });
  return parts;
}

function showPoint() {
  const place = looked === null ? -1 : Math.round((looked - plot.begin) / plot.slot);
  const there = place >= 0 && place <= plot.wide;
  byId("plot-point").hidden = !there;
  // Who comes by the keyboard hears the newest point first.
  const at = there ? place : plot.wide;
  const from = plot.begin + at * plot.slot;
  const rate = plot.rates[at];
  const time = `${clock(from)} to ${clock(from + plot.slot)}`;
  const words = rate === null ? `${time}: no figures` : `${time}: ${speed(rate)} notes/s, ${number(plot.notes[at])} notes`;
  byId("plot").setAttribute("aria-valuenow", at);
  byId("plot").setAttribute("aria-valuetext", words);
  if (!there) return;
  const [line, label] = byId("plot-point").children;
  const along = `${(100 * at) / plot.wide}%`;
  line.style.left = along;
  label.style.left = along;
  // It leans to the other side at each end, and so never leaves the chart.
  label.style.transform = `translateX(-${(100 * at) / plot.wide}%)`;
  label.textContent = words;
}

function lookAt(place) {
  looked = plot.begin + Math.min(Math.max(place, 0), plot.wide) * plot.slot;
  showPoint();
}

function lookAway() {
  looked = null;
  if (plot) showPoint();
}

function followPointer(event) {
  if (!plot) return;
  const box = byId("plot").getBoundingClientRect();
  lookAt(Math.round((plot.wide * (event.clientX - box.left)) / box.width));
}

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
byId("plot").addEventListener("pointermove", followPointer);
byId("plot").addEventListener("pointerdown", followPointer);
byId("plot").addEventListener("pointerleave", () => document.activeElement === byId("plot") || lookAway());
byId("plot").addEventListener("blur", lookAway);
byId("plot").addEventListener("keydown", (event) => {
  if (event.key === "Escape") return lookAway();
  const step = STEPS[event.key];
  if (!plot || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  lookAt(looked === null && step !== -Infinity ? plot.wide : Math.round(((looked ?? plot.begin) - plot.begin) / plot.slot) + step);
});
showRanges();

function niceCeiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((step) => step * power).find((each) => each >= value);
}

function showLevels(levels) {
  const names = ["green", "yellow", "red"];
  const total = names.reduce((sum, name) => sum + (levels[name] || 0), 0);
  if (!total) return show("levels", say("No note came out in the last 15 minutes."));
  const stack = element("div", { class: "stack", "aria-hidden": "true" });
  for (const name of names) {
    const part = element("i", { class: name, title: `${name}: ${number(levels[name] || 0)} notes, ${share((levels[name] || 0) / total, 1)}` });
    part.style.width = `${(100 * (levels[name] || 0)) / total}%`;
    stack.append(part);
  }
  const rows = names.map((name) => {
    const first = element("span", {}, element("i", { class: `mark ${name}`, "aria-hidden": "true" }), name);
    return [first, number(levels[name] || 0), share((levels[name] || 0) / total, 1)];
  });
  show("levels", stack, table("Notes by risk level", ["Level", "Notes", "Share"], rows));
}

function showQuarantine(group) {
  const rows = Object.entries(group.quarantine);
  if (!rows.length) return show("quarantine", say("No note was quarantined in the last 15 minutes."));
  const most = Math.max(...rows.map(([, count]) => count));
  show("quarantine", table("Quarantined notes by reason", ["Reason", "Notes", ""],
    rows.map(([reason, count]) => [inWords(reason), number(count), bar(count, most)])));
}

function showStages(group) {
  const rows = Object.entries(group.stage_ms_a_note);
  if (!rows.length) return show("stages", say("No note was computed in the last 15 minutes."));
  const most = Math.max(...rows.map(([, ms]) => ms));
  const lanes = Object.entries(group.lanes_busy).map(([lane, busy]) => `${LANES[lane] || lane} ${share(busy)}`);
  show("stages",
    table("Milliseconds of a note in each stage", ["Stage", "ms a note", ""],
      rows.map(([stage, ms]) => [stage, number(ms, 1), bar(ms, most)])),
    say(`Share of the time in work (lanes): ${lanes.join(", ") || "none"}. They work side by side; near 100 % in one, a worker does as much as it can.`));
}

const LANES = { models: "passes of the models", text: "rules, surrogates and checks", long: "long notes" };
const ORIGINS = {
  claimed: "claimed: drawn for the first time",
  recalled: "recalled: known from an earlier note",
  shared: "shared: another worker was first",
  displaced: "displaced: not used, as the note itself has it",
};

function showSurrogates(group, workers) {
  const calls = Object.entries(group.redis_ms_a_call).filter(([, ms]) => ms !== null);
  const redis = (workers.find((each) => each.redis.memory_bytes) || workers[0]).redis;
  const limit = redis.memory_limit_bytes ? ` of ${bytes(redis.memory_limit_bytes)}` : ", no limit";
  show("surrogates",
    table("Surrogates by origin", ["Surrogates", "Number"],
      Object.entries(group.surrogates).map(([result, count]) => [ORIGINS[result] || result, number(count)])),
    say(`Redis: ${redis.away ? "away" : "there"}; ${redis.faults.length ? `faults: ${redis.faults.join(", ")}` : "no faults"}; ` +
      `memory ${redis.memory_bytes ? bytes(redis.memory_bytes) + limit : "not yet known"}` +
      `${redis.evicted ? `; ${number(redis.evicted)} keys evicted` : ""}.`),
    say(calls.length ? `Round trips: ${calls.map(([call, ms]) => `${call} ${number(ms, 1)} ms`).join(", ")}.` : "No round trips yet."));
}

const DRIFT = [
  [0.25, "bad", "alarm"],
  [0.1, "warn", "warning"],
  [-Infinity, "good", "stable"],
];

function driftBadge(window, psi) {
  if (psi === null) return element("span", { class: "badge" }, `${window}: too few notes to compare`);
  const [, state, word] = DRIFT.find(([least]) => psi >= least);
  return element("span", { class: `badge ${state}` }, `${window}: PSI ${number(psi, 3)}, ${word}`);
}

function showLabels(drift) {
  if (!drift) {
    show("drift", say("Drift is compared when the worker has reached Redis."));
    return show("labels");
  }
  show("drift", driftBadge("Last hour", drift.psi.hour), " ", driftBadge("Today", drift.psi.day), " ",
    element("span", { class: "say" }, `Compared with ${number(drift.notes.week)} notes of the seven days before today (UTC); PSI, the population stability index, says how far the shares have moved: from .1 on a warning, from .25 on an alarm.`));
  if (!drift.labels.length) return show("labels", say("Nothing was replaced yet."));
  const change = (row) => {
    const now = row.hour ?? row.day;
    if (now === null || !row.week) return NONE;
    const by = Math.round(100 * (now / row.week - 1));
    const words = `${by > 0 ? "+" : by < 0 ? "−" : ""}${number(Math.abs(by))} %`;
    const fell = row.ratio !== null && row.ratio < 0.5;
    return element("td", { class: fell ? "bad" : "" }, fell ? `fell: ${words}` : words);
  };
  showTable("labels", "Identifiers per 1,000 notes by label", ["Label", "last hour", "today", "last week", "change", "part of PSI"],
    drift.labels.map((row) => [inWords(row.label), number(row.hour), number(row.day), number(row.week), change(row), number(row.part, 3)]));
}

function standingState(standing, row) {
  if (row.lower > standing.claim) return ["bad", "over the plan"];
  if (row.upper <= standing.claim) return ["good", "within the plan"];
  if (row.read >= standing.needed) return ["warn", "not proved"];
  return ["", `${number(standing.needed - row.read)} more to read`];
}

function showStanding(standing) {
  if (!standing) {
    show("standing-says", "No readings of a standing sample are shown (deidstream validate follow).");
    show("standing");
    return show("standing-weeks");
  }
  const perThousand = (value) => number(1000 * value, 1);
  const kinds = (row) => row.note_type === "all" ? "all" : inWords(row.note_type);
  show("standing-says", `The plan: fewer than ${perThousand(standing.claim)} of 1,000 leak, at ${share(standing.confidence)}. ` +
    `Read up to ${standing.at} (UTC)${standing.disputed ? `; ${number(standing.disputed)} notes wait for the adjudicator` : ""}.`);
  const totals = standing.rows.filter((row) => !row.week);
  showTable("standing", "The last 13 weeks, by note type", ["Note type", "read", "leaking", "at least", "at most", "state"],
    totals.map((row) => {
      const [kind, word] = standingState(standing, row);
      return [kinds(row), number(row.read), number(row.leaking), perThousand(row.lower), perThousand(row.upper),
        element("td", {}, element("span", { class: kind }, word))];
    }));
  const weeks = standing.rows.filter((row) => row.week).reverse();
  if (!weeks.length) return show("standing-weeks");
  showTable("standing-weeks", "By week and note type", ["Week", "note type", "read", "leaking", "at most"],
    weeks.map((row) => [row.week, kinds(row), number(row.read), number(row.leaking), perThousand(row.upper)]));
}

function state(worker) {
  if (!worker.alive) return ["bad", "stalled"];
  if (worker.missing.length) return ["warn", `lacks ${worker.missing.join(", ")}`];
  return ["good", "ready"];
}

function showWorkers(workers) {
  showTable("workers", "Workers of this group",
    ["Worker", "state", "notes/s", "unread", "oldest", "median", "slowest 1 in 100", "batch fill", "models busy", "text busy", "partitions", "quarantined", "up"],
    workers.map((each) => {
      const [kind, word] = state(each);
      return [each.name, element("td", {}, element("span", { class: kind }, word)), speed(each.notes_per_second), number(each.lag),
        each.lag ? seconds(each.oldest_seconds) : NONE, seconds(each.latency_seconds.p50), seconds(each.latency_seconds.p99),
        share(each.batch_fill), share(each.lanes_busy.models), share(each.lanes_busy.text), number(each.partitions),
        number(each.totals.quarantined || 0), seconds(each.up_seconds)];
    }));
}

function showRuns(workers) {
  const digest = (text) => element("td", { class: "digest", title: text }, text ? text.slice(0, 12) + (text.includes(":") ? text.slice(text.lastIndexOf(":")) : "") : NONE);
  const rows = workers.flatMap((worker) => worker.runs.map((run) => [
    run.policy, digest(run.policy_sha256), run.version, digest(run.tagger), digest(run.index), run.key_version,
    element("td", { class: "words" }, worker.engine || NONE), worker.name]));
  if (!rows.length) return show("runs", say("Models are loading."));
  showTable("runs", "Policies, models, keys and engines", ["Policy", "digest", "version", "tagger", "index", "key", "engine", "worker"], rows);
}

function showAll(figures) {
  const { group, workers } = figures;
  byId("who").textContent = `Group ${figures.group_name}, as ${figures.worker} sees it` +
    (figures.shared || workers.length > 1 ? "" : "; other workers would not be shown, as Redis does not answer");
  document.title = `${speed(group.notes_per_second)} notes/s · deidstream operations`;
  showConcerns(figures.concerns);
  showTiles(group);
  plots = [figures.throughput, ...figures.history];
  showPlot();
  showLevels(group.levels);
  showQuarantine(group);
  showStages(group);
  showSurrogates(group, workers);
  showLabels(figures.drift);
  showStanding(figures.standing);
  showWorkers(workers);
  showRuns(workers);
  byId("ask").hidden = true;
  byId("figures").hidden = false;
}

// ---- Asking

function showLink(kind, words) {
  const badge = byId("link");
  badge.className = `badge ${kind}`;
  if (badge.textContent !== words) badge.textContent = words;
}

function askForToken(refused) {
  byId("figures").hidden = true;
  byId("refused").textContent = refused ? "The worker refuses this token." : "";
  if (byId("ask").hidden) {
    byId("ask").hidden = false;
    byId("token").focus();
  }
  showLink("warn", "token needed");
}

async function ask() {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch("figures", { headers, cache: "no-store", signal: AbortSignal.timeout(5000) });
  if (answer.status === 401) {
    const refused = Boolean(token);
    token = "";
    sessionStorage.removeItem(TOKEN);
    return askForToken(refused);
  }
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  showAll(await answer.json());
  answeredAt = Date.now();
}

async function follow() {
  // While the form is open, the worker is asked when it is sent.
  if (byId("ask").hidden) {
    try {
      await ask();
      if (byId("ask").hidden) showLink("good", "live");
      document.body.classList.remove("stale");
    } catch {
      showStale();
    }
  }
  setTimeout(follow, EVERY_MS);
}

function showStale() {
  const ago = Date.now() - answeredAt;
  if (!answeredAt) return showLink("bad", "no answer");
  if (ago < STALE_MS) return;
  document.body.classList.add("stale");
  const word = `no answer since ${new Date(answeredAt).toLocaleTimeString()}: these figures are old`;
  showLink("bad", word);
}

byId("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  token = byId("token").value.trim();
  byId("token").value = "";
  try {
    await ask();
    if (!byId("figures").hidden) {
      sessionStorage.setItem(TOKEN, token);
      showLink("good", "live");
      byId("figures").focus();
    }
  } catch {
    byId("refused").textContent = "The worker does not answer.";
  }
});

follow();

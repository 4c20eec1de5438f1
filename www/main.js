// @ts-check
// Main: starts the module and its worker, opens files, and carries what they say to the panels.
// The page knows elements and events. Everything about traces, numbers and sentences included, the module knows.

/** @typedef {import("./protocol.js").Order} Order */
/** @typedef {import("./protocol.js").Answer} Answer */

import { compile, employ as employWorker, isOneFile } from "./ui/code.js";
import { showArgs, showDetails } from "./ui/details.js";
import { $ } from "./ui/dom.js";
import { fetched, named, watchFiles } from "./ui/files.js";
import { watchInput } from "./ui/input.js";
import { fillProblems, showLegend, showProblems, showTip } from "./ui/panels.js";
import { fillReport, showReport } from "./ui/report.js";
import { watchTheme } from "./ui/theme.js";

// @ts-ignore the glue's one global
const module = /** @type {any} */ (wasm_bindgen);
const page = document.documentElement;
/** @type {WebAssembly.Module} */
let code;
/** @type {any} */
let screen;
/** @type {Worker | null} A worker lives for one trace: what a trace took, memory or a panic, goes with it. */
let worker = null;
/** Whether the worker has started, and was given something to read. */
let [alive, used] = [false, false];
let [info, pointer] = [{}, [0, 0]];
/** What this page was left with by the one before it, which failed. @type {{ broken?: string } | null} */
const legacy = history.state;
/** Ends the wait for what the address names. */
const download = new AbortController();
/** What was opened last, to be read again with another unit of time. @type {File[]} */
let opened = [];
/** What the pointer is on, and what a tip was asked for. @type {object | undefined} */
let pointed, asked = pointed;
/** What is pending: a start, a painting, answers asked for. */
const pending = { start: 1, painting: 0, frame: 0, tip: 0, details: 0, report: 0 };
/** How many of the next details are of a selection that was left since. */
let stale = 0;
/** Who waits for the memory report as data. @type {((report: object[]) => void)[]} */
let reporting = [];
/** @type {(() => void)[]} Who waits for nothing to be pending. */
let waiting = [];

const started = start();
watchFiles(open);
Object.assign(window, {
  flameline: {
    idle: () => idle(),
    info: () => info,
    memory: () => new Promise((done) => (reporting.push(done), report())),
    open: (/** @type {File} */ blob, name = blob.name ?? "") => open([new File([blob], name)]),
  },
});
for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, (event) => restart(/** @type {any} */ (event)));

async function start() {
  try {
    code = await compile();
    await module({ module_or_path: code });
    screen = new module.Screen($("timeline"), $("marks"), $("chart"), $("chart-marks"));
  } catch (error) {
    return neverStarted(error);
  }
  employ();
  watchTheme((dark) => (screen.theme(dark), draw()));
  watchInput(screen, { draw, point, select, step, command });
  for (const id of ["tracks", "memory"]) new ResizeObserver(resize).observe($(id));
  $("notice").addEventListener("click", () => ($("notice").hidden = true));
  $("sample").addEventListener("click", () => ((opened = []), begin({ kind: "sample" }, "")));
  $("ts-unit").addEventListener("change", () => opened.length && begin({ kind: "open", files: opened, tsUnit: $("ts-unit").value }, ""));
  for (const [id, key] of [["cancel", "Escape"], ["fit", "0"], ["show-report", "m"], ["show-problems", "p"], ["show-keys", "?"]])
    $(id).addEventListener("click", () => command(key) || (screen.key_down(key, false), draw()));
  $("unstarted").remove();
  if (!legacy?.broken) return void openNamed(); // nobody waits for a download but the page
  history.replaceState(null, "");
  fail(legacy.broken);
}

/** Opens what the address names, unless something else is opened before it has come. */
async function openNamed() {
  const address = named();
  if (!address) return settle();
  show("loading", { title: address });
  $("bar").removeAttribute("value");
  try {
    const files = await fetched(address, isOneFile, download.signal);
    if (!used) open(files);
  } catch (error) {
    if (used) return;
    if (download.signal.aborted) show("empty", {});
    else fail(module.address_refused(address, /** @type {Error} */ (error).message));
    settle();
  }
}

/** Takes a worker in place of the one there is. */
function employ() {
  worker?.terminate();
  const made = (worker = employWorker());
  made.onmessage = ({ data }) => made === worker && answers[/** @type {Answer} */ (data).kind](data);
  made.onerror = (event) => made === worker && answers.broken({ message: event.message });
  [alive, used, stale] = [false, false, 0];
  Object.assign(pending, { start: 1, frame: 0, tip: 0, details: 0, report: 0 });
  send({ kind: "start", module: code });
}

const send = (/** @type {Order} */ order) => worker?.postMessage(order);

/** Opens files as one trace, in place of the one that is shown. */
async function open(/** @type {File[]} */ files) {
  if (!files.length) return;
  if (pending.start) page.dataset.state = "loading";
  await started;
  if (screen) begin({ kind: "open", files: (opened = files), tsUnit: ($("ts-unit").value = "us") }, "");
}

function begin(/** @type {Order} */ order, /** @type {string} */ name) {
  if (used) employ();
  used = true;
  download.abort();
  showDetails(null, can);
  showProblems(false);
  showReport(false);
  $("show-report").hidden = true;
  show("loading", { title: name });
  [$("bar").value, $("progress").textContent] = [0, ""];
  screen.reset();
  send(order);
  resize();
  draw();
}

/** Puts the page into a state and says what it is. */
function show(/** @type {string} */ state, { title = "", message = "", notice = "", status = "" }) {
  page.dataset.state = state;
  screen?.shows(used && (state === "loading" || state === "ready")); // unused, the worker has nothing to draw
  document.title = title ? `${title} – Flameline` : "Flameline";
  for (const [id, text] of Object.entries({ title, problem: message, notice, status })) $(id).textContent = text;
  [$("loading").hidden, $("notice").hidden] = [state !== "loading", !notice];
}

/** Without the module there is nobody else to say this; a worker is tried again when there is a file to open. */
function neverStarted(/** @type {unknown} */ why) {
  used = true;
  $("unstarted")?.remove();
  fail(`Flameline could not start in this browser.\n${why}`);
}

function fail(/** @type {string} */ message) {
  [pending.start, info] = [0, /** @type {any} */ (null)];
  show("error", { message, status: message });
  settle();
}

/** What a panic on this side leaves can't be used again: the page says so once it has started afresh. */
function restart(/** @type {{ error?: unknown, reason?: unknown }} */ { error, reason }) {
  if (!((error ?? reason) instanceof WebAssembly.RuntimeError)) return;
  const broken = module.panic_message(module.last_panic() ?? String(error ?? reason));
  if (legacy?.broken && !used) return fail(broken); // it would only fail again
  history.replaceState({ broken }, "");
  location.reload();
}

/** @type {Record<Answer["kind"], (answer: any) => void>} */
const answers = {
  started: () => {
    alive = true;
    settle("start");
    window.requestIdleCallback?.(() => screen.warm_up());
  },
  progress: ({ progress }) => {
    $("bar").value = progress.fraction;
    [$("progress").textContent, $("title").textContent] = [progress.text, progress.title];
    if (progress.fresh) screen.grown();
    draw();
  },
  done: ({ summary }) => {
    info = summary.info;
    fillProblems(summary);
    $("show-report").hidden = !summary.hasReport;
    show(summary.state, summary);
    screen.grown();
    resize();
    draw();
  },
  frame: ({ frame }) => {
    screen.accept(frame);
    draw();
    settle("frame");
  },
  tip: ({ tip }) => {
    showTip(pointed && tip, pointer[0], pointer[1]);
    settle("tip");
    if (pointed !== asked) ask();
  },
  details: ({ details }) => {
    if (stale) stale -= 1;
    else if (details !== undefined) tell(details);
    settle("details", pending.details - 1);
  },
  report: ({ words, json }) => {
    fillReport(words, (item) => select(item, true));
    for (const done of reporting.splice(0)) done(JSON.parse(json));
    settle("report");
  },
  args: ({ args }) => showArgs(args, can),
  copied: ({ text }) => can.copy(text),
  broken: ({ message }) => {
    if (!alive) return neverStarted(message);
    employ();
    fail(module.panic_message(message));
  },
};

/** Paints with the next frame of the screen; until something changes again nothing is painted. */
const draw = () => void (pending.painting ||= requestAnimationFrame(paint));

function paint(now = performance.now()) {
  cancelAnimationFrame(pending.painting);
  pending.painting = 0; // painting may ask for the next one
  if (showLegend(screen.legend(), (at) => (screen.toggle(at), draw()))) measure(); // the chart has come or gone
  if (screen.paint(now)) draw();
  const request = pending.frame ? undefined : screen.request();
  if (request) {
    pending.frame = 1;
    send({ kind: "frame", request });
  }
  $("extent").style.height = `${screen.extent()}px`;
  $("scroll").scrollTop = screen.scroll();
  settle();
}

/** Tells the screen its size. True when that has changed. @returns {boolean} */
function measure() {
  const [tracks, memory] = [$("tracks"), $("memory")];
  return screen.resize(tracks.clientWidth, tracks.clientHeight, memory.clientHeight, devicePixelRatio);
}

function resize() {
  if (measure()) paint(); // at once: a canvas is black after its size has changed
}

/** The pointer is over `item` of the screen, or over nothing. */
function point(/** @type {object | undefined} */ item, /** @type {number} */ x, /** @type {number} */ y) {
  [pointed, pointer] = [item, [x, y]];
  if (!item) showTip(undefined, x, y);
  if (!pending.tip) ask();
}

/** One tip is asked for at a time, for what the pointer is on by then. */
function ask() {
  if (!(asked = pointed)) return;
  pending.tip = 1;
  send({ kind: "tip", item: asked });
}

/** Selects what was pointed at, with `reveal` what may be anywhere, or nothing; null leaves the selection as it is. */
function select(/** @type {object | undefined | null} */ item, reveal = false) {
  if (item === null) return;
  stale = pending.details + (item ? 0 : 1); // what was asked before is no news any more, and nothing is told at once
  if (!item) tell(null);
  about({ kind: "details", item, reveal });
}

/** Takes a step of the selection; the one from the timeline into its details is the page's. */
const step = (/** @type {object | "details"} */ step) => (step === "details" ? $("details").focus() : about({ kind: "step", step }));

const about = (/** @type {Order} */ order) => ((pending.details += 1), send(order));

/** Shows what the worker says about the selection; null when there is none. */
function tell(/** @type {import("./protocol.js").Details | null} */ details) {
  showDetails(details, can);
  resize(); // the panel takes room
  details ? screen.selected(details) : screen.clear_selection();
  $("said").textContent = details?.spoken ?? "";
  draw();
}

function clear() {
  $("notice").hidden = true;
  select(undefined);
}

/** What can be done in the details. @type {import("./ui/details.js").Can} */
const can = {
  close: () => clear(),
  go: (item) => select(item, true),
  unfold: (id) => send({ kind: "unfold", id }),
  copy: async (text) => {
    if (text === undefined) return send({ kind: "copy" });
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    $("said").textContent = $("hint").textContent = done ? "Copied" : "This browser does not let the page copy";
  },
};

/** Asks for the memory report. */
const report = () => ((pending.report = 1), send({ kind: "report" }));

/** Opens the memory report, if there is one, or closes it. */
function toggleReport() {
  if ($("show-report").hidden) return;
  showReport($("report").hidden);
  if (!$("report").hidden) report();
}

/** The keys that are the page's own; all others are the screen's. */
function command(/** @type {string} */ pressed) {
  const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
  if (key === "?") $("keys").showModal();
  else if (key === "m") toggleReport();
  else if (key === "p") showProblems($("problems").hidden);
  else if (key === "o") $("file").click();
  else if (key === "Escape" && page.dataset.state === "loading") (download.abort(), send({ kind: "cancel" }));
  else if (key === "Escape") clear();
  else return false;
  return true;
}

/** Resolves when nothing is pending. @returns {Promise<void>} */
const idle = () => new Promise((done) => (waiting.push(done), settle()));

/** Something came that was pending, `left` is still; if it was the last, those who wait for that are told. */
function settle(/** @type {keyof typeof pending | undefined} */ came = undefined, left = 0) {
  if (came) pending[came] = left;
  if (page.dataset.state === "loading" || Object.values(pending).some(Boolean)) return;
  for (const done of waiting.splice(0)) done();
}

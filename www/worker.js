// @ts-check
// Worker: reads the file piece by piece and lets the module's engine, which owns the trace, answer the page.
// A classic script: it is started from a Blob, so that the page's policy holds in it too.

/** @typedef {import("./protocol.js").Order} Order */

// @ts-ignore the glue's one global
const { Engine, make_sample, last_panic, initSync } = /** @type {any} */ (wasm_bindgen);

/** Most bytes of a piece of the file. */
const PIECE = 1 << 20;
/** While a file is read, orders wait no longer than this and the time for one piece. */
const TURN_MS = 12;
/** How often the page hears how far reading has come. */
const SHOW_MS = 50;
const turns = new MessageChannel();

/** @type {any} */
let engine;
/** The files that are open. @type {File[]} */
let files = [];
/** The reading that is under way, or was last. @type {{ cancelled: boolean } | undefined} */
let reading;

const post = (/** @type {import("./protocol.js").Answer} */ answer, /** @type {Transferable[]} */ transfer = []) =>
  self.postMessage(answer, { transfer });

/** Reads files one after another into a new engine; orders are answered in between. */
async function read(/** @type {File[]} */ all, tsUnit = "us") {
  const task = { cancelled: false };
  [files, reading] = [all, task];
  engine = new Engine(files.reduce((size, file) => size + file.size, 0), tsUnit, performance.now(), peek);
  let broken;
  try {
    for (const file of files) if (!task.cancelled) await readOne(file, task);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    broken = error.message;
  }
  post({ kind: "done", summary: engine.finish(performance.now(), task.cancelled, broken) });
}

async function readOne(/** @type {File} */ file, /** @type {{ cancelled: boolean }} */ task) {
  engine.start_file(file.name);
  let [shown, turned] = [0, performance.now()];
  for await (const bytes of pieces(file)) {
    if (task.cancelled || !engine.feed(bytes)) break;
    const now = performance.now();
    if (now - turned < TURN_MS) continue;
    if (now - shown >= SHOW_MS) post({ kind: "progress", progress: engine.progress((shown = now)) });
    await turn();
    turned = performance.now();
  }
}

/**
 * The bytes of a file from its start. A piece is good until the next one is asked for: where the browser can, all
 * are read into the same memory, which is faster than new memory for each and leaves nothing to be collected.
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* pieces(/** @type {File} */ of) {
  let reader;
  try {
    reader = of.stream().getReader({ mode: "byob" });
  } catch {
    for (let at = 0; at < of.size; at += PIECE) yield new Uint8Array(await of.slice(at, at + PIECE).arrayBuffer());
    return;
  }
  try {
    for (let memory = new ArrayBuffer(PIECE); ; ) {
      const { value, done } = await reader.read(new Uint8Array(memory));
      if (value?.length) yield value;
      if (done || !value) return;
      memory = value.buffer;
    }
  } finally {
    reader.cancel();
  }
}

/** Lets orders that have come be answered. @returns {Promise<void>} */
const turn = () => new Promise((done) => {
  turns.port1.onmessage = () => done();
  turns.port2.postMessage(undefined);
});

/** The bytes of a stretch of a file, for what the engine reads again: arguments and the texts of problems. */
function peek(/** @type {number} */ file, /** @type {number} */ from, /** @type {number} */ to) {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(files[file].slice(from, to)));
}

/** @type {Record<string, (order: any) => void | Promise<void>>} */
const orders = {
  start: ({ module }) => (initSync({ module }), post({ kind: "started" })),
  open: (order) => read(order.files, order.tsUnit),
  sample: () => read([new File([make_sample()], "sample.json")]),
  cancel: () => void (reading && (reading.cancelled = true)),
  frame: ({ request }) => {
    const frame = engine.frame(request);
    post({ kind: "frame", frame }, frame.buffers);
  },
  tip: ({ item }) => post({ kind: "tip", tip: engine.tip(item) }),
  details: ({ item, reveal }) => post({ kind: "details", details: engine?.details(item, reveal) }),
  step: ({ step }) => post({ kind: "details", details: engine.step(step) }),
  unfold: ({ id }) => post({ kind: "args", args: engine.unfold(id) }),
  report: () => post({ kind: "report", words: engine.memory_report(), json: engine.memory_json() }),
  copy: () => post({ kind: "copied", text: engine.args_text() }),
};

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    await orders[data.kind](data);
  } catch (error) {
    post({ kind: "broken", message: last_panic() ?? String(error) });
  }
};

// @ts-check
// Worker: reads the file piece by piece and lets the module's engine, which owns the trace, answer the page.
// A classic script: it is started from a Blob, so that the page's policy holds in it too.

/** @typedef {import("./protocol.js").Order} Order */

// @ts-ignore the glue's one global
const { Engine, make_sample, last_panic, initSync } = /** @type {any} */ (wasm_bindgen);

/** @type {any} */
let engine;
/** The file that is open. @type {File} */
let file;
/** The reading that is under way, or was last. @type {{ cancelled: boolean } | undefined} */
let reading;

const post = (/** @type {import("./protocol.js").Answer} */ answer, /** @type {Transferable[]} */ transfer = []) =>
  self.postMessage(answer, { transfer });

/** Reads all of `of` into the engine; orders are answered between two pieces. */
async function read(/** @type {File} */ of) {
  const task = { cancelled: false };
  [file, reading] = [of, task];
  engine = new Engine(of.name, of.size, performance.now(), peek);
  let broken;
  try {
    let next = piece(0);
    while (next && !task.cancelled) {
      const bytes = await next.bytes;
      next = piece(next.end); // the browser reads on while the engine works
      if (!engine.feed(new Uint8Array(bytes))) break;
      post({ kind: "progress", progress: engine.progress(performance.now()) });
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    broken = error.message;
  }
  post({ kind: "done", summary: engine.finish(performance.now(), task.cancelled, broken) });
}

/** The bytes of a stretch of the file, for what the engine reads again: arguments and the texts of problems. */
function peek(/** @type {number} */ from, /** @type {number} */ to) {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(from, to)));
}

/** @returns {{ bytes: Promise<ArrayBuffer>, end: number } | null} */
function piece(/** @type {number} */ from) {
  if (from >= file.size) return null;
  const end = Math.min(from + engine.piece_size(), file.size);
  return { bytes: file.slice(from, end).arrayBuffer(), end };
}

/** @type {Record<string, (order: any) => void | Promise<void>>} */
const orders = {
  start: ({ module }) => (initSync({ module }), post({ kind: "started" })),
  open: (order) => read(order.file),
  sample: () => read(new File([make_sample()], "sample.json")),
  cancel: () => void (reading && (reading.cancelled = true)),
  frame: ({ request }) => {
    const frame = engine.frame(request);
    post({ kind: "frame", frame }, frame.buffers);
  },
  tip: ({ item }) => post({ kind: "tip", tip: engine.tip(item) }),
  details: ({ item, reveal }) => post({ kind: "details", details: engine?.details(item, reveal) }),
  step: ({ step }) => post({ kind: "details", details: engine.step(step) }),
  unfold: ({ id }) => post({ kind: "args", args: engine.unfold(id) }),
  copy: () => post({ kind: "copied", text: engine.args_text() }),
};

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    await orders[data.kind](data);
  } catch (error) {
    post({ kind: "broken", message: last_panic() ?? String(error) });
  }
};

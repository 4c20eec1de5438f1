// @ts-check
// Code: where the module and its worker's scripts come from: files beside the page, or the page itself when it is
// the one file that holds everything.

/** What the one file holds in elements of its own. */
const inside = (/** @type {string} */ id) => document.getElementById(id)?.textContent;

/** True when the page is one file, which can't ask for others. */
export const isOneFile = inside("module") !== undefined;

/** Where workers start, once there was one. @type {string | undefined} */
let start;

/** @returns {Promise<WebAssembly.Module>} */
export async function compile() {
  const packed = inside("module");
  if (packed) {
    const unpacked = new Blob([bytes(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
  }
  const answer = await fetch("flameline_bg.wasm");
  if (!answer.ok) throw new Error(`flameline_bg.wasm: ${answer.status} ${answer.statusText}`);
  // some hosts don't know the type, without which a browser does not compile while it loads
  const isTyped = answer.headers.get("content-type")?.startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** What base64 stands for; a call for each letter takes fifty times as long as the loop. @returns {Uint8Array<ArrayBuffer>} */
function bytes(/** @type {string} */ base64) {
  const native = /** @type {any} */ (Uint8Array).fromBase64;
  if (native) return native.call(Uint8Array, base64);
  const letters = atob(base64);
  const all = new Uint8Array(letters.length);
  for (let at = 0; at < all.length; at++) all[at] = letters.charCodeAt(at);
  return all;
}

/** A worker from a Blob, so that the page's policy holds in it. */
export function employ() {
  const beside = () => ["flameline.js", "worker.js"].map((name) => JSON.stringify(new URL(name, location.href).href));
  const text = isOneFile ? [inside("glue"), "\n", inside("worker")] : [`importScripts(${beside()})`];
  start ??= URL.createObjectURL(new Blob(/** @type {string[]} */ (text), { type: "text/javascript" }));
  return new Worker(start);
}

// @ts-check
// Code: where the module and its worker's scripts come from: files beside the page, or the page itself when it is
// the one file that holds everything.

/** What the one file holds in elements of its own. */
const inside = (/** @type {string} */ id) => document.getElementById(id)?.textContent;

/** True when the page is one file, which can't ask for others. */
export const isOneFile = inside("module") !== undefined;

/** @returns {Promise<WebAssembly.Module>} */
export async function compile() {
  const packed = inside("module");
  if (packed) {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  }
  const answer = await fetch("flameline_bg.wasm");
  if (!answer.ok) throw new Error(`flameline_bg.wasm: ${answer.status} ${answer.statusText}`);
  // some hosts don't know the type, without which a browser does not compile while it loads
  const isTyped = answer.headers.get("content-type")?.startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** A worker from a Blob, so that the page's policy holds in it. */
export function employ() {
  const scripts = ["flameline.js", "worker.js"].map((name) => JSON.stringify(new URL(name, location.href).href));
  const text = isOneFile ? [inside("glue"), "\n", inside("worker")] : [`importScripts(${scripts})`];
  const url = URL.createObjectURL(new Blob(/** @type {string[]} */ (text), { type: "text/javascript" }));
  return new Worker(url);
}

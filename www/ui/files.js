// @ts-check
// Files: every way in which files reach the page: dropped, chosen, pasted, named in the address.

import { $ } from "./dom.js";

/** Calls `open` with the files that come, those that come together at once. */
export function watchFiles(/** @type {(files: File[]) => void} */ open) {
  const input = $("file");
  const chosen = () => {
    open([...input.files]);
    input.value = ""; // so that the same file can be chosen again
  };
  input.addEventListener("change", chosen);
  $("choose").addEventListener("click", () => input.click());
  chosen(); // a file may have been chosen before this script ran

  const cover = (/** @type {boolean} */ on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragover", (event) => (event.preventDefault(), cover(true)));
  addEventListener("dragleave", (event) => cover(event.relatedTarget !== null));
  addEventListener("drop", async (event) => {
    event.preventDefault();
    cover(false);
    open(await dropped(event.dataTransfer));
  });
  addEventListener("paste", (event) => {
    if (/** @type {Element} */ (event.target).closest?.("input:not([type=file]), textarea")) return; // meant for that
    const [files, text] = [event.clipboardData?.files ?? [], event.clipboardData?.getData("text") ?? ""];
    if (files.length || text) open(files.length ? [...files] : [new File([text], "pasted text")]);
  });
}

/** The files of a drop, those in folders included, in the order of their paths. */
async function dropped(/** @type {DataTransfer | null} */ transfer) {
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.());
  const files = [...(transfer?.files ?? [])];
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  const found = [];
  for (let next; entries.length; ) {
    if (!(next = entries.pop())) continue;
    const entry = /** @type {any} */ (next);
    if (entry.isDirectory) entries.push(...(await listed(entry)));
    else found.push([entry.fullPath, await new Promise((done, fail) => entry.file(done, fail))]);
  }
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  return found.map(([path, file]) => new File([file], path.slice(1)));
}

/** Everything in a folder; the browser gives a hundred at a time. */
async function listed(/** @type {any} */ folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return all;
    all.push(...some);
  }
}

/** What `?url=` names, if anything. @returns {string | null} */
export const named = () => new URLSearchParams(location.search).get("url");

/** The file that an address names, from this origin only: the page's policy refuses any other. @returns {Promise<File[]>} */
export async function fetched(/** @type {string} */ address, /** @type {boolean} */ isOneFile, /** @type {AbortSignal} */ signal) {
  if (isOneFile) throw new Error("one file");
  const url = new URL(address, location.href);
  if (!url.href.startsWith(`${location.origin}/`)) throw new Error("elsewhere"); // a blob: URL has our origin too
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const last = url.pathname.split("/").pop() || address;
  return [new File([await answer.blob()], last.replace(/(%[0-9a-f]{2})+/gi, decode))];
}

/** Some letters of an address, which any bytes can stand in. */
function decode(/** @type {string} */ escaped) {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

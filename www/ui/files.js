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

/** The file that `?url=` names, from this origin only: the page's policy refuses any other. */
export async function fromAddress(/** @type {boolean} */ isOneFile) {
  const address = new URLSearchParams(location.search).get("url");
  if (!address) return [];
  try {
    const url = new URL(address, location.href);
    if (isOneFile || url.origin !== location.origin) throw new Error(isOneFile ? "one file" : "elsewhere");
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return [new File([await answer.blob()], decodeURIComponent(url.pathname.split("/").pop() || address))];
  } catch (error) {
    throw Object.assign(/** @type {Error} */ (error), { address });
  }
}

// @ts-check
// Files: every way in which a file reaches the page: dropped, chosen, named in the address.

import { $ } from "./dom.js";

/** Calls `open` with each file that comes. */
export function watchFiles(/** @type {(file: Blob, name: string) => void} */ open) {
  const input = $("file");
  const chosen = () => {
    for (const file of input.files) open(file, file.name);
    input.value = ""; // so that the same file can be chosen again
  };
  input.addEventListener("change", chosen);
  $("choose").addEventListener("click", () => input.click());
  chosen(); // a file may have been chosen before this script ran

  const cover = (/** @type {boolean} */ on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragover", (event) => (event.preventDefault(), cover(true)));
  addEventListener("dragleave", (event) => cover(event.relatedTarget !== null));
  addEventListener("drop", (event) => {
    event.preventDefault();
    cover(false);
    for (const file of event.dataTransfer?.files ?? []) open(file, file.name);
  });
}

/** The file that `?url=` names, from this origin only: the page's policy refuses any other. */
export async function fromAddress() {
  const url = new URLSearchParams(location.search).get("url");
  if (!url) return null;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return { blob: await answer.blob(), name: decodeURIComponent(url.split("/").pop() ?? url) };
}

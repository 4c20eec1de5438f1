// @ts-check
// Report: what the module says about memory, file by file: sentences, numbers, tables that can be sorted.

/** @typedef {import("../protocol.js").MemoryWords} MemoryWords */
/** @typedef {MemoryWords["tables"][0]} Table */

import { $, heading, make } from "./dom.js";

/** Rows that a table begins with, and by which it grows. */
const SOME = 50;

/** Fills the panel; `go` is called with the item that a row leads to. */
export function fillReport(/** @type {MemoryWords[]} */ reports, /** @type {(item: object) => void} */ go) {
  const many = reports.length > 1;
  $("report").replaceChildren(
    heading("Memory", () => showReport(false)),
    ...reports.flatMap(({ title, sentences, facts, tables }) => [
      ...(many ? [make("h3", { className: "file" }, title)] : []),
      make("div", { className: "columns" },
        make("div", {}, ...sentences.map((text) => make("p", {}, text)),
          make("dl", { className: "pairs" }, ...facts.flatMap(({ label, value }) => [make("dt", {}, label), make("dd", {}, value)]))),
        make("div", { className: "lists" }, ...tables.map((table) => sorted(table, go)))),
    ]),
  );
}

export function showReport(/** @type {boolean} */ open) {
  $("report").hidden = !open;
  $("show-report").ariaPressed = String(open);
}

/** A table whose heads sort it, the largest first and then the smallest. */
function sorted(/** @type {Table} */ { title, about, heads, rows, sums }, /** @type {(item: object) => void} */ go) {
  let [shown, by, down] = [SOME, -1, false];
  const [body, foot] = [make("tbody"), make("tfoot", {}, ...sums.map((cells) => make("tr", {}, ...cells.map((text) => make("td", {}, text)))))];
  const more = make("button", { type: "button", className: "more", onclick: () => fill((shown += SOME * 10)) }, "Show more");
  const head = (/** @type {string} */ text, /** @type {number} */ at) =>
    make("th", { scope: "col" }, make("button", { type: "button", className: "link", onclick: () => sort(at) }, text));
  const titles = heads.map(head);

  function sort(/** @type {number} */ at) {
    [down, by] = [by === at ? !down : true, at];
    titles.forEach((title, other) => (title.ariaSort = other === at ? (down ? "descending" : "ascending") : null));
    fill(shown);
  }

  function fill(/** @type {number} */ count) {
    const order = by < 0 ? rows : rows.toSorted((a, b) => (down ? b.keys[by] - a.keys[by] : a.keys[by] - b.keys[by]));
    body.replaceChildren(...order.slice(0, count).map(({ item, cells: [first, ...others] }) => {
      const link = item ? make("button", { type: "button", className: "link", onclick: () => go(item) }, first) : first;
      return make("tr", {}, make("td", { title: first }, link), ...others.map((text) => make("td", {}, text)));
    }));
    more.hidden = rows.length <= count;
  }

  fill(shown);
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...titles)), body, foot);
  return make("div", { className: "listing" }, make("h3", {}, title), ...(about ? [make("p", { className: "quiet" }, about)] : []), table, more);
}

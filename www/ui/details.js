// @ts-check
// Details: all about the selection, as the module tells it: facts, tables of links, arguments as a tree.

/** @typedef {import("../protocol.js").Details} Details */
/** @typedef {{ close(): void, go(item: object): void, unfold(id: number): void, copy(text?: string): void }} Can */

import { $, heading, make } from "./dom.js";

/** Shows the details of a selected item, or nothing. Who was in the panel with the keyboard stays in it. */
export function showDetails(/** @type {Details | null} */ details, /** @type {Can} */ can) {
  const panel = $("details");
  const [held, byKeyboard] = [panel.contains(document.activeElement), panel.matches(":focus-visible, :has(:focus-visible)")];
  panel.hidden = !details;
  panel.replaceChildren();
  if (held) $(details && byKeyboard ? "details" : "timeline").focus();
  if (!details) return;
  const { title, notice, facts, lists, args } = details;
  const copies = [make("button", { type: "button", onclick: () => can.copy(title) }, "Copy name")];
  if (args.length) copies.push(make("button", { type: "button", onclick: () => can.copy() }, "Copy arguments"));
  panel.replaceChildren(
    heading(title, can.close, ...copies),
    ...(notice ? [make("p", {}, notice)] : []),
    make("div", { className: "columns" },
      make("dl", { className: "pairs" }, ...facts.flatMap(({ label, value }) => [make("dt", {}, label), make("dd", {}, value)])),
      ...(args.length ? [make("div", {}, make("h3", {}, "Arguments"), make("div", { id: "args" }))] : []),
      make("div", { className: "lists" }, ...lists.map((list) => table(list, can)))),
  );
  panel.scrollTop = 0;
  showArgs(args, can);
}

/** Shows what is to be seen of the arguments; the button that was pressed keeps the keyboard. */
export function showArgs(/** @type {Details["args"]} */ rows, /** @type {Can} */ can) {
  const box = $("args");
  if (!box) return;
  const held = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.id;
  const button = (/** @type {number} */ id, /** @type {object} */ props, /** @type {string} */ text) => {
    const made = make("button", { type: "button", onclick: () => can.unfold(id), ...props }, text);
    made.dataset.id = id;
    return made;
  };
  box.replaceChildren(...rows.map(({ id, level, key, text, kind, open, more }) => {
    const name = open === undefined ? make("span", { className: "key" }, key) : button(id, { className: "key", ariaExpanded: String(open) }, key);
    const line = make("div", {}, name, make("span", { className: kind }, text), ...(more ? [button(id, { className: "more" }, more)] : []));
    line.style.setProperty("--level", level);
    return line;
  }));
  if (held) box.querySelector(`[data-id="${held}"]`)?.focus();
}

function table(/** @type {Details["lists"][0]} */ { title, heads, rows }, /** @type {Can} */ can) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(({ item, cells: [first, ...others] }) => {
    const link = item ? make("button", { type: "button", className: "link", title: first, onclick: () => can.go(item) }, first) : make("span", { title: first }, first);
    return make("tr", {}, make("td", {}, link), ...others.map((text) => make("td", {}, text)));
  });
  return make("div", { className: "listing" }, make("h3", {}, title), make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

// @ts-check
// Panels: what the module says in words, put into elements: problems, tip, legend.

/** @typedef {import("../protocol.js").Summary} Summary */

import { $, heading, make } from "./dom.js";

/** Fills the problems panel; it is opened by its button. */
export function fillProblems(/** @type {Summary} */ { problems, problemHeads, problemsTitle, problemsButton }) {
  const row = (/** @type {string[]} */ [message, count, offset, text]) =>
    make("tr", {}, make("td", {}, message), make("td", { className: "number" }, count), make("td", { className: "number" }, offset),
      make("td", {}, make("code", { title: text }, text)));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...problemHeads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...problems.map(row)));
  $("problem-list").replaceChildren(heading(problemsTitle, () => showProblems(false)), ...(problems.length ? [table] : []));
  $("show-problems").textContent = problemsButton;
}

export function showProblems(/** @type {boolean} */ open) {
  $("problems").hidden = !open;
  $("show-problems").ariaPressed = String(open);
}

/** Shows the tip beside the pointer, on the side where there is room. */
export function showTip(/** @type {import("../protocol.js").Tip | undefined} */ tip, /** @type {number} */ x, /** @type {number} */ y) {
  const box = $("tip");
  box.hidden = !tip;
  if (!tip) return;
  box.replaceChildren(make("b", {}, tip.title), ...tip.lines.map((line) => make("span", {}, line)));
  const left = Math.max(4, x + 14 + box.offsetWidth > innerWidth ? x - 14 - box.offsetWidth : x + 14);
  const top = Math.max(4, y + 18 + box.offsetHeight > innerHeight ? y - 10 - box.offsetHeight : y + 18);
  box.style.transform = `translate(${left}px, ${top}px)`;
}

/**
 * Makes the legend when its series have changed, and fills in the values under the crosshair or at the selection. True
 * when the chart has come or gone with it.
 * @param {{ key: string, series: { label: string, title: string, color: string, shown: boolean, value: string }[] }} legend
 * @param {(at: number) => void} toggle
 * @returns {boolean}
 */
export function showLegend({ key, series }, toggle) {
  const box = $("legend");
  const was = $("memory").classList.contains("none");
  $("memory").classList.toggle("none", series.length === 0);
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    box.replaceChildren(...series.map(({ label, title, color, shown }, at) => {
      const swatch = make("i");
      swatch.style.setProperty("--swatch", color);
      const can = color ? { type: "button", ariaPressed: String(shown), onclick: () => toggle(at) } : {}; // what is computed has no line
      return make(color ? "button" : "div", { title, ...can }, swatch, make("span", {}, label), make("output"));
    }));
  }
  box.querySelectorAll("output").forEach((/** @type {HTMLElement} */ output, /** @type {number} */ at) => {
    if (output.textContent !== series[at].value) output.textContent = series[at].value;
  });
  return was !== (series.length === 0);
}

// @ts-check
// Dom: finding and making elements.

/** The element with this id. @returns {any} */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

/** A new element. @returns {any} */
export function make(/** @type {string} */ tag, /** @type {object} */ props = {}, /** @type {(Node | string)[]} */ ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

/** The head of a panel: its title, buttons, and the one that closes it. */
export const heading = (/** @type {string} */ text, /** @type {() => void} */ close, /** @type {Node[]} */ ...buttons) =>
  make("h2", {}, make("span", {}, text), ...buttons, make("button", { type: "button", className: "close", title: "Close", ariaLabel: "Close", onclick: close }, "×"));

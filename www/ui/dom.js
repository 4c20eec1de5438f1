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

/** A heading with a button that calls `close`. */
export const heading = (/** @type {string} */ text, /** @type {() => void} */ close) =>
  make("h2", {}, text, make("button", { type: "button", title: "Close", ariaLabel: "Close", onclick: close }, "×"));

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

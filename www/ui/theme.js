// @ts-check
// Theme: as the system wants it, light, or dark; remembered where the browser allows that.

import { $ } from "./dom.js";

const NAMES = ["system", "light", "dark"];

/** Calls `dress` with whether it is dark, now and whenever that changes. */
export function watchTheme(/** @type {(dark: boolean) => void} */ dress) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let at = Math.max(0, NAMES.indexOf(memory(() => localStorage.getItem("theme"))));
  const apply = () => {
    const name = (document.documentElement.dataset.theme = NAMES[at]);
    $("theme").textContent = `Theme: ${name}`;
    dress(name === "dark" || (name === "system" && system.matches));
  };
  system.addEventListener("change", apply);
  $("theme").addEventListener("click", () => {
    at = (at + 1) % NAMES.length;
    memory(() => localStorage.setItem("theme", NAMES[at]));
    apply();
  });
  apply();
}

/** A file's page or a private window may have no storage; the theme then holds until it is closed. */
function memory(/** @type {() => any} */ use) {
  try {
    return use();
  } catch {}
}

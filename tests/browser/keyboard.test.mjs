// @ts-check
// Keyboard: everything that a pointer can do, without one; and what those hear who don't see the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openApp } from "./harness.mjs";
import { NESTED } from "./nested.mjs";

/** @typedef {Awaited<ReturnType<typeof openApp>>} App */

async function opened(/** @type {import("node:test").TestContext} */ t, file = NESTED, options = {}) {
  const app = await openApp(t, options);
  await app.drop(file);
  await app.reaches("ready");
  await app.idle();
  return app;
}

/** Presses keys one after another. */
async function press(/** @type {App} */ app, /** @type {string[]} */ ...keys) {
  for (const key of keys) {
    await app.page.keyboard.press(key);
    await app.idle();
  }
}

const said = (/** @type {App} */ app) => app.page.textContent("#said");
const title = (/** @type {App} */ app) => app.page.innerText("#details h2 span");
const focused = (/** @type {App} */ app) => app.page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
const extent = (/** @type {App} */ app) => app.page.evaluate(() => document.getElementById("extent")?.offsetHeight);

test("from the first page to a slice's arguments with keys alone", async (t) => {
  const app = await openApp(t);
  await app.idle();
  for (let n = 0; n < 12 && (await focused(app)) !== "sample"; n++) await app.page.keyboard.press("Tab");
  await app.page.keyboard.press("Enter");
  await app.reaches("ready");
  await app.idle();
  await press(app, "Enter");
  assert.ok(await app.page.isVisible("#details"), "Enter selects a slice");
  await press(app, "Enter");
  assert.equal(await focused(app), "details");
  await press(app, "Escape");
  assert.ok(await app.page.isHidden("#details"));
  assert.equal(await focused(app), "timeline");
  app.expectQuiet();
});

test("Tab goes from the buttons through the memory's series to the timeline, the details and the problems", async (t) => {
  const app = await opened(t);
  await press(app, "Enter", "p");
  await app.page.evaluate(() => document.getElementById("fit")?.focus());
  const order = [];
  for (let n = 0; n < 14; n++) {
    order.push(await app.page.evaluate(() => document.activeElement?.closest("header, #legend, #timeline, #details, #problems")?.id || "header"));
    await app.page.keyboard.press("Tab");
  }
  assert.deepEqual([...new Set(order)], ["header", "legend", "timeline", "details", "problems"]);
});

test("arrows lead to neighbours, callers and children, and each is announced", async (t) => {
  const app = await opened(t);
  await press(app, "Enter");
  assert.equal(await said(app), "main, 1 ms, depth 0, thread driver");
  await press(app, "ArrowDown");
  assert.equal(await said(app), "execute, 400 µs, 40 % of main, depth 1, thread driver");
  await press(app, "ArrowLeft");
  assert.equal(await said(app), "plan, 200 µs, 20 % of main, depth 1, thread driver");
  await press(app, "ArrowLeft");
  assert.equal(await title(app), "plan", "there is none before");
  await press(app, "End", "ArrowDown");
  assert.equal(await said(app), "decode, 125 µs, 31.2 % of execute, depth 2, thread driver");
  await press(app, "Home");
  assert.equal(await title(app), "read");
  await press(app, "ArrowUp", "ArrowUp", "ArrowUp");
  assert.match((await said(app)) ?? "", /^thread driver, 5 slices, busy 1 ms, open$/);
  await press(app, "Escape");
  assert.equal(await said(app), "");
  app.expectQuiet();
});

test("keys that are pressed faster than they are answered all count", async (t) => {
  const app = await opened(t);
  await press(app, "j", "j");
  for (const key of ["Enter", "Escape", "Enter", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowDown", "ArrowDown"]) await app.page.keyboard.press(key);
  await app.idle();
  assert.equal(await title(app), "decode");
});

test("titles are reached, folded and opened", async (t) => {
  const app = await opened(t);
  await press(app, "j");
  assert.match((await said(app)) ?? "", /^process 7, 2 threads, open$/);
  const open = await extent(app);
  await press(app, "Enter");
  assert.match((await said(app)) ?? "", /folded$/);
  assert.ok(Number(await extent(app)) < Number(open));
  await press(app, "ArrowRight");
  assert.equal(await extent(app), open);
  await press(app, "j", "j", "j");
  assert.match((await said(app)) ?? "", /^thread driver/);
  await press(app, " ");
  assert.ok(Number(await extent(app)) < Number(open));
  await press(app, " ", "j");
  assert.match((await said(app)) ?? "", /^thread worker, 3 slices, busy 920 µs/);
  await press(app, "ArrowRight");
  assert.equal(await title(app), "compress", "its longest slice");
  await press(app, "k", "k", "k", "ArrowLeft");
  assert.match((await said(app)) ?? "", /^jemalloc_allocated, 1\.0 MB at 0 ns/);
  await press(app, "ArrowRight");
  assert.match((await said(app)) ?? "", /^jemalloc_allocated, 4\.0 MB at 550 µs/);
});

test("what is selected is brought onto the screen, and F fits it", async (t) => {
  const app = await opened(t);
  const border = async () => {
    const [box, area] = [await app.page.locator("#marks .selected").boundingBox(), await app.page.locator("#tracks").boundingBox()];
    assert.ok(box && area && box.x >= area.x + 256 && box.x + box.width <= area.x + area.width && box.y + box.height <= area.y + area.height);
    return box;
  };
  await press(app, "Enter", "ArrowDown", "ArrowDown", "f");
  assert.ok((await border()).width > 900, "the fitted slice fills the window");
  await press(app, "ArrowLeft");
  assert.equal(await title(app), "read");
  assert.ok((await border()).width > 700, "the neighbour came onto the screen");
  await press(app, "0", "Escape", "ArrowRight");
  assert.ok(await app.page.isHidden("#details"), "without a selection arrows move the screen");
});

test("the theme goes from the system's to light and dark, and is remembered", async (t) => {
  const app = await opened(t);
  await app.page.emulateMedia({ colorScheme: "dark" });
  /** Waits until the button, the page and the canvas all look like this. */
  const looks = (/** @type {string} */ button, /** @type {string} */ behind, /** @type {boolean} */ isDark) =>
    app.page.waitForFunction(([button, behind, isDark]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("timeline"));
      const [red] = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).getImageData(canvas.width - 30, canvas.height - 5, 1, 1).data;
      return document.getElementById("theme")?.textContent === button && getComputedStyle(document.body).backgroundColor === behind && (red < 128) === isDark;
    }, [button, behind, isDark]);
  const [dark, light] = ["rgb(22, 25, 31)", "rgb(255, 255, 255)"];
  await looks("Theme: system", dark, true);
  await app.page.focus("#theme");
  await app.page.keyboard.press("Enter");
  await looks("Theme: light", light, false);
  await app.page.reload();
  await app.idle();
  assert.equal(await app.page.textContent("#theme"), "Theme: light");
  await app.page.click("#theme");
  await app.page.emulateMedia({ colorScheme: "light" });
  await app.idle();
  assert.equal(await app.page.textContent("#theme"), "Theme: dark");
  assert.equal(await app.page.evaluate(() => getComputedStyle(document.body).backgroundColor), dark);
  app.expectQuiet();
});

test("the timeline shows that it has the keyboard", async (t) => {
  const app = await opened(t);
  const ring = () => app.page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.getElementById("tracks")), "::after").borderTopWidth);
  await app.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector("#legend button")).focus());
  await app.page.keyboard.press("Tab");
  assert.equal(await focused(app), "timeline");
  assert.equal(await ring(), "2px");
});

test("series of the memory are hidden with keys, and read at the selection", async (t) => {
  const app = await opened(t);
  const legend = () => app.page.innerText("#legend button");
  assert.doesNotMatch(await legend(), /MB/);
  await press(app, "Enter");
  assert.match(await legend(), /1\.0 MB/);
  await app.page.focus("#legend button");
  await press(app, " ");
  assert.equal(await app.page.getAttribute("#legend button", "aria-pressed"), "false");
});

test("the list of keys opens and closes", async (t) => {
  const app = await opened(t);
  await press(app, "?");
  assert.ok(await app.page.isVisible("#keys"));
  await app.page.keyboard.press("Escape");
  assert.ok(await app.page.isHidden("#keys"));
});

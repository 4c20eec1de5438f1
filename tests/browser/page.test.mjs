// @ts-check
// Page: what a reader does with a trace, from dropping it to reading its arguments.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { DIST, openApp } from "./harness.mjs";

const HALVES = { name: "two_halves.json", body: await readFile(join(import.meta.dirname, "../data/page/two_halves.json")) };
/** A trace of two slices side by side over 1 ms, `left` and `right`, and one inside `left`. */
const GUTTER = 256;
const PLOT = 1280 - GUTTER - 14;
/** Where a time in µs stands once the whole millisecond is fitted with a hundredth of room on both sides. */
const x = (/** @type {number} */ us) => GUTTER + ((us + 10) / 1020) * PLOT;

/** @typedef {Awaited<ReturnType<typeof openApp>>} App */

async function opened(/** @type {import("node:test").TestContext} */ t, file = HALVES) {
  const app = await openApp(t);
  await app.drop(file);
  await app.reaches("ready");
  await app.idle();
  return app;
}

/** Colours of the timeline's canvas, in CSS pixels from its corner. */
const pixels = (/** @type {App} */ app, /** @type {[number, number][]} */ places) =>
  app.page.evaluate((places) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("timeline"));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    return places.map(([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3).join());
  }, places);

/** The height at which `left` and `right` are drawn: the first at which colours differ where one ends. */
async function rowOf(/** @type {App} */ app) {
  const ys = Array.from({ length: 300 }, (_, y) => y + 26);
  const colors = await pixels(app, ys.flatMap((y) => /** @type {[number, number][]} */ ([[x(490), y], [x(510), y]])));
  const row = ys.findIndex((_, at) => colors[2 * at] !== colors[2 * at + 1] && colors[2 * at] !== "255,255,255");
  assert.ok(row >= 0, "no row of bars was drawn");
  return ys[row] + 3; // above the names
}

/** A point of the timeline in page coordinates. */
async function at(/** @type {App} */ app, /** @type {number} */ px, /** @type {number} */ y) {
  const box = await app.page.locator("#timeline").boundingBox();
  assert.ok(box);
  return /** @type {const} */ ([box.x + px, box.y + y]);
}

test("a dropped file is drawn where its times are", async (t) => {
  const app = await opened(t);
  const y = await rowOf(app);
  const [left, alsoLeft, right, alsoRight, before, after] = await pixels(app, [
    [x(440), y], [x(498), y], [x(502), y], [x(990), y], [x(-5), y], [x(1005), y],
  ]);
  assert.equal(left, alsoLeft);
  assert.equal(right, alsoRight);
  assert.notEqual(left, right);
  assert.equal(before, after);
  assert.notEqual(before, left);
  assert.match(await app.page.innerText("#status"), /two_halves\.json .* 8 events .* 3 slices .* 1 thread .* no problems/);
  app.expectQuiet();
});

test("a chosen file is opened, and tells what flameline info tells", async (t) => {
  const app = await openApp(t);
  await app.choose(HALVES);
  await app.reaches("ready");
  const info = await app.info();
  assert.equal(info.format, "chrome-json");
  assert.deepEqual([info.events, info.slices, info.threads, info.instants, info.counters], [8, 3, 1, 1, 1]);
  assert.deepEqual([info.first_ns, info.last_ns, info.problems], [0, 1_000_000, {}]);
});

test("the wheel zooms at the pointer, keys zoom and 0 fits", async (t) => {
  const app = await opened(t);
  const y = await rowOf(app);
  const [left, right] = await pixels(app, [[x(450), y], [x(950), y]]);
  await app.page.mouse.move(...(await at(app, x(500), y)));
  await app.page.mouse.wheel(0, -500);
  await app.idle();
  assert.deepEqual(await pixels(app, [[x(500) - 3, y], [x(500) + 3, y], [x(0) - 8, y], [x(1000) + 5, y]]), [left, right, left, right]);
  await app.page.keyboard.press("0");
  await app.idle();
  assert.notEqual((await pixels(app, [[x(0) - 8, y]]))[0], left);
  await app.page.keyboard.press("w");
  await app.idle();
  assert.equal((await pixels(app, [[x(0) - 8, y]]))[0], left);
  await app.page.keyboard.press("0");
  await app.page.keyboard.press("d");
  await app.idle();
  assert.equal((await pixels(app, [[x(500) - 10, y]]))[0], right);
  app.expectQuiet();
});

test("dragging moves the trace under the pointer", async (t) => {
  const app = await opened(t);
  const y = await rowOf(app);
  const [left] = await pixels(app, [[x(450), y]]);
  await app.page.mouse.move(...(await at(app, x(500), y)));
  await app.page.mouse.wheel(0, -500);
  await app.page.mouse.down();
  const [to] = await at(app, x(500) + 200, y);
  const [, pageY] = await at(app, 0, y);
  await app.page.mouse.move(to, pageY, { steps: 4 });
  await app.page.mouse.up();
  await app.idle();
  assert.deepEqual(await pixels(app, [[x(500) + 190, y]]), [left]);
  assert.ok(await app.page.isHidden("#details"), "a drag is no click");
});

test("the pointer says what it is on", async (t) => {
  const app = await opened(t);
  const y = await rowOf(app);
  await app.page.mouse.move(...(await at(app, x(300), y)));
  await app.page.waitForSelector("#tip:not([hidden])");
  assert.match(await app.page.innerText("#tip"), /left[^]*500 µs[^]*self 400 µs/);
  await app.page.mouse.move(...(await at(app, x(300), 5)));
  await app.page.waitForSelector("#tip", { state: "hidden" });
});

for (const [what, file] of /** @type {const} */ ([
  ["a file", HALVES],
  ["a compressed file", { name: "two_halves.json.gz", body: gzipSync(HALVES.body) }],
])) {
  test(`a click shows everything about a slice of ${what}, arguments included`, async (t) => {
    const app = await opened(t, file);
    const y = await rowOf(app);
    await app.page.mouse.click(...(await at(app, x(300), y)));
    await app.page.waitForSelector("#details:not([hidden])");
    const text = await app.page.innerText("#details");
    for (const part of [/^left/, /half/, /500 µs/, /400 µs/, /task 7/, /executor/, /8192/, /part-00000\.parquet/]) {
      assert.match(text, part);
    }
    await app.page.keyboard.press("Escape");
    await app.page.waitForSelector("#details", { state: "hidden" });
    app.expectQuiet();
  });
}

test("a double click fits the slice to the window", async (t) => {
  const app = await opened(t);
  const y = await rowOf(app);
  const [right] = await pixels(app, [[x(950), y]]);
  await app.page.mouse.dblclick(...(await at(app, x(700), y)));
  await app.idle();
  assert.deepEqual(await pixels(app, [[x(100), y], [x(900), y]]), [right, right]);
});

test("a file that is no trace says so, and the next one opens", async (t) => {
  const app = await openApp(t);
  await app.drop({ name: "notes.txt", body: "dear diary" });
  await app.page.waitForSelector("html[data-state=error]");
  const message = await app.page.innerText("#problem");
  assert.match(message, /notes\.txt/);
  assert.match(message, /dear diary/);
  assert.match(message, /Chrome/);
  await app.drop(HALVES);
  await app.page.waitForSelector("html[data-state=ready]");
  assert.equal((await app.info()).slices, 3);
  app.expectQuiet();
});

test("an empty trace says that it is empty and why", async (t) => {
  const app = await openApp(t);
  await app.drop({ name: "empty.json", body: "[ " });
  await app.reaches("ready");
  assert.match(await app.page.innerText("#notice"), /no events/);
});

test("what was odd in the file is told with its place", async (t) => {
  const app = await openApp(t);
  const body = '[{"name":"open","ph":"B","pid":1,"tid":1,"ts":1},\n{"name":"late","ph":"E","pid":1,"tid":2,"ts":5},\n{"name":"x","ph":"X","pid":1,"tid":1,"ts":2,"dur":1}]';
  await app.drop({ name: "odd.json", body });
  await app.reaches("ready");
  await app.page.click("#show-problems");
  const text = await app.page.innerText("#problems");
  assert.match(text, /end that fits no open slice[^]*\t1\t50\t[^]*"late"/);
  assert.match(text, /no end/);
});

test("the memory timeline has its series, and hides one on request", async (t) => {
  const app = await opened(t);
  const button = app.page.locator("#legend button");
  assert.equal(await button.count(), 1);
  await app.page.mouse.move(...(await at(app, x(800), 40)));
  await app.idle();
  assert.match(await button.innerText(), /4\.0 MB/);
  const ink = () =>
    app.page.evaluate(() => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("chart"));
      const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).getImageData(300, 0, 900, canvas.height);
      return data.filter((_, at) => at % 4 === 0 && Math.abs(data[at] - data[at + 2]) > 40).length;
    });
  assert.ok((await ink()) > 500);
  await button.click();
  await app.idle();
  assert.equal(await ink(), 0);
  assert.equal(await button.getAttribute("aria-pressed"), "false");
});

test("the sample needs no request", async (t) => {
  const app = await openApp(t);
  await app.idle();
  const before = app.requests.length;
  await app.page.click("#sample");
  await app.reaches("ready");
  await app.idle();
  assert.ok((await app.info()).slices > 10_000);
  const after = app.requests.slice(before).filter((url) => !url.startsWith("blob:"));
  assert.deepEqual(after, []);
  app.expectQuiet();
});

/** Opens a made-up run of 100 MB, made in the page. */
async function openLarge(/** @type {App} */ app) {
  await app.idle();
  await app.page.evaluate(() => {
    // @ts-ignore the module's glue
    const text = wasm_bindgen.make_sample(100_000_000);
    /** @type {any} */ (window).flameline.open(new Blob([text]), "large.json");
  });
}

test("100 MB are read within 100 MB of memory, and reading asks nothing of anybody", async (t) => {
  const app = await openApp(t);
  await openLarge(app);
  await app.reaches("ready");
  await app.idle();
  // the glue gives the module's exports again when it is asked twice
  // @ts-ignore
  const bytes = await app.page.workers()[0].evaluate(() => wasm_bindgen.initSync().memory.buffer.byteLength);
  assert.ok(bytes < 100e6, `${bytes} bytes`);
  const own = ["", ...readdirSync(DIST, { recursive: true })];
  const others = app.requests.filter((url) => !url.startsWith("blob:") && !url.startsWith("data:") && !own.includes(url.slice(app.origin.length + 1)));
  assert.deepEqual(others, []);
  app.expectQuiet();
});

test("reading can be cancelled, and what was read stays", async (t) => {
  const app = await openApp(t);
  await openLarge(app);
  await app.page.waitForFunction(() => Number(/** @type {HTMLProgressElement} */ (document.getElementById("bar")).value) > 0.1);
  await app.page.evaluate(() => /** @type {HTMLElement} */ (document.getElementById("cancel")).click());
  await app.reaches("ready");
  assert.match(await app.page.innerText("#notice"), /cancelled: .* MB of 95\.4 MB/);
  const { bytes } = await app.info();
  assert.ok(bytes > 0 && bytes < 100e6, `${bytes}`);
});

test("?url= opens a file beside the page, and says when there is none", async (t) => {
  const app = await openApp(t, { path: "/?url=open/two_halves.json", files: { "open/two_halves.json": join(import.meta.dirname, "../data/page/two_halves.json") } });
  await app.reaches("ready");
  assert.equal(await app.page.innerText("#title"), "two_halves.json");
  await app.page.goto(`${app.origin}/?url=missing.json`);
  await app.page.waitForSelector("html[data-state=error]");
  assert.match(await app.page.innerText("#problem"), /missing\.json can't be opened: 404/);
});

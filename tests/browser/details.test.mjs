// @ts-check
// Details: what the panel says of a slice, a thread and the memory, and how a finger or two move the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openApp } from "./harness.mjs";
import { NESTED } from "./nested.mjs";

/** @typedef {Awaited<ReturnType<typeof openApp>>} App */

async function opened(/** @type {import("node:test").TestContext} */ t, options = {}) {
  const app = await openApp(t, options);
  await app.drop(NESTED);
  await app.reaches("ready");
  await app.idle();
  return app;
}

async function press(/** @type {App} */ app, /** @type {string[]} */ ...keys) {
  for (const key of keys) {
    await app.page.keyboard.press(key);
    await app.idle();
  }
}

const GUTTER = 256;
const PLOT = 1280 - GUTTER - 14;
/** Where a time in µs stands once the whole millisecond is fitted with a hundredth of room on both sides. */
const x = (/** @type {number} */ us) => GUTTER + ((us + 10) / 1020) * PLOT;

/** A table of the panel by its title: a line of text for each row. */
const table = (/** @type {App} */ app, /** @type {RegExp} */ title) =>
  app.page.locator(".listing", { has: app.page.locator("h3", { hasText: title }) }).locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).join(" | ")));

const title = (/** @type {App} */ app) => app.page.innerText("#details h2 span");

const execute = async (/** @type {App} */ app) => press(app, "Enter", "ArrowDown");

test("a slice tells its share of the parent, its callers and its children, and each is a link", async (t) => {
  const app = await opened(t);
  await execute(app);
  const text = await app.page.innerText("#details");
  for (const part of [/400 µs/, /40 % of main/, /Self time\s+175 µs .*43\.8 %/, /driver/, /Start\s+500 µs/]) assert.match(text, part);
  assert.deepEqual(await table(app, /Stack/), ["main | 1 ms | 40 %", "execute | 400 µs | 100 %"]);
  assert.deepEqual(await table(app, /2 children/), ["decode | 125 µs | 31.2 %", "read | 100 µs | 25 %"]);
  await app.page.click("#details .link >> text=decode");
  await app.idle();
  assert.deepEqual(await table(app, /Stack/), ["main | 1 ms | 12.5 %", "execute | 400 µs | 31.2 %", "decode | 125 µs | 100 %"]);
  await app.page.focus("#details .link >> text=main");
  await press(app, "Enter");
  assert.equal(await title(app), "main");
  assert.equal(await app.page.evaluate(() => document.activeElement?.id), "details", "who was in the panel stays in it");
  app.expectQuiet();
});

test("arguments are a tree that opens bit by bit", async (t) => {
  const app = await opened(t);
  await execute(app);
  const rows = () => app.page.locator("#args > div").count();
  const line = (/** @type {string} */ key) => app.page.locator("#args > div", { has: app.page.locator(".key", { hasText: new RegExp(`^${key}$`) }) }).first();
  assert.equal(await rows(), 5);
  assert.match(await line("exact").innerText(), /9007199254740993/);
  const plan = line("plan").locator("button");
  assert.equal(await plan.getAttribute("aria-expanded"), "false");
  await plan.focus();
  await app.page.keyboard.press("Enter");
  await line("files").waitFor();
  assert.match(await line("name").innerText(), /"Scan"/);
  assert.equal(await app.page.evaluate(() => document.activeElement?.getAttribute("aria-expanded")), "true", "the keyboard stays where it was");
  await line("many").locator("button").click();
  await app.page.waitForSelector("#args .more >> text=9,900 more");
  assert.equal(await rows(), 5 + 4 + 100 + 1);
  await app.page.click("#args .more >> text=9,900 more");
  await app.page.waitForSelector("#args .more >> text=9,000 more");
  await line("sql").locator(".more").click();
  await app.page.waitForSelector("#args .more >> text=Show less");
  assert.match(await line("sql").innerText(), /x, 1"/);
  app.expectQuiet();
});

test("the name and the arguments can be copied", async (t) => {
  const app = await opened(t);
  await app.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await execute(app);
  const copied = async (/** @type {string} */ button) => {
    await app.page.evaluate(() => navigator.clipboard.writeText(""));
    await app.page.click(`#details >> text=${button}`);
    await app.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
    return app.page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("Copy name"), "execute");
  assert.deepEqual(Object.keys(JSON.parse(await copied("Copy arguments"))), ["rows", "exact", "plan", "many", "sql"]);
  assert.equal(await app.page.textContent("#said"), "Copied");
});

test("a thread's name leads to its longest slices, and those to the memory at their time", async (t) => {
  const app = await opened(t);
  const box = await app.page.locator("#timeline").boundingBox();
  assert.ok(box);
  // a click on the name of the first thread, below the header of the process and the counters
  await app.page.mouse.move(box.x + 100, box.y + 26 + 26 + 26 + 38 + 12);
  await app.page.waitForSelector("#tip:not([hidden])");
  assert.match(await app.page.innerText("#tip"), /driver[^]*5 slices · busy 1 ms[^]*longest slices/);
  await app.page.mouse.down();
  await app.page.mouse.up();
  await app.idle();
  assert.equal(await title(app), "driver");
  assert.match(await app.page.innerText("#details"), /Busy\s+1 ms .*100 % of its time/);
  const longest = await table(app, /longest slices/);
  assert.deepEqual(longest.slice(0, 2), ["main | 1 ms | 0 ns | 0", "execute | 400 µs | 500 µs | 1"]);
  await app.page.click("#details .link >> text=execute");
  await app.idle();
  assert.equal(await title(app), "execute");
  assert.deepEqual(await table(app, /Memory over its time/), ["allocator | 1.0 MB | 4.0 MB"]);
  app.expectQuiet();
});

test("the triangle beside a name folds, and a double click there fits nothing", async (t) => {
  const app = await opened(t);
  const box = await app.page.locator("#timeline").boundingBox();
  assert.ok(box);
  const extent = () => app.page.evaluate(() => document.getElementById("extent")?.offsetHeight);
  const open = await extent();
  await app.page.mouse.click(box.x + 12, box.y + 26 + 13);
  await app.idle();
  assert.ok(Number(await extent()) < Number(open));
  assert.ok(await app.page.isHidden("#details"));
  await app.page.mouse.dblclick(box.x + 12, box.y + 26 + 13);
  await app.idle();
  assert.ok(Number(await extent()) < Number(open));
});

/** The colours of the row of `plan` and `execute` at some places. */
const colors = (/** @type {App} */ app, /** @type {number[]} */ xs) =>
  app.page.evaluate((xs) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("timeline"));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    return xs.map((x) => [...context.getImageData(Math.round(x), 26 + 26 + 26 + 38 + 19 + 3, 1, 1).data].slice(0, 3).join());
  }, xs);

test("two fingers zoom around what is between them, one pans, and a tap selects", async (t) => {
  const app = await opened(t);
  const client = await app.page.context().newCDPSession(app.page);
  const box = await app.page.locator("#timeline").boundingBox();
  assert.ok(box);
  const y = box.y + 140;
  const touch = (/** @type {string} */ type, /** @type {number[]} */ ...xs) =>
    client.send("Input.dispatchTouchEvent", { type: /** @type {any} */ (type), touchPoints: xs.map((x, id) => ({ x: box.x + x, y, id })) });
  const [white, blue] = await colors(app, [x(430), x(700)]);
  assert.notEqual(white, blue);
  await touch("touchStart", x(500) - 50);
  await touch("touchStart", x(500) - 50, x(500) + 50);
  for (let n = 60; n <= 200; n += 10) await touch("touchMove", x(500) - n, x(500) + n);
  await touch("touchEnd");
  await app.idle();
  assert.deepEqual(await colors(app, [x(500) - 3, x(500) + 4, x(950)]), [white, blue, blue]);
  assert.ok(await app.page.isHidden("#details"), "two fingers select nothing");
  await touch("touchStart", x(500) + 150);
  for (let n = 150; n >= 50; n -= 10) await touch("touchMove", x(500) + n);
  await touch("touchEnd");
  await app.idle();
  assert.deepEqual(await colors(app, [x(500) - 106, x(500) - 94]), [white, blue]);
  await touch("touchStart", x(500) + 50);
  await touch("touchEnd");
  await app.idle();
  assert.equal(await title(app), "execute");
  app.expectQuiet();
});

test("a pinch on a touch pad zooms the trace and not the page", async (t) => {
  const app = await opened(t);
  const box = await app.page.locator("#timeline").boundingBox();
  assert.ok(box);
  const [white, blue] = await colors(app, [x(430), x(700)]);
  await app.page.mouse.move(box.x + x(500), box.y + 140);
  await app.page.keyboard.down("Control");
  for (let n = 0; n < 10; n++) await app.page.mouse.wheel(0, -10);
  await app.page.keyboard.up("Control");
  await app.idle();
  assert.deepEqual(await colors(app, [x(500) - 3, x(500) + 4, x(950)]), [white, blue, blue]);
  assert.equal(await app.page.evaluate(() => visualViewport?.scale), 1);
  assert.equal(await app.page.evaluate(() => innerWidth), 1280);
});

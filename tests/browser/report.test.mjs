// @ts-check
// Report: Comet's memory report on the page, the same as on the command line, and who ran while memory grew.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { openApp } from "./harness.mjs";

const FOLDER = join(import.meta.dirname, "../data/comet");
const MB = 1 << 20;

/** A run of 40 s: `scan`, `leak` and `sort` by turns; each `leak` keeps 1 MB that no pool accounts for. */
function leaking() {
  const lines = [];
  let kept = 100 * MB;
  const counter = (/** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ value) =>
    lines.push(`{ "name": "${name}", "cat": "PERF", "ph": "C", "pid": 1, "tid": 7, "ts": ${ts}, "args": { "${name}": ${value} } },`);
  for (let call = 0; call < 400; call++) {
    const name = ["scan", "leak", "sort"][call % 3];
    const start = call * 100_000;
    const event = (/** @type {string} */ ph, /** @type {number} */ ts) =>
      lines.push(`{ "name": "${name}", "cat": "PERF", "ph": "${ph}", "pid": 1, "tid": 7, "ts": ${ts} },`);
    event("B", start);
    if (name === "leak") kept += MB;
    counter("jemalloc_allocated", start + 89_000, kept + 20 * MB);
    counter("thread_7_comet_memory_reserved", start + 89_500, 60 * MB);
    event("E", start + 90_000);
  }
  return `[ ${lines.join("\n")}\n`;
}

test("the page's report is that of the command line for every trace like Comet's", async (t) => {
  const app = await openApp(t);
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".report.jsonl"));
  assert.ok(names.length >= 16);
  for (const name of names) {
    const trace = name.replace(".report.jsonl", ".json");
    await app.choose({ path: join(FOLDER, trace) });
    await app.page.waitForFunction((trace) => document.title.startsWith(trace), trace);
    await app.idle();
    const ours = await app.page.evaluate(() => /** @type {any} */ (window).flameline.memory());
    const theirs = JSON.parse(await readFile(join(FOLDER, name), "utf8"));
    const nameless = (/** @type {object[]} */ reports) => reports.map((report) => ({ ...report, file: "" }));
    assert.deepEqual(nameless(ours), nameless(theirs), trace);
    const has = await app.page.isVisible("#show-report");
    if (!has) continue;
    await app.page.click("#show-report");
    await app.idle();
    const shown = await app.page.innerText("#report");
    const [{ points, final }] = theirs.length ? theirs : [{ points: [], final: [] }];
    if (points.length) assert.match(shown, new RegExp(`More allocated than reserved: ${points.length} point`), trace);
    for (const { name } of final.slice(0, 20)) assert.ok(shown.includes(name), `${trace}: ${name}`);
  }
  app.expectQuiet();
});

test("who leaks stands first, and the growth is told in words", async (t) => {
  const app = await openApp(t);
  await app.drop({ name: "leak.json", body: leaking() });
  await app.reaches("ready");
  await app.idle();
  await app.page.keyboard.press("m");
  await app.idle();
  const report = await app.page.innerText("#report");
  assert.match(report, /grew by .*MB\/min.* follows the calls of `leak` closely \(fit .*\): .*MB a call/);
  const first = await app.page.locator("#report table").first().locator("tbody tr").first().innerText();
  assert.match(first, /^leak\s/);
  app.expectQuiet();
});

test("the function that leaks beside others is named, with what a call keeps", { timeout: 240_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "flameline-leak-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "leak.json");
  const made = ["run", "--quiet", "--example", "gen_trace", "--", "--size", "20MB", "--seed", "3"];
  await promisify(execFile)("cargo", [...made, "--leak", "shuffle_insert_batch:400000", path], { cwd: join(import.meta.dirname, "../..") });
  const app = await openApp(t);
  await app.choose({ path });
  await app.reaches("ready");
  await app.idle();
  await app.page.click("#show-report");
  await app.idle();
  const report = await app.page.innerText("#report");
  const [, name, fit, size] = /follows the calls of `(.+)` closely \(fit (.+)\): (.+) KB a call/.exec(report) ?? [];
  assert.equal(name, "shuffle_insert_batch", report.slice(0, 1_000));
  assert.ok(Number(fit) > 0.95, fit);
  assert.ok(Math.abs((Number(size) * 1024) / 400_000 - 1) < 0.1, size);
  const first = await app.page.locator("#report table").first().locator("tbody tr").first().innerText();
  assert.match(first, /^shuffle_insert_batch\s/);
  app.expectQuiet();
});

test("tables are sorted by their heads, and a point leads to its time", async (t) => {
  const app = await openApp(t);
  await app.drop({ name: "leak.json", body: leaking() });
  await app.reaches("ready");
  await app.idle();
  await app.page.click("#show-report");
  await app.idle();
  const table = app.page.locator("#report .listing", { hasText: "More allocated than reserved" });
  const times = () => table.locator("tbody tr td:first-child").allInnerTexts();
  const before = await times();
  await table.locator("th button", { hasText: "Time" }).click();
  assert.deepEqual((await times())[0], "40 s");
  await table.locator("th button", { hasText: "Time" }).click();
  assert.deepEqual((await times()).slice(0, 5), before.slice(0, 5));
  await app.page.keyboard.press("0");
  await table.locator("tbody button").nth(3).click();
  await app.idle();
  assert.match(await app.page.innerText("#details"), /jemalloc_allocated/);
  assert.match((await app.page.textContent("#said")) ?? "", /jemalloc_allocated, .*MB at/);
  app.expectQuiet();
});

test("times in nanoseconds are read again as such, and that is said", async (t) => {
  const app = await openApp(t);
  await app.drop({ name: "old.json", body: '[{"name":"a","ph":"X","pid":1,"tid":1,"ts":1000,"dur":5000}]' });
  await app.reaches("ready");
  await app.page.keyboard.press("p");
  await app.page.selectOption("#ts-unit", "ns");
  await app.page.waitForFunction(() => /** @type {any} */ (window).flameline.info()?.problems?.ts_unit === 1);
  await app.idle();
  assert.deepEqual((({ first_ns, last_ns }) => [first_ns, last_ns])(await app.info()), [1000, 6000]);
  assert.match(await app.page.textContent("#problems") ?? "", /taken for nanoseconds/);
  app.expectQuiet();
});

test("the pools of threads are shown as layers on demand", async (t) => {
  const app = await openApp(t);
  await app.choose({ path: join(FOLDER, "run.json") });
  await app.reaches("ready");
  await app.idle();
  const series = () => app.page.locator("#legend button span").allInnerTexts();
  const before = await series();
  await app.page.locator("#legend button", { hasText: "pools by thread" }).click();
  await app.idle();
  const layers = (await series()).filter((label) => /^thread \d+$/.test(label));
  assert.ok(layers.length > 1, `${await series()}`);
  await app.page.locator("#legend button", { hasText: "pools as a sum" }).click();
  await app.idle();
  assert.deepEqual(await series(), before);
  app.expectQuiet();
});

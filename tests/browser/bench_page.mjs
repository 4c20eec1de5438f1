// @ts-check
// Benches of the page in a real Chromium: how long it takes for a file, what it costs, how it zooms; beside the
// bare read of the same file in the same page and, where there are any, beside other viewers on the same file.
//
//   cargo xtask bench --browser --filter page -- [--rounds N] [--peers FOLDER] [SIZE | FILE]…
//
// SIZE (10MB) makes a trace like Comet's; without any, 10 MB, 100 MB and 1 GB are taken.
// FOLDER has a script for each other viewer: `node FOLDER/NAME.mjs FILE` opens the file there and prints a line of
// JSON with `load.ms`, `load.longest`, `mem.rendererPeakMB`, `idle` and `frames.p95`, or `error`.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, test } from "node:test";

import { openApp } from "./harness.mjs";
import { memory, opening, watch, zooming } from "./measure.mjs";

const args = process.argv.slice(2).filter((word) => word !== "--");
const option = (/** @type {string} */ name) => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const ROUNDS = Number(option("--rounds") ?? 3);
const PEERS = option("--peers");
const INPUTS = args.length ? args : ["10MB", "100MB", "1GB"];
/** What the drivers of other viewers share, which is none of them. */
const NO_DRIVER = "lib.mjs";
const folder = mkdtempSync(join(tmpdir(), "flameline-bench-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const median = (/** @type {number[]} */ values) => values.toSorted((a, b) => a - b)[values.length >> 1];

for (const input of INPUTS) {
  test(input, { timeout: 1_800_000 }, async (t) => {
    const path = /^\d+[kMG]B$/.test(input) ? made(input) : resolve(input);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await ours(t, path));
    const peers = PEERS ? readdirSync(PEERS).filter((name) => name.endsWith(".mjs") && name !== NO_DRIVER) : [];
    console.log(`${basename(path)}, ${(statSync(path).size / 1e6).toFixed(1)} MB, median of ${ROUNDS}`);
    const of = (/** @type {(round: typeof rounds[0]) => number} */ get) => median(rounds.map(get));
    const [read, ready] = [of((r) => r.read), of((r) => r.ready)];
    console.log(`  bare read ${ms(read)}, first bars ${ms(of((r) => r.bars))}`);
    line("flameline", {
      ready,
      task: of((r) => r.task),
      memory: of((r) => r.memory),
      settled: of((r) => r.settled),
      p95: of((r) => r.p95),
      worst: of((r) => r.worst),
      zoomTask: of((r) => r.zoomTask),
    });
    for (const peer of peers) line(basename(peer, ".mjs"), theirs(join(PEERS ?? "", peer), path), ready);
  });
}

/** A trace like Comet's. */
function made(/** @type {string} */ size) {
  const path = join(folder, `comet-${size}.json`);
  const generate = ["run", "--quiet", "--release", "--example", "gen_trace", "--", "--size", size, "--seed", "1", path];
  execFileSync("cargo", generate, { stdio: "inherit" });
  return path;
}

/** Our page on a file: once for the first bars, for which pixels are read, and once for everything else. */
async function ours(/** @type {import("node:test").TestContext} */ t, /** @type {string} */ path) {
  const viewport = { width: 1600, height: 900 };
  const probe = await openApp(t, { viewport, init: watch });
  await probe.reaches("empty");
  const seen = probe.page.evaluate(firstBars);
  await probe.choose({ path });
  const bars = await seen;
  await probe.reaches("ready", 600_000);
  const read = await bareRead(probe, path);
  await probe.page.close();

  const app = await openApp(t, { viewport, init: watch });
  await app.reaches("empty");
  await app.idle();
  await pause(1000);
  const empty = memory(app.profile).now;
  const opened = opening(app.page);
  await app.choose({ path });
  const { ready, task } = await opened;
  await pause(1000);
  const { now, peak } = memory(app.profile);
  const frames = await zooming(app.page);
  await app.page.close();
  return { read, bars, ready, task, memory: peak - empty, settled: now - empty, p95: frames.p95, worst: frames.worst, zoomTask: frames.task };
}

/** Milliseconds from the file's arrival until there is colour on the timeline. Runs in the page. */
function firstBars() {
  const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("timeline"));
  const { seen } = /** @type {any} */ (window);
  return new Promise((resolve) => {
    const look = () => (seen.start && hasColour() ? resolve(performance.now() - seen.start) : requestAnimationFrame(look));
    look();
  });
  // bars are the only thing on the canvas with saturated colour
  function hasColour() {
    const width = Math.min(canvas.width, 600);
    if (!width || !canvas.height) return false;
    const probe = new OffscreenCanvas(width, 1).getContext("2d");
    for (const share of [0.2, 0.35, 0.5, 0.65]) {
      probe?.drawImage(canvas, 0, Math.floor(canvas.height * share), width, 1, 0, 0, width, 1);
      const data = probe?.getImageData(0, 0, width, 1).data ?? [];
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
        if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) return true;
      }
    }
    return false;
  }
}

/** Milliseconds to read the file in a worker of the page and do nothing with it. */
async function bareRead(/** @type {Awaited<ReturnType<typeof openApp>>} */ app, /** @type {string} */ path) {
  await app.page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "bare" })));
  await app.choose({ path }, "#bare");
  return app.page.evaluate(async () => {
    const file = /** @type {HTMLInputElement} */ (document.getElementById("bare")).files?.[0];
    const code = `onmessage = ({ data }) => {
      const start = performance.now();
      const reader = new FileReaderSync();
      for (let at = 0; at < data.size; at += 8 << 20) reader.readAsArrayBuffer(data.slice(at, at + (8 << 20)));
      postMessage(performance.now() - start);
    }`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    return /** @type {Promise<number>} */ (new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(file);
    }));
  });
}

/** Another viewer on the same file: the median of as many rounds, by time to ready. */
function theirs(/** @type {string} */ driver, /** @type {string} */ path) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const said = JSON.parse(execFileSync("node", [driver, path, "--timeout", "300"], { encoding: "utf8" }));
    if (said.error) return { error: String(said.error) };
    const { load, mem, idle, frames } = said;
    return { ready: load.ms, task: load.longest, memory: mem.rendererPeakMB - idle, p95: frames?.p95, worst: frames?.max };
  });
  const good = rounds.filter((round) => !round.error).toSorted((a, b) => Number(a.ready) - Number(b.ready));
  return good[good.length >> 1] ?? rounds[0];
}

/** @typedef {{ ready?: number, task?: number, memory?: number, settled?: number, p95?: number, worst?: number, zoomTask?: number, error?: string }} Found */
function line(/** @type {string} */ name, /** @type {Found} */ found, /** @type {number | undefined} */ ours = undefined) {
  if (found.error) return console.log(`  ${name.padEnd(10)} fails: ${found.error}`);
  const times = ours && found.ready ? ` (${(found.ready / ours).toFixed(1)} x ours)` : "";
  const settled = found.settled === undefined ? "" : ` (${found.settled.toFixed(0)} a second later)`;
  console.log(
    `  ${name.padEnd(10)} ready ${ms(found.ready)}${times}, longest task ${ms(found.task)}, ` +
      `memory above the empty page ${found.memory?.toFixed(0)} MB${settled}, ` +
      `zooming: frames p95 ${found.p95?.toFixed(1)} ms, worst ${found.worst?.toFixed(1)} ms` +
      (found.zoomTask === undefined ? "" : `, longest task ${ms(found.zoomTask)}`),
  );
}

const ms = (/** @type {number | undefined} */ time) => `${time?.toFixed(0)} ms`;
const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

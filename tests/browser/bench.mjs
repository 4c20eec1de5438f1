// @ts-check
// Benches in a real Chromium: scanner and import in wasm beside serde_json on the same bytes, and
// how long the page takes for a file beside the bare read of the same file in the same page.
//
//   cargo xtask bench --browser [SIZE_MB]

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { openApp } from "./harness.mjs";

const SIZE_MB = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 100);
const ROUNDS = 7;
const folder = mkdtempSync(join(tmpdir(), "flameline-bench-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const median = (/** @type {number[]} */ values) => values.toSorted((a, b) => a - b)[values.length >> 1];

test("scanner and import in wasm", { timeout: 600_000 }, async (t) => {
  const app = await openApp(t);
  await app.reaches("empty");
  const found = await app.page.evaluate(
    async ({ bytes, rounds }) => {
      // @ts-ignore the glue's name is a binding of the page, not a property of its window
      const wasm = wasm_bindgen;
      // the page may still be on its way to do the same
      await wasm({ module_or_path: "flameline_bg.wasm" });
      const length = wasm.bench_prepare(bytes);
      /** @type {Record<string, number[]>} */
      const times = { bench_scan: [], bench_import: [], bench_serde_json: [] };
      for (let round = 0; round < rounds; round++) {
        for (const [name, list] of Object.entries(times)) {
          const start = performance.now();
          wasm[name]();
          list.push(performance.now() - start);
        }
      }
      return { length, times };
    },
    { bytes: SIZE_MB * 1_000_000, rounds: ROUNDS },
  );
  const rate = (/** @type {string} */ name) => found.length / 1000 / median(found.times[name]);
  console.log(`Comet-like trace of ${found.length} bytes in wasm, median of ${ROUNDS} rounds`);
  for (const name of Object.keys(found.times)) {
    const times = (rate(name) / rate("bench_serde_json")).toFixed(2);
    console.log(`${name.slice(6).padEnd(12)} ${rate(name).toFixed(0).padStart(6)} MB/s   ${times} x serde_json`);
  }
});

test("a file in the page", { timeout: 600_000 }, async (t) => {
  const path = join(folder, "comet.json");
  const generate = ["run", "--quiet", "--release", "--example", "gen_trace", "--"];
  execFileSync("cargo", [...generate, "--size", `${SIZE_MB}MB`, "--seed", "1", path], { stdio: "inherit" });
  /** @type {{read: number, bars: number, ready: number, task: number}[]} */
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    const app = await openApp(t);
    await app.reaches("empty");
    const times = app.page.evaluate(
      () =>
        new Promise((resolve) => {
          const page = document.documentElement;
          let [task, bars, start] = [0, 0, 0];
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (start) task = Math.max(task, entry.duration);
          }).observe({ entryTypes: ["longtask"] });
          const input = /** @type {HTMLInputElement} */ (document.getElementById("file"));
          input.addEventListener("change", () => (start = performance.now()), { capture: true, once: true });
          const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("timeline"));
          const watch = () => {
            if (start && !bars && hasColour(canvas)) bars = performance.now() - start;
            if (start && page.dataset.state === "ready") {
              const ready = performance.now() - start;
              setTimeout(() => resolve({ bars, ready, task }), 200);
            } else requestAnimationFrame(watch);
          };
          watch();
          // bars are the only thing on the canvas with saturated colour
          function hasColour(/** @type {HTMLCanvasElement} */ canvas) {
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
        }),
    );
    await app.choose({ path });
    const { bars, ready, task } = /** @type {any} */ (await times);
    await app.page.evaluate(() => {
      const input = Object.assign(document.createElement("input"), { type: "file", id: "bare" });
      document.body.append(input);
    });
    await app.choose({ path }, "#bare");
    const read = await app.page.evaluate(async () => {
      const file = /** @type {HTMLInputElement} */ (document.getElementById("bare")).files?.[0];
      const code = `onmessage = ({ data }) => {
        const start = performance.now();
        const reader = new FileReaderSync();
        for (let at = 0; at < data.size; at += 8 << 20) reader.readAsArrayBuffer(data.slice(at, at + (8 << 20)));
        postMessage(performance.now() - start);
      }`;
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      return new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.postMessage(file);
      });
    });
    rounds.push({ read, bars, ready, task });
    await app.page.close();
  }
  const of = (/** @type {"read" | "bars" | "ready" | "task"} */ key) => median(rounds.map((round) => round[key]));
  console.log(`file of ${SIZE_MB} MB in the page, median of ${rounds.length}`);
  console.log(`bare read ${of("read").toFixed(0)} ms, first bars ${of("bars").toFixed(0)} ms, ready ${of("ready").toFixed(0)} ms`);
  console.log(`ready / bare read ${(of("ready") / of("read")).toFixed(2)}, longest main-thread task ${of("task").toFixed(0)} ms`);
});

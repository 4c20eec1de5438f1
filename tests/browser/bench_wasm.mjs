// @ts-check
// Benches in a real Chromium: scanner and import in wasm beside serde_json on the same bytes.
//
//   cargo xtask bench --browser --filter wasm [-- SIZE_MB]

import { test } from "node:test";

import { openApp } from "./harness.mjs";

const SIZE_MB = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 100);
const ROUNDS = 7;

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

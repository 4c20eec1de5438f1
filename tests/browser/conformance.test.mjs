// @ts-check
// Real files of other programs in the page, one after another: each opens with the counts of an
// independent reading, and nothing is said on the console.
//
// `FLAMELINE_CONFORMANCE_DIR` names the folder, see tests/conformance.rs. Without it nothing is done.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { openApp } from "./harness.mjs";

const FOLDER = process.env.FLAMELINE_CONFORMANCE_DIR;
const skip = FOLDER ? false : "FLAMELINE_CONFORMANCE_DIR is not set";

/** A missing tid takes the pid: an instant without one is not on a thread of its own. */
const OURS = new Map([["tensorboard_tf_trace_viewer_demo.json", { threads: 3 }]]);

/** Opens a file of a folder in the page; gives what the page knows of it. */
async function open(
  /** @type {Awaited<ReturnType<typeof openApp>>} */ app,
  /** @type {string} */ folder,
  /** @type {string} */ file,
) {
  await app.choose({ path: join(folder, file) });
  // the page may still be ready with the file before
  await app.page.waitForFunction(
    (name) => document.getElementById("title")?.textContent === name,
    file,
  );
  await app.reaches("ready");
  await app.idle();
  return app.info();
}

test("every Chrome trace of the folder opens with its counts", { skip, timeout: 600_000 }, async (t) => {
  const traces = join(String(FOLDER), "traces");
  const [head, ...rows] = readFileSync(join(traces, "MANIFEST.tsv"), "utf8").trimEnd().split("\n");
  const columns = head.split("\t");
  const app = await openApp(t);
  let opened = 0;
  for (const row of rows) {
    const cells = row.split("\t");
    const of = (/** @type {string} */ column) => cells[columns.indexOf(column)];
    if (!/^\d+$/.test(of("events"))) continue;
    const file = of("file");
    const info = await open(app, traces, file);
    const ours = /** @type {Record<string, number>} */ (OURS.get(file) ?? {});
    for (const column of ["events", "processes", "threads"]) {
      assert.equal(Number(info[column]), ours[column] ?? Number(of(column)), `${column} of ${file}`);
    }
    app.expectQuiet();
    opened += 1;
  }
  assert.ok(opened > 40, `${opened} traces were opened`);
});

test("every trace like Comet's opens, also the empty ones", { skip, timeout: 300_000 }, async (t) => {
  const folder = join(String(FOLDER), "golden/comet");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  assert.ok(files.length >= 16, `${files.length} traces like Comet's`);
  const app = await openApp(t);
  for (const file of files) {
    const info = await open(app, folder, file);
    const problems = /** @type {Record<string, number>} */ (info.problems);
    if (file === "two-sessions.json") assert.equal(Number(info.sessions), 2);
    if (file === "doc-sample.json") {
      assert.equal(Number(problems.unmatched_end), 2);
      assert.equal(Number(problems.unfinished), 1);
    }
    if (file === "empty.json" || file === "only-bracket.json") assert.equal(Number(problems.empty), 1);
    app.expectQuiet();
  }
});

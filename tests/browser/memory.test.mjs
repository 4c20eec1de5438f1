// @ts-check
// Memory: what stays of a file when the next one is opened.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { openApp } from "./harness.mjs";
import { memory } from "./measure.mjs";

/** About 13 MB: calls in calls on four threads, and a counter. */
function trace() {
  const lines = [];
  for (let at = 0; at < 120_000; at++) {
    const [ts, tid] = [at * 5, at % 4];
    lines.push(`{"name":"outer ${at % 50}","ph":"X","ts":${ts},"dur":18,"pid":1,"tid":${tid},"args":{"row":${at}}}`);
    if (at % 4 === 0) lines.push(`{"name":"memory","ph":"C","ts":${ts},"pid":1,"tid":0,"args":{"memory":${at * 1000}}}`);
  }
  return `[${lines.join(",\n")}]`;
}

test("after five files no more memory is taken than after one", { skip: !existsSync("/proc/self/status") }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "flameline-memory-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "trace.json");
  await writeFile(path, trace());
  const app = await openApp(t);
  await app.reaches("empty");
  const sizes = [];
  for (let file = 0; file < 6; file++) {
    await app.choose({ path });
    await app.reaches("loading");
    await app.idle();
    assert.equal(await app.state(), "ready");
    assert.equal((await app.info()).slices, 120_000);
    // what is no longer reachable is not taken: without this the browser collects when it likes
    const client = await app.page.context().newCDPSession(app.page);
    await client.send("HeapProfiler.collectGarbage");
    await client.detach();
    sizes.push(memory(app.profile).now);
    assert.equal(app.page.workers().length, 1, "one trace, one worker");
  }
  const growth = sizes[5] - sizes[1]; // the first may still fill what the browser keeps for itself
  assert.ok(growth < 12, `${sizes.map((size) => size.toFixed(0)).join(", ")} MB`);
  app.expectQuiet();
});

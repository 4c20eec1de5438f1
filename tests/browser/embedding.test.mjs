// @ts-check
// Embedding: what docs/embedding.md promises to pages and tests of others, by its own examples.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { openApp } from "./harness.mjs";

const DOC = await readFile(join(import.meta.dirname, "../../docs/embedding.md"), "utf8");
const DATA = join(import.meta.dirname, "../data/page/two_halves.json");
const example = (/** @type {string} */ language) => DOC.split(`\`\`\`${language}\n`)[1].split("```")[0];

test("the example of a frame opens its trace", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "flameline-embedding-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "frame.html");
  // without an icon the browser asks the host for one
  await writeFile(path, example("html").replace("html>", 'html><link rel="icon" href="data:,">'));
  const app = await openApp(t, { path: "/frame.html", files: { "frame.html": path } });
  await app.page.waitForFunction(() => document.title === "1 slice");
  app.expectQuiet();
});

test("the example of a browser test reads a file", async (t) => {
  const app = await openApp(t);
  const script = example("js").replaceAll("http://localhost:8080", app.origin).replace("comet-event-trace.json", DATA);
  const run = new Function("page", `return (async () => { ${script}; return { slices, problems }; })()`);
  assert.deepEqual(await run(app.page), { slices: 3, problems: {} });
  app.expectQuiet();
});

test("the elements that are named are there", async (t) => {
  const app = await openApp(t);
  const ids = [...DOC.matchAll(/^\| `(\w+)` \|/gm)].map(([, id]) => id);
  assert.ok(ids.length >= 6, `${ids}`);
  for (const id of ids) assert.equal(await app.page.locator(`#${id}`).count(), 1, id);
});

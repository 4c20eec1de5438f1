// @ts-check
// Embedding: what docs/embedding.md promises to pages and tests of others, by its own examples.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { DIST, openApp } from "./harness.mjs";

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
  // a File of the page around brings its name
  const title = await app.page.evaluate(async () => {
    const { document, flameline } = /** @type {any} */ (window.frames[0]);
    await flameline.open(new File(['[{"name":"more","ph":"X","ts":0,"dur":5}]'], "more.json"));
    await flameline.idle();
    return document.getElementById("title").textContent;
  });
  assert.equal(title, "more.json");
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

test("what is known of no trace is nothing", async (t) => {
  const app = await openApp(t);
  await app.idle();
  assert.deepEqual(await app.info(), {});
  await app.drop({ name: "notes.txt", body: "no trace" });
  await app.page.waitForSelector("html[data-state=error]");
  await app.idle();
  assert.equal(await app.info(), null);
  assert.match(await app.page.innerText("#problem"), /notes\.txt/);
});

test("the policy can be sent as a header too", async (t) => {
  const hosting = await readFile(join(import.meta.dirname, "../../docs/hosting.md"), "utf8");
  const [name, value] = hosting.split("```text\n")[1].split("\n")[0].split(/: (.*)/);
  const page = await readFile(join(DIST, "index.html"), "utf8");
  assert.ok(page.includes(`"${value.replace("; frame-ancestors 'self'", "")}"`), "it is the page's own, and who may frame it");
  const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp", "x-content-type-options": "nosniff" };
  const app = await openApp(t, { as: { headers: { [name]: value, ...isolated } } });
  await app.drop({ path: DATA });
  await app.reaches("ready");
  await app.idle();
  assert.equal((await app.info()).slices, 3);
  app.expectQuiet();
});

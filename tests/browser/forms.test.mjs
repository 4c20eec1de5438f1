// @ts-check
// Forms: the page as a folder on any host and as one file on a disk; what holds in both, and every way in.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { openApp } from "./harness.mjs";

const DATA = join(import.meta.dirname, "../data/page/two_halves.json");
const HALVES = { name: "two_halves.json", body: await readFile(DATA) };
const FORMS = /** @type {const} */ ([["a folder on a host", {}], ["one file on a disk", { oneFile: true }]]);

/** @typedef {Awaited<ReturnType<typeof openApp>>} App */

const slices = async (/** @type {App} */ app) => {
  await app.reaches("ready");
  await app.idle();
  return (await app.info()).slices;
};

for (const [form, options] of FORMS) {
  test(`${form}: files are dropped and chosen, selected and read`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    await app.drop(HALVES);
    assert.equal(await slices(app), 3);
    await app.page.focus("#timeline");
    await app.page.keyboard.press("Enter");
    await app.idle();
    assert.match(await app.page.innerText("#details"), /left/);
    await app.choose({ path: DATA });
    await app.page.waitForFunction(() => document.querySelector("#details")?.hasAttribute("hidden"));
    assert.equal(await slices(app), 3);
    assert.equal(await app.page.innerText("#title"), "two_halves.json");
    app.expectQuiet();
  });

  test(`${form}: nothing can leave the page or its worker`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    let arrived = 0;
    const away = createServer((socket) => (arrived++, socket.destroy()));
    await new Promise((ready) => away.listen(0, "127.0.0.1", () => ready(undefined)));
    t.after(() => away.close());
    const { port } = /** @type {import("node:net").AddressInfo} */ (away.address());
    const attempts = (/** @type {number} */ port) =>
      new Promise((tell) => {
        /** @type {string[]} */
        const refused = [];
        self.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
        const away = `http://127.0.0.1:${port}/`;
        fetch(away).catch(() => {});
        try {
          const request = new XMLHttpRequest();
          request.open("GET", away);
          request.send();
        } catch {}
        try {
          new WebSocket(away.replace("http", "ws"));
        } catch {}
        setTimeout(() => tell(refused), 500);
      });
    const places = { page: await app.page.evaluate(attempts, port), worker: await app.page.workers()[0].evaluate(attempts, port) };
    for (const [place, refused] of Object.entries(places)) {
      assert.deepEqual(refused, ["connect-src", "connect-src", "connect-src"], place);
    }
    assert.equal(arrived, 0);
  });

  test(`${form}: a mistake of the module in the worker is told, and the next file opens`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    await app.page.workers()[0].evaluate(() => {
      // @ts-ignore
      wasm_bindgen.Engine.prototype.feed = () => {
        throw new WebAssembly.RuntimeError("unreachable");
      };
    });
    await app.drop(HALVES);
    await app.page.waitForSelector("html[data-state=error]");
    assert.match(await app.page.innerText("#problem"), /made a mistake[^]*unreachable/);
    await app.drop(HALVES);
    await app.page.waitForSelector("html[data-state=ready]");
    assert.equal(await slices(app), 3);
  });

  test(`${form}: a mistake of the module in the page is told after a fresh start, and the next file opens`, async (t) => {
    const app = await openApp(t, options);
    await app.drop(HALVES);
    assert.equal(await slices(app), 3);
    await app.page.evaluate(() => {
      // @ts-ignore
      wasm_bindgen.Screen.prototype.wheel = () => {
        throw new WebAssembly.RuntimeError("unreachable");
      };
    });
    await app.page.mouse.move(640, 400);
    await app.page.mouse.wheel(0, 100);
    await app.page.waitForSelector("html[data-state=error]");
    assert.match(await app.page.innerText("#problem"), /made a mistake[^]*unreachable/);
    await app.drop(HALVES);
    await app.page.waitForSelector("html[data-state=ready]");
    assert.equal(await slices(app), 3);
    await app.page.reload();
    await app.reaches("empty");
    assert.equal(await app.page.innerText("#problem"), "", "it is told once");
  });

  test(`${form}: what is pasted is opened, a file or a text`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    const paste = (/** @type {string} */ text, isFile = false) =>
      app.page.evaluate(({ text, isFile }) => {
        const data = new DataTransfer();
        if (isFile) data.items.add(new File([text], "from the clipboard.json"));
        else data.setData("text/plain", text);
        dispatchEvent(new ClipboardEvent("paste", { clipboardData: data }));
      }, { text, isFile });
    await paste(HALVES.body.toString());
    assert.equal(await slices(app), 3);
    await paste('[{"ph":"i","name":"now","ts":1}]', true);
    await app.page.waitForFunction(() => document.getElementById("title")?.textContent === "from the clipboard.json");
    assert.equal(await slices(app), 0);
    await paste("just some words");
    await app.page.waitForSelector("html[data-state=error]");
    assert.match(await app.page.innerText("#problem"), /pasted text[^]*no trace/);
    app.expectQuiet();
  });
}

test("the page lives under any path", async (t) => {
  const app = await openApp(t, { as: { base: "/a/b/flameline" }, path: "/a/b/flameline/index.html?url=open.json", files: { "open.json": DATA } });
  assert.equal(await slices(app), 3);
  app.expectQuiet();
});

test("the one file works on a host as well", async (t) => {
  const app = await openApp(t, { path: "/flameline.html" });
  await app.drop(HALVES);
  assert.equal(await slices(app), 3);
  assert.deepEqual(app.requests.filter((url) => url.startsWith("http")), [`${app.origin}/flameline.html`]);
  app.expectQuiet();
});

test("a host that does not know the module's type serves the page all the same", async (t) => {
  const app = await openApp(t, { as: { types: { ".wasm": "text/plain" } } });
  await app.drop(HALVES);
  assert.equal(await slices(app), 3);
  app.expectQuiet();
});

test("?url= says why it opens nothing from elsewhere, and the next file opens", async (t) => {
  const app = await openApp(t, { path: "/?url=https://example.org/trace.json" });
  await app.page.waitForSelector("html[data-state=error]");
  assert.match(await app.page.innerText("#problem"), /example\.org\/trace\.json is not opened: .*own host only/);
  await app.drop(HALVES);
  await app.page.waitForSelector("html[data-state=ready]");
  app.expectQuiet();
});

test("the one file says why ?url= opens nothing", async (t) => {
  const app = await openApp(t, { oneFile: true, path: "?url=trace.json" });
  await app.page.waitForSelector("html[data-state=error]");
  assert.match(await app.page.innerText("#problem"), /trace\.json is not opened: this page is a single file/);
  app.expectQuiet();
});

test("several files are one trace, each with processes of its own", async (t) => {
  const app = await openApp(t);
  await app.drop([HALVES, { name: "notes.txt", body: "hello\n" }, { name: "later.json", body: HALVES.body.toString().replace("to be pointed at", "of the second") }]);
  assert.equal(await slices(app), 6);
  const info = await app.info();
  assert.deepEqual([info.processes, info.threads, info.problems.no_trace], [2, 2, 1]);
  assert.equal(await app.page.innerText("#title"), "two_halves.json and 2 more");
  await app.page.focus("#timeline");
  for (let title = 0; title < 12; title++) await app.page.keyboard.press("j"); // the last one
  await app.page.keyboard.press("ArrowRight");
  await app.idle();
  assert.match(await app.page.innerText("#details"), /later\.json/);
  assert.match(await app.page.innerText("#details"), /of the second/, "its arguments come from the right file");
  app.expectQuiet();
});

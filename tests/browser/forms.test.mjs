// @ts-check
// Forms: the page as a folder on any host and as one file on a disk; what holds in both, and every way in.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { DIST, openApp } from "./harness.mjs";

const DATA = join(import.meta.dirname, "../data/page/two_halves.json");
const HALVES = { name: "two_halves.json", body: await readFile(DATA) };
const FORMS = /** @type {const} */ ([["a folder on a host", {}], ["one file on a disk", { oneFile: true }]]);

/** @typedef {Awaited<ReturnType<typeof openApp>>} App */

const slices = async (/** @type {App} */ app) => {
  await app.reaches("ready");
  await app.idle();
  return (await app.info()).slices;
};

/**
 * Somewhere else, and all that was sent there. A connection alone is nothing: for a frame and a form the browser opens
 * one before it asks the policy whether it may use it.
 */
async function listener(/** @type {import("node:test").TestContext} */ t) {
  let sent = "";
  const server = createServer((socket) => socket.on("data", (bytes) => (sent += bytes)).on("error", () => {}));
  await new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(undefined)));
  t.after(() => server.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { port, sent: () => sent };
}

/** How many pixels of the timeline are coloured as bars are. */
const bars = (/** @type {App} */ app) =>
  app.page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("timeline"));
    const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(canvas.width, canvas.height).getContext("2d"));
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(256, 26, canvas.width - 256, canvas.height - 26);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += +(Math.max(...data.slice(at, at + 3)) - Math.min(...data.slice(at, at + 3)) > 40);
    return count;
  });

/** What a Rust panic of the module looks like from outside: memory is asked for that there can't be. */
const PANIC = /made a mistake[^]*capacity overflow/;

for (const [form, options] of FORMS) {
  test(`${form}: the sample is drawn and tells its details, and asks nobody for anything`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    const before = app.requests.length;
    await app.page.click("#sample");
    assert.ok((await slices(app)) > 10_000);
    assert.ok((await bars(app)) > 10_000, "bars are drawn");
    await app.page.focus("#timeline");
    await app.page.keyboard.press("Enter");
    await app.idle();
    assert.match(await app.page.innerText("#details"), /Duration/i);
    assert.deepEqual(app.requests.slice(before).filter((url) => !url.startsWith("blob:")), []);
    if ("oneFile" in options) assert.deepEqual(app.requests.filter((url) => !/^(blob|data):/.test(url)), [app.start]);
    app.expectQuiet();
  });

  test(`${form}: files are dropped and chosen, selected and read`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    await app.drop(HALVES);
    assert.equal(await slices(app), 3);
    assert.ok((await bars(app)) > 1000, "bars are drawn");
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
    const { port, sent } = await listener(t);
    const attempts = (/** @type {number} */ port) =>
      new Promise((tell) => {
        /** @type {Set<string>} */
        const refused = new Set();
        self.addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
        const away = `http://127.0.0.1:${port}/`;
        const tries = [
          () => fetch(away).catch(() => refused.add("fetch")),
          () => {
            const request = new XMLHttpRequest();
            request.onerror = () => refused.add("XMLHttpRequest");
            request.open("GET", away);
            request.send();
          },
          () => (new WebSocket(away.replace("http", "ws")).onerror = () => refused.add("WebSocket")),
          () => (new EventSource(away).onerror = () => refused.add("EventSource")),
          () => navigator.sendBeacon?.(away, "text"),
          () => /** @type {any} */ (self).importScripts(away),
          async () => {
            await new Promise((later) => setTimeout(later)); // the test's own call may eval
            eval("1");
            refused.add("nothing: eval runs");
          },
          () => {
            for (const [tag, set] of /** @type {[string, object][]} */ ([
              ["img", { src: away }], ["script", { src: away }], ["iframe", { src: away }], ["video", { src: away }],
              ["link", { rel: "stylesheet", href: away }], ["link", { rel: "prefetch", href: away }], ["base", { href: away }],
            ])) document.body.append(Object.assign(document.createElement(tag), set));
            new FontFace("away", `url(${away})`).load().catch(() => {});
            const form = Object.assign(document.createElement("form"), { action: away, method: "post" });
            document.body.append(form);
            form.submit();
          },
        ];
        // the other place has no such thing, or it was refused
        for (const attempt of tries) new Promise((done) => done(attempt())).catch(() => {});
        setTimeout(() => tell([...refused].sort()), 700);
      });
    const failed = ["EventSource", "WebSocket", "XMLHttpRequest", "connect-src", "fetch"];
    assert.deepEqual(await app.page.workers()[0].evaluate(attempts, port), [...failed, "script-src", "script-src-elem"].sort());
    const loaded = ["base-uri", "default-src" /* a prefetch */, "font-src", "form-action", "frame-src", "img-src", "media-src", "script-src", "script-src-elem", "style-src-elem"];
    assert.deepEqual(await app.page.evaluate(attempts, port), [...failed, ...loaded].sort());
    assert.equal(sent(), "");
  });

  test(`${form}: a mistake of the module in the worker is told, and the next file opens`, async (t) => {
    const app = await openApp(t, options);
    await app.idle();
    await app.page.workers()[0].evaluate(() => {
      // @ts-ignore
      wasm_bindgen.Engine.prototype.feed = () => wasm_bindgen.make_sample(2 ** 32 - 1);
    });
    await app.drop(HALVES);
    await app.page.waitForSelector("html[data-state=error]");
    assert.match(await app.page.innerText("#problem"), PANIC);
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
      wasm_bindgen.Screen.prototype.wheel = () => wasm_bindgen.make_sample(2 ** 32 - 1);
    });
    await app.page.mouse.move(640, 400);
    await app.page.mouse.wheel(0, 100);
    await app.page.waitForSelector("html[data-state=error]");
    assert.match(await app.page.innerText("#problem"), PANIC);
    await app.drop(HALVES);
    await app.page.waitForSelector("html[data-state=ready]");
    assert.equal(await slices(app), 3);
    await app.page.reload();
    await app.reaches("empty");
    assert.equal(await app.page.innerText("#problem"), "", "it is told once");
  });

  test(`${form}: a module that fails in every painting is started afresh once, and then left with a word`, async (t) => {
    const init = () => {
      const later = requestAnimationFrame;
      // @ts-ignore the glue's name is known by the time of a painting
      window.requestAnimationFrame = () => later(() => wasm_bindgen.make_sample(2 ** 32 - 1));
    };
    const app = await openApp(t, { ...options, init });
    let loads = 0;
    app.page.on("load", () => loads++);
    await app.page.waitForSelector("html[data-state=error]");
    await app.page.waitForTimeout(1000);
    assert.match(await app.page.innerText("#problem"), PANIC);
    assert.ok(loads <= 2, `${loads} loads`);
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
    await app.page.evaluate(() => {
      const field = document.body.appendChild(document.createElement("textarea"));
      const data = new DataTransfer();
      data.setData("text/plain", "[]");
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await app.idle();
    assert.equal(await app.state(), "error", "what is pasted into a field stays there");
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

test("the one file starts in a browser that knows less", async (t) => {
  const init = () => {
    // @ts-ignore
    delete Uint8Array.fromBase64;
    // @ts-ignore
    delete window.requestIdleCallback;
  };
  const app = await openApp(t, { oneFile: true, init });
  await app.drop(HALVES);
  assert.equal(await slices(app), 3);
  app.expectQuiet();
});

test("a preview shows the one file, which has no address there", async (t) => {
  const app = await openApp(t, { path: "/style.css", files: { "favicon.ico": join(DIST, "style.css") } });
  const html = await readFile(join(DIST, "flameline.html"), "utf8");
  await app.page.evaluate((html) => {
    const src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    document.body.replaceChildren(Object.assign(document.createElement("iframe"), { src, sandbox: "allow-scripts" }));
  }, html);
  const frame = /** @type {import("playwright-core").Frame} */ (await (await app.page.waitForSelector("iframe")).contentFrame());
  await frame.click("#sample");
  await frame.waitForSelector("html[data-state=ready]");
  assert.deepEqual(app.errors, []);
});

test("the folder opened from a disk says which file works there", async (t) => {
  const app = await openApp(t);
  await app.idle();
  assert.equal(await app.page.locator("#unstarted").count(), 0);
  await app.page.goto(pathToFileURL(join(DIST, "index.html")).href);
  assert.equal((await app.page.locator("#unstarted").boundingBox())?.height, 0, "it is not said at once");
  await app.page.waitForFunction(() => Number(document.getElementById("unstarted")?.clientHeight) > 10);
  assert.match(await app.page.innerText("#unstarted"), /flameline\.html/);
});

test("a host without a script is not asked for it again and again", async (t) => {
  const app = await openApp(t, { files: { "worker.js": "/nowhere" } });
  const asked = () => app.requests.filter((url) => url.endsWith("/worker.js")).length;
  await app.page.waitForSelector("html[data-state=error]");
  assert.match(await app.page.innerText("#problem"), /could not start[^]*worker\.js/);
  await app.page.waitForTimeout(1000);
  assert.equal(asked(), 1);
  await app.page.context().route("**/worker.js", (route) => route.fulfill({ path: join(DIST, "worker.js") }));
  await app.drop(HALVES);
  await app.page.waitForSelector("html[data-state=ready]");
  assert.equal(await slices(app), 3, "it is tried once more for a file");
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

test("?url= follows nobody to elsewhere, and a blob or data address is elsewhere", async (t) => {
  const { port, sent } = await listener(t);
  const app = await openApp(t, { path: "/?url=moved.json", files: { "moved.json": `http://127.0.0.1:${port}/` } });
  await app.page.waitForSelector("html[data-state=error]");
  assert.match(await app.page.innerText("#problem"), /moved\.json can't be opened: /);
  assert.equal(sent(), "");
  app.errors.length = app.requests.length = 0; // the browser tells what it refused
  const letters = "x".repeat(5000);
  for (const address of [`blob:${app.origin}/a`, `data:application/json,${letters}`, `http://user@127.0.0.1:${port}/`, "//example.org/a.json"]) {
    await app.page.goto(`${app.origin}/?url=${encodeURIComponent(address)}`);
    await app.page.waitForSelector("html[data-state=error]");
    const message = await app.page.innerText("#problem");
    assert.match(message, /is not opened: .*own host only/);
    assert.ok(message.length < 600, "a long address is cut");
  }
  await app.page.goto(`${app.origin}/?url=http://[`);
  await app.page.waitForSelector("html[data-state=error]");
  assert.match(await app.page.innerText("#problem"), /http:\/\/\[ can't be opened/);
  app.expectQuiet();
});

test("?url= takes any name, and what comes meanwhile goes first", async (t) => {
  const name = "50% of ä b.json";
  const app = await openApp(t, { path: `/?url=${encodeURIComponent(encodeURIComponent(name))}`, files: { [name]: DATA } });
  assert.equal(await slices(app), 3);
  assert.equal(await app.page.innerText("#title"), name);
  /** @type {(() => void)[]} */
  const held = [];
  await app.page.context().route("**/slow.json", async (route) => {
    await new Promise((go) => held.push(() => go(undefined)));
    await route.fulfill({ path: DATA }).catch(() => {});
  });
  await app.page.goto(`${app.origin}/?url=slow.json`);
  await app.page.waitForSelector("html[data-state=loading]");
  assert.equal(await app.page.innerText("#title"), "slow.json");
  await app.page.keyboard.press("Escape");
  await app.page.waitForSelector("html[data-state=empty]");
  await app.page.goto(`${app.origin}/?url=slow.json`);
  await app.page.waitForSelector("html[data-state=loading]");
  await app.drop({ name: "mine.json", body: '[{"ph":"X","name":"a","ts":1,"dur":5}]' });
  assert.equal(await slices(app), 1);
  held.forEach((go) => go());
  await app.page.waitForTimeout(300);
  assert.equal(await app.page.innerText("#title"), "mine.json");
  await app.page.goto(`${app.origin}/?url=slow.json`);
  await app.page.waitForFunction(() => document.title.startsWith("slow.json"));
  const done = app.idle();
  held.forEach((go) => go());
  await app.page.waitForTimeout(50);
  held.forEach((go) => go());
  await done;
  assert.equal((await app.info()).slices, 3, "idle waits for what the address names");
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

// @ts-check
// Harness: a page of the bundle in a real Chromium, watched from its first byte.
//
// Promises: everything the page says on the console and everything it asks of the network is
// kept; no name but 127.0.0.1 resolves; each page has a profile of its own and is gone after its
// test. `FLAMELINE_CHROMIUM` and `FLAMELINE_DIST` say which browser and which bundle
// (`cargo xtask test` sets them).
// Knows nothing of: what a test expects.
//
//   test("the page opens a file", async (t) => {
//     const app = await openApp(t);
//     await app.drop({ name: "a.json", body: "[]" });
//     await app.reaches("ready");
//     app.expectQuiet();
//   });

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

import { serveFolder } from "./static.mjs";

export const CHROMIUM = process.env.FLAMELINE_CHROMIUM ?? "/usr/bin/chromium";
export const DIST = resolve(process.env.FLAMELINE_DIST ?? join(import.meta.dirname, "../../dist"));

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A container's /dev/shm is often 64 MB.
  "--disable-dev-shm-usage",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** A file for the page: from memory, or `path` on the disk, which may be large. */
/** @typedef {{name: string, body: string | Uint8Array} | {path: string}} Given */

/**
 * @param {import("node:test").TestContext} t its end closes everything
 * @param {object} [options]
 * @param {string} [options.path] what to open: `/?url=open/a.json`
 * @param {Record<string, string>} [options.files] served besides the bundle, see `serveFolder`
 * @param {{width: number, height: number}} [options.viewport] in CSS pixels
 * @param {number} [options.scale] device pixels in one of them
 * @param {string} [options.dist]
 * @param {{base?: string, types?: Record<string, string>, headers?: Record<string, string>}} [options.as] how it is published, see `serveFolder`
 * @param {boolean} [options.oneFile] open the one file from the disk, not from a server
 * @param {() => void} [options.init] runs in the page before its own scripts
 */
export async function openApp(t, options = {}) {
  const { path = options.oneFile ? "" : "/", files, viewport = { width: 1280, height: 800 }, scale = 1 } = options;
  // Last opened, first closed: the profile can't go before the browser.
  /** @type {(() => Promise<void>)[]} */
  const closers = [];
  t.after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const server = await serveFolder(options.dist ?? DIST, files, options.as);
  closers.push(() => server.close());
  const profile = await mkdtemp(join(tmpdir(), "flameline-chromium-"));
  closers.push(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: ARGS,
    viewport,
    deviceScaleFactor: scale,
  });
  closers.push(() => context.close());
  if (options.init) await context.addInitScript(options.init);
  const app = new App(context, await context.newPage(), server.origin);
  app.profile = profile;
  const one = pathToFileURL(join(options.dist ?? DIST, "flameline.html")).href;
  app.start = (options.oneFile ? one : server.origin) + path;
  await app.page.goto(app.start);
  return app;
}

class App {
  /** What went wrong on the page: console errors, uncaught exceptions, crashes. @type {string[]} */
  errors = [];
  /** The browser's folder, by which its processes can be found. */
  profile = "";
  /** The address that was opened. */
  start = "";
  /** Every address asked for, by the page and its workers. @type {string[]} */
  requests = [];

  constructor(
    /** @type {import("playwright-core").BrowserContext} */ context,
    /** @type {import("playwright-core").Page} */ page,
    /** @type {string} */ origin,
  ) {
    this.page = page;
    this.origin = origin;
    context.on("request", (request) => this.requests.push(request.url()));
    context.on("console", (message) => {
      if (message.type() === "error") this.errors.push(`console: ${message.text()}`);
    });
    context.on("weberror", (error) => this.errors.push(`exception: ${error.error().message}`));
    page.on("websocket", (socket) => this.requests.push(socket.url()));
    page.on("crash", () => this.errors.push("the page crashed"));
  }

  /** The addresses that leave the page's origin; blob: and data: are no network. */
  get foreign() {
    const local = (/** @type {string} */ url) =>
      url.startsWith(`${this.origin}/`) || url.startsWith("blob:") || url.startsWith("data:") || url === this.start;
    return this.requests.filter((url) => !local(url));
  }

  /** No error was seen, and nothing was asked of another origin. */
  expectQuiet() {
    assert.deepEqual(this.errors, []);
    assert.deepEqual(this.foreign, []);
  }

  /** `empty`, `loading`, `ready` or `error`. */
  state() {
    return this.page.evaluate(() => document.documentElement.dataset.state);
  }

  /**
   * Waits for a state; a page that ends in `error` instead is not waited for.
   * @param {"empty" | "loading" | "ready" | "error"} state
   */
  async reaches(state, timeout = 60_000) {
    const reached = await this.page
      .waitForFunction(
        (wanted) => {
          const now = document.documentElement.dataset.state;
          return now === wanted || now === "error" ? now : undefined;
        },
        state,
        { timeout },
      )
      .then((handle) => handle.jsonValue())
      .catch(() => this.state());
    if (reached === state) return;
    const text = await this.page.locator("body").innerText();
    assert.fail([`the page is ${reached}, not ${state}`, ...this.errors, "It shows:", text].join("\n"));
  }

  /** Waits until the page has nothing left to do. */
  async idle() {
    await this.page.evaluate(() => /** @type {any} */ (window).flameline.idle());
  }

  /** What the page knows of its trace, as `flameline info --json`. */
  info() {
    return this.page.evaluate(() => /** @type {any} */ (window).flameline.info());
  }

  /**
   * Drops files in the middle of an element.
   * @param {Given | {name: string, body: string | Uint8Array}[]} file
   */
  async drop(file, selector = "body") {
    if ("path" in file) return this.#dropFromDisk(resolve(file.path), selector);
    const files = [file].flat().map(({ name, body }) => ({ name, base64: Buffer.from(body).toString("base64") }));
    const data = await this.page.evaluateHandle((files) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of files) {
        transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      }
      return transfer;
    }, files);
    for (const type of ["dragenter", "dragover", "drop"]) {
      await this.page.dispatchEvent(selector, type, { dataTransfer: data });
    }
    await data.dispose();
  }

  /** As a person drags it in: the browser opens the file itself, whatever its size. */
  async #dropFromDisk(/** @type {string} */ path, /** @type {string} */ selector) {
    const box = await this.page.locator(selector).boundingBox();
    assert.ok(box, `${selector} can't be seen, so nothing can be dropped on it`);
    const client = await this.page.context().newCDPSession(this.page);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (["dragEnter", "dragOver", "drop"])) {
      await client.send("Input.dispatchDragEvent", { type, x, y, data });
    }
    await client.detach();
  }

  /**
   * Chooses a file in a file input.
   * @param {Given} file
   */
  async choose(file, selector = "#file") {
    const given =
      "path" in file
        ? file.path
        : { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.body) };
    await this.page.setInputFiles(selector, given);
  }
}

// @ts-check
// Measure: what a page costs while it opens a file and while its reader zooms: times, long tasks, memory, frames.
//
// Promises: the watching itself costs the page nothing that shows: no pixels are read, memory is read from outside.
// Knows nothing of: what is compared with what.

import { readdirSync, readFileSync } from "node:fs";

/** Watches tasks and frames from the page's first script on. Runs in the page. */
export function watch() {
  const seen = { tasks: /** @type {[number, number][]} */ ([]), start: 0, frames: /** @type {number[] | null} */ (null) };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.tasks.push([entry.startTime, entry.duration]);
  }).observe({ type: "longtask", buffered: true });
  document.addEventListener("change", () => (seen.start = performance.now()), { capture: true });
}

/** From the file's arrival until the page has nothing left to do and has shown it: ms, and the longest task in it. */
export async function opening(/** @type {import("playwright-core").Page} */ page) {
  return page.evaluate(async () => {
    const { seen, flameline } = /** @type {any} */ (window);
    const frame = () => new Promise(requestAnimationFrame);
    while (!seen.start || document.documentElement.dataset.state !== "ready") await frame();
    await flameline.idle();
    await frame();
    await frame();
    const ready = performance.now() - seen.start;
    await new Promise((done) => setTimeout(done, 200)); // the observer hears of tasks later
    const tasks = seen.tasks.filter((/** @type {number[]} */ [start]) => start >= seen.start);
    return { ready, task: Math.max(0, ...tasks.map((/** @type {number[]} */ task) => task[1])) };
  });
}

/** Five seconds of wheel around the middle: in, along, out, back; how long the frames took. */
export async function zooming(/** @type {import("playwright-core").Page} */ page) {
  await page.evaluate(() => {
    const { seen } = /** @type {any} */ (window);
    seen.frames = [];
    seen.tasks.length = 0;
    let last = 0;
    const next = (/** @type {number} */ now) => {
      if (!seen.frames) return;
      if (last) seen.frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const box = await page.locator("#timeline").boundingBox();
  if (!box) throw new Error("the timeline can't be seen");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
  const end = Date.now() + 5000;
  for (let turn = 0; Date.now() < end; turn++) {
    const began = Date.now();
    const phase = Math.floor(turn / 40) % 4;
    if (phase % 2 === 0) await page.mouse.wheel(0, phase === 0 ? -60 : 60);
    else await page.mouse.wheel(phase === 1 ? 40 : -40, 0);
    await new Promise((done) => setTimeout(done, Math.max(0, 16 - (Date.now() - began))));
  }
  return page.evaluate(async () => {
    const { seen } = /** @type {any} */ (window);
    await new Promise((done) => setTimeout(done, 200)); // the observer hears of tasks later
    const task = Math.max(0, ...seen.tasks.map((/** @type {number[]} */ task) => task[1]));
    const frames = seen.frames.sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    seen.frames = null;
    return { p95: frames[Math.floor(frames.length * 0.95)], worst: frames.at(-1), task };
  });
}

/** Megabytes of the largest page process under a browser of this profile: now, and at most so far. Linux only. */
export function memory(/** @type {string} */ profile) {
  const renderers = processes(profile).filter(({ command }) => command.includes("--type=renderer"));
  const largest = renderers.toSorted((a, b) => b.peak - a.peak)[0];
  return { now: (largest?.now ?? NaN) / 1024, peak: (largest?.peak ?? NaN) / 1024 };
}

/** The processes of the browser with this profile. */
function processes(/** @type {string} */ profile) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const of = (/** @type {string} */ key) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
      return [{ pid: Number(pid), parent: of("PPid"), command, now: of("VmRSS"), peak: of("VmHWM") }];
    } catch {
      return []; // it has ended in between
    }
  });
  const known = new Set(all.filter(({ command }) => command.includes(profile) && !command.includes("--type=")).map(({ pid }) => pid));
  for (let before = 0; before !== known.size; ) {
    before = known.size;
    for (const { pid, parent } of all) if (known.has(parent)) known.add(pid);
  }
  return all.filter(({ pid }) => known.has(pid));
}

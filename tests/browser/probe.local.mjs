import { test } from "node:test";
import { openApp } from "./harness.mjs";
import { readFile } from "node:fs/promises";
process.env.X = 1;
const dist = process.env.FLAMELINE_DIST;
test("decode", async (t) => {
  const app = await openApp(t, { oneFile: true });
  await app.idle();
  console.log(await app.page.evaluate(async () => {
    const packed = document.getElementById("module").textContent;
    const time = (f) => { const out = []; for (let i = 0; i < 6; i++) { const s = performance.now(); f(); out.push((performance.now() - s).toFixed(1)); } return out.join(" "); };
    return { size: packed.length,
      from: time(() => Uint8Array.from(atob(packed), (l) => l.charCodeAt(0))),
      loop: time(() => { const text = atob(packed); const b = new Uint8Array(text.length); for (let i = 0; i < b.length; i++) b[i] = text.charCodeAt(i); return b; }),
      native: time(() => Uint8Array.fromBase64?.(packed)) };
  }));
});
test("broken worker loops", async (t) => {
  const app = await openApp(t, { files: { "worker.js": "/nonexistent" } });
  await new Promise((r) => setTimeout(r, 3000));
  console.log("requests for worker.js in 3 s:", app.requests.filter((u) => u.endsWith("worker.js")).length, await app.state(), app.errors.length);
});
test("blob document", async (t) => {
  const app = await openApp(t, { path: "/flameline.html" });
  const url = await app.page.evaluate(async () => { const text = document.documentElement.outerHTML; return URL.createObjectURL(new Blob([await (await new Promise((done) => { done(new Response(text)); })).text()], { type: "text/html" })); });
  console.log(url);
  const f = await app.page.context().newPage();
  await f.goto(app.origin + "/style.css");
  const html = await readFile(dist + "/flameline.html", "utf8");
  const u = await f.evaluate((html) => URL.createObjectURL(new Blob([html], { type: "text/html" })), html);
  await f.evaluate((u) => { location.href = u; }, u);
  await f.waitForTimeout(2500);
  console.log("blob:", await f.evaluate(() => [location.href, document.documentElement.dataset.state, document.getElementById("problem")?.textContent, typeof window.flameline]));
  console.log(app.errors);
});
test("index.html from disk", async (t) => {
  const app = await openApp(t);
  await app.page.goto("file://" + dist + "/index.html");
  await app.page.waitForTimeout(1500);
  console.log("disk:", await app.state(), await app.page.evaluate(() => typeof window.flameline), app.errors);
});
test("real panic", async (t) => {
  const app = await openApp(t);
  await app.idle();
  await app.drop({ name: "a.json", body: '[{"ph":"X","name":"a","ts":1,"dur":5,"pid":1,"tid":1}]' });
  await app.reaches("ready");
  await app.page.evaluate(() => { wasm_bindgen.Screen.prototype.wheel = () => wasm_bindgen.make_sample(4294967295); });
  await app.page.mouse.move(640, 400); await app.page.mouse.wheel(0, 100);
  await app.page.waitForTimeout(1500);
  console.log(await app.state(), await app.page.innerText("#problem"), app.errors);
});

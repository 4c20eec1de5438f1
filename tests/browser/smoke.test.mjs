// @ts-check
// Smoke: the page loads, says that it is empty, and asks nothing of anybody else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openApp } from "./harness.mjs";

test("the page loads, is empty, and is quiet", async (t) => {
  const app = await openApp(t);
  await app.reaches("empty");
  assert.ok(app.requests.length > 0, "the harness saw no request");
  app.expectQuiet();
});

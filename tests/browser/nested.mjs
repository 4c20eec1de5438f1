// @ts-check
// Nested: a trace of two threads with callers, children, arguments of all kinds and a counter of memory.

const thread = (/** @type {number} */ tid, /** @type {string} */ name) => ({ ph: "M", pid: 7, tid, name: "thread_name", args: { name } });
const slice = (/** @type {number} */ tid, /** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ dur, args = {}) => ({ ph: "X", pid: 7, tid, name, ts, dur, args });

/** Ten thousand numbers. */
const MANY = Array.from({ length: 10_000 }, (_, n) => n);

export const NESTED = {
  name: "nested.json",
  body: JSON.stringify([
    thread(1, "driver"),
    thread(2, "worker"),
    { ph: "C", pid: 7, tid: 1, ts: 0, name: "jemalloc_allocated", args: { jemalloc_allocated: 1_048_576 } },
    { ph: "C", pid: 7, tid: 1, ts: 550, name: "jemalloc_allocated", args: { jemalloc_allocated: 4_194_304 } },
    slice(1, "main", 0, 1000),
    slice(1, "plan", 100, 200, { stage: 3 }),
    slice(1, "execute", 500, 400, {
      rows: 8192,
      exact: 9007199254740993,
      plan: { name: "Scan", files: ["a.parquet", "b.parquet"], partial: true, limit: null },
      many: MANY,
      sql: `SELECT ${"x, ".repeat(400)}1`,
    }),
    slice(1, "read", 600, 100),
    slice(1, "decode", 750, 125),
    slice(2, "wait", 0, 300),
    slice(2, "compress", 300, 600, { level: 9 }),
    slice(2, "flush", 900, 20),
  ]).replace("9007199254740992", "9007199254740993"),
};

// @ts-check
// Protocol: what the page and the worker say to each other. Types only; nothing here runs.

/**
 * Page to worker. `item`, `request` and all answers are the module's own: it makes and reads them,
 * and the scripts only carry them.
 * @typedef {{ kind: "start", module: WebAssembly.Module } | { kind: "open", files: File[], tsUnit?: string } | { kind: "sample" } | { kind: "cancel" }
 *   | { kind: "frame", request: object } | { kind: "tip", item: object } | { kind: "details", item: object | undefined, reveal: boolean }
 *   | { kind: "step", step: object } | { kind: "unfold", id: number } | { kind: "copy" } | { kind: "report" }} Order
 *
 * Worker to page: one `frame` or `tip` for each that was asked for; one `details` for each `details` or `step`, null when
 * nothing is selected and undefined when all stays as it is; `args` for `unfold`; one `done` when a file is read.
 * @typedef {{ kind: "started" } | { kind: "progress", progress: Progress } | { kind: "done", summary: Summary }
 *   | { kind: "frame", frame: object } | { kind: "tip", tip: Tip | undefined } | { kind: "details", details: Details | null | undefined }
 *   | { kind: "args", args: ArgRow[] } | { kind: "copied", text: string }
 *   | { kind: "report", words: MemoryWords[], json: string } | { kind: "broken", message: string }} Answer
 *
 * @typedef {{ fraction: number, text: string, title: string, fresh: boolean }} Progress
 * @typedef {{ state: "ready" | "error" | "empty", title: string, status: string, message: string, notice: string,
 *   problemsTitle: string, problemsButton: string, problemHeads: string[], problems: string[][], info: object, hasReport?: boolean }} Summary
 * @typedef {{ title: string, lines: string[] }} Tip
 * @typedef {{ label: string, value: string }} Fact
 * @typedef {{ title: string, heads: string[], rows: { item: object | undefined, cells: string[] }[] }} Listing
 * @typedef {{ id: number, level: number, key: string, text: string, kind: string, open: boolean | undefined, more: string }} ArgRow
 * @typedef {{ title: string, notice: string, facts: Fact[], lists: Listing[], args: ArgRow[], spoken: string }} Details
 * @typedef {{ title: string, about: string, heads: string[], sums: string[][],
 *   rows: { item: object | undefined, cells: string[], keys: number[] }[] }} SortedTable
 * @typedef {{ title: string, sentences: string[], facts: Fact[], tables: SortedTable[] }} MemoryWords
 */

export {};

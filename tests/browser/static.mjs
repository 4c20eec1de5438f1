// @ts-check
// Static: the bundle over HTTP on 127.0.0.1, as any static host would serve it.
// Promises: no headers beyond the type unless asked for; nothing outside the folder and the named files; nothing above `base`.
// Knows nothing of: browsers.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";

const TYPES = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".wasm", "application/wasm"],
  [".svg", "image/svg+xml"],
]);

/**
 * @param {string} dir the bundle
 * @param {Record<string, string>} [files] path in the address → file on the disk, as
 *   `{"open/a.json": "/tmp/a.json"}`, or an address elsewhere that it redirects to
 * @param {{base?: string, types?: Record<string, string>, headers?: Record<string, string>}} [as] the path it is
 *   published under, such as `/a/b`, types that this host gives to file names' endings, and headers that it adds
 * @returns {Promise<{origin: string, close: () => Promise<void>}>}
 */
export async function serveFolder(dir, files = {}, { base = "", types = {}, headers = {} } = {}) {
  const root = resolve(dir);
  const server = createServer(async (request, response) => {
    const url = request.url ?? "/";
    const file = url.startsWith(`${base}/`) ? fileFor(root, files, url.slice(base.length)) : undefined;
    if (file?.startsWith("http:")) return void response.writeHead(302, { location: file }).end();
    const found = file ? await stat(file).catch(() => undefined) : undefined;
    if (!file || !found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      ...headers,
      "content-type": types[extname(file)] ?? TYPES.get(extname(file)) ?? "application/octet-stream",
      "content-length": found.size,
      "cache-control": "no-store",
    });
    const body = createReadStream(file);
    body.on("error", () => response.destroy());
    response.on("close", () => body.destroy());
    body.pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** @returns {string | undefined} */
function fileFor(/** @type {string} */ root, /** @type {Record<string, string>} */ files, /** @type {string} */ target) {
  let path;
  try {
    path = decodeURIComponent(target.split(/[?#]/, 1)[0]).slice(1);
  } catch {
    return undefined;
  }
  if (Object.hasOwn(files, path)) return files[path];
  const file = normalize(join(root, path === "" ? "index.html" : path));
  return file.startsWith(root + sep) ? file : undefined;
}

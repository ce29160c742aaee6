"use strict";
// Keeps a copy of the page, so that it works without a network. `site seal` writes the two constants from the files of the build.
//
// HTML comes from the network and, without one, from the copy; everything else from the copy. A new build is fetched whole beside
// the old copy and takes over when the reader says so (or has its page already); only then is the old copy deleted.
const VERSION = "__VERSION__";
const FILES = __FILES__; // path: beginning of the SHA-256 of its bytes

const SCOPE = self.registration.scope;
const FOLDER = new URL(SCOPE).pathname;
const PREFIX = `jlens ${FOLDER} `; // other folders of this host may hold other copies of the page
const CACHE = PREFIX + VERSION;
const PAGE = "index.html";
const HASHED = /-[0-9a-f]{16}(_bg)?\.[a-z0-9]+$/; // names that change with their content
const FLAG = new URL("newer?", SCOPE).href;
const PATIENCE = 5000; // milliseconds for a network that does not answer

// Files are kept under their content: what a new build leaves unchanged is not fetched again.
const key = (path) => new URL(`${path}?${FILES[path]}`, SCOPE).href;

self.addEventListener("install", (event) => event.waitUntil(fill()));

async function fill() {
  const cache = await caches.open(CACHE);
  for (const path of Object.keys(FILES)) { // one after the other: the reader's own requests come first
    if (await cache.match(key(path))) continue; // from an installation that was interrupted
    await cache.put(key(path), (await caches.match(key(path))) ?? (await load(path)));
  }
}

async function load(path) {
  const url = new URL(path === PAGE ? "./" : path, SCOPE);
  const response = await fetch(url, { cache: "no-cache", priority: "low" });
  const bytes = await response.arrayBuffer();
  // Some hosts add to HTML: there it is enough that it is this build's page.
  const right = path === PAGE ? new TextDecoder().decode(bytes).includes(VERSION) : (await digest(bytes)) === FILES[path];
  if (!response.ok || !right) throw new Error(`${url} is not the file of this build (${response.status}); the copy is tried again at the next visit`);
  return new Response(bytes, { headers: { "content-type": response.headers.get("content-type") ?? "application/octet-stream" } });
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  if (event.data === "version") event.ports[0]?.postMessage(VERSION);
  if (event.data === "take-over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(SCOPE)) return;
  const path = decodeURIComponent(url.pathname.slice(FOLDER.length)) || PAGE;
  if (!Object.hasOwn(FILES, path)) return;
  event.respondWith(path === PAGE ? page(event) : file(event.request, path));
});

// Whether the page that was last given out is of a newer build than this copy: its files must not come from here then. (A promise;
// kept in the cache too, because the browser may end and restart this script at any time.)
let newer = null;

async function page(event) {
  const kept = () => caches.match(key(PAGE), { cacheName: CACHE });
  try {
    const response = await soon(fetch(event.request));
    if (response.ok) {
      newer = compare(response.clone());
      event.waitUntil(newer);
    }
    if (response.status < 500) return response;
    return (await kept()) ?? response;
  } catch (error) {
    newer = Promise.resolve(false);
    const copy = await kept();
    if (copy) return copy;
    throw error;
  }
}

function soon(promise) {
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), PATIENCE));
  return Promise.race([promise, late]);
}

async function compare(response) {
  const other = !(await response.text()).includes(VERSION);
  const cache = await caches.open(CACHE);
  if (other) await cache.put(FLAG, new Response("1"));
  else await cache.delete(FLAG);
  return other;
}

function isNewer() {
  newer ??= caches.match(FLAG, { cacheName: CACHE }).then(Boolean);
  return newer.catch(() => false);
}

async function file(request, path) {
  if (!HASHED.test(path) && (await isNewer())) {
    try {
      const response = await fetch(request);
      if (response.ok) return response;
    } catch { /* no network: the copy is better than nothing */ }
  }
  return (await caches.match(key(path), { cacheName: CACHE })) ?? fetch(request);
}

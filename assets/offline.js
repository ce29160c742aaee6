// Has the browser keep a copy of the page, in the background and once the first figure is live, and says when the copy is complete or
// a new version of the page has come. The copy itself is the work of sw.js, which the build writes; without it nothing happens here.
(() => {
  const root = document.documentElement;
  const version = document.querySelector('meta[name="version"]')?.content;
  const workers = navigator.serviceWorker;
  if (!workers || !version || version === "development") return;
  const LIVE = 'figure[data-figure="hero"][data-ready="true"]';
  const PEACE = 3000; // milliseconds that the reader's first steps have for themselves
  const LOOK_AGAIN = 600_000;

  const versionOf = (worker) => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => done(event.data);
    worker.postMessage("version", [channel.port2]);
  });

  const complete = () => {
    root.dataset.offline = "complete";
    const note = document.getElementById("offline-note");
    if (note) note.textContent = "Offline copy complete: from now on this page works without a network, with every figure.";
  };

  let leaving = false;
  const announce = (registration) => {
    const note = document.getElementById("update-note");
    if (!note || root.dataset.offline === "update") return;
    root.dataset.offline = "update";
    const text = document.createElement("p");
    text.textContent = "A new version of this page is ready.";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-primary";
    button.textContent = "Reload";
    button.addEventListener("click", () => {
      leaving = true;
      const { waiting } = registration; // the newest by now; none if another tab has let it take over
      if (waiting) waiting.postMessage("take-over");
      else location.reload();
    });
    note.replaceChildren(text, button);
  };

  const settle = async (registration) => {
    const { waiting, active } = registration;
    if (waiting && active) {
      if ((await versionOf(waiting)) === version) waiting.postMessage("take-over"); // the page is new already: only its copy was old
      else announce(registration);
    } else if (active && (await versionOf(active)) === version) complete();
  };

  const start = async () => {
    try {
      const registration = await workers.register("sw.js", { updateViaCache: "none" });
      const look = () => settle(registration);
      const watch = () => registration.installing?.addEventListener("statechange", look);
      registration.addEventListener("updatefound", watch);
      watch();
      workers.addEventListener("controllerchange", () => (leaving ? location.reload() : look()));
      let last = Date.now();
      document.addEventListener("visibilitychange", () => {
        if (document.hidden || Date.now() - last < LOOK_AGAIN) return;
        last = Date.now();
        registration.update().catch(() => {}); // no network: another time
      });
      await look();
    } catch { /* not allowed here (a private window, an unsafe address): the page works as before, with a network */ }
  };

  const later = () => setTimeout(() => (window.requestIdleCallback ?? ((act) => act()))(start), PEACE);
  if (document.querySelector(LIVE)) {
    later();
    return;
  }
  const hero = document.querySelector('figure[data-figure="hero"]');
  if (!hero) return;
  const observer = new MutationObserver(() => {
    if (!document.querySelector(LIVE)) return;
    observer.disconnect();
    later();
  });
  observer.observe(hero, { attributes: true, attributeFilter: ["data-ready"] });
})();

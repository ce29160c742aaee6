// Light or dark before the first paint, and the button that changes it. Works without WebAssembly; without scripting the page follows
// the system. Canvases repaint on the "themechange" event.
(() => {
  const root = document.documentElement;
  root.dataset.js = ""; // from here on the style sheet reserves the height of the live figures
  const system = matchMedia("(prefers-color-scheme: dark)");
  const read = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const write = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* private window: lasts for this visit */ } };
  const current = () => root.dataset.theme || (system.matches ? "dark" : "light");
  const announce = () => dispatchEvent(new CustomEvent("themechange", { detail: current() }));
  const stored = read();
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  system.addEventListener("change", announce);
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme-toggle");
    if (!button) return;
    const label = () => {
      const other = current() === "dark" ? "light" : "dark";
      button.textContent = other === "dark" ? "Dark" : "Light";
      button.setAttribute("aria-label", `Switch to the ${other} theme`);
    };
    button.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      write(root.dataset.theme);
      announce();
    });
    addEventListener("themechange", label);
    label();
    button.hidden = false;
  });
})();

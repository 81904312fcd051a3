// Light or dark: as the system says, until the reader chooses.

const KEPT = "memory-theme";

export function applyTheme() {
  const chosen = localStorage.getItem(KEPT);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const now = localStorage.getItem(KEPT) ?? dark;
  localStorage.setItem(KEPT, now === "dark" ? "light" : "dark");
  applyTheme();
}

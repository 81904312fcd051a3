// Where the reader is: "#/records/mem-1?sort=weight" names a view, what it shows, and how.

export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/");
  return { view: view || "records", id: rest.length ? decodeURIComponent(rest.join("/")) : null, query: new URLSearchParams(query) };
}

export function go(view, id = null) {
  location.hash = address(view, id).slice(1);
}

export function address(view, id = null) {
  return id === null ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
}

/** Write what is chosen into the address without leaving the view. */
export function note(view, chosen) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(chosen)) if (value) query.set(name, value);
  history.replaceState(null, "", `#/${view}${query.size ? `?${query}` : ""}`);
}

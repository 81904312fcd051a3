// Making elements. Data enters the page as text nodes only, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function button(label, onclick, props = {}) {
  return h("button", { type: "button", onclick, ...props }, label);
}

export function field(label, control, hint) {
  return h("label", { class: "field" }, h("span", { class: "label" }, label), control, hint ? h("small", {}, hint) : null);
}

export function select(label, options, value, onchange) {
  const choices = options.map(([key, text]) => h("option", { value: key, selected: key === value }, text));
  return field(label, h("select", { "aria-label": label, onchange: (event) => onchange?.(event.target.value) }, choices));
}

export function bar(share, label) {
  const width = `${Math.round(100 * Math.max(0, Math.min(1, share)))}%`;
  return h("span", { class: "bar", role: "img", "aria-label": label, title: label }, h("i", { style: { width } }));
}

export function chip(text, kind = "") {
  return h("span", { class: `chip ${kind}` }, text);
}

export function section(title, ...children) {
  return h("section", { class: "card" }, h("h2", {}, title), ...children);
}

export function empty(text) {
  return h("p", { class: "empty" }, text);
}

export function facts(rows) {
  const told = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h("dl", { class: "facts" }, told.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

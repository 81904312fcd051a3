// A layered graph: columns of nodes that are real buttons, and curves between them drawn behind.

import { h, svg } from "../core/dom.js";

/**
 * Draw layers of nodes ({id, kind, label}) with edges ({from, to, relation}).
 * Nodes stand near those that they are linked to, so that few curves cross.
 */
export function graph(layers, edges, chosen) {
  const lines = svg("svg", { class: "edges", "aria-hidden": "true" });
  const nodes = new Map();
  const columns = ordered(layers, edges).map(({ title, nodes: column }) =>
    h("div", { class: "layer" }, h("h3", {}, title), column.map((node) => {
      const made = h("button", { type: "button", class: `node node-${node.kind}`, "aria-pressed": "false", onclick: () => pick(node.id) }, node.label);
      nodes.set(node.id, made);
      return made;
    })),
  );
  const known = edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to));
  const box = h("div", { class: "graph" }, lines, columns);

  function pick(id) {
    const near = new Set([id, ...known.filter((edge) => touches(edge, id)).flatMap((edge) => [edge.from, edge.to])]);
    for (const [name, node] of nodes) {
      node.setAttribute("aria-pressed", String(name === id));
      node.classList.toggle("far", !near.has(name));
    }
    known.forEach((edge, place) => lines.children[place]?.classList.toggle("near", touches(edge, id)));
    chosen(id);
  }

  const draw = () => lines.replaceChildren(...known.map((edge) => curve(edge, nodes, box)));
  new ResizeObserver(draw).observe(box);
  return box;
}

function touches(edge, id) {
  return edge.from === id || edge.to === id;
}

/** Sort each column by the mean place of its neighbours in the column before. */
function ordered(layers, edges) {
  const places = new Map();
  return layers.map(({ title, nodes }) => {
    const near = (node) => {
      const found = edges.filter((edge) => touches(edge, node.id)).map((edge) => places.get(edge.from === node.id ? edge.to : edge.from));
      const known = found.filter((place) => place !== undefined);
      return known.length ? known.reduce((sum, place) => sum + place, 0) / known.length : Infinity;
    };
    const keyed = nodes.map((node, place) => ({ node, place, near: near(node) }));
    keyed.sort((one, other) => (one.near === other.near ? one.place - other.place : one.near - other.near));
    keyed.forEach(({ node }, place) => places.set(node.id, place));
    return { title, nodes: keyed.map(({ node }) => node) };
  });
}

function curve(edge, nodes, box) {
  const area = box.getBoundingClientRect();
  const ends = [nodes.get(edge.from), nodes.get(edge.to)].map((node) => node.getBoundingClientRect());
  const [left, right] = ends[0].left <= ends[1].left ? ends : [ends[1], ends[0]];
  const same = Math.abs(left.left - right.left) < 2;
  const from = { x: left.right - area.left, y: (left.top + left.bottom) / 2 - area.top };
  const to = { x: (same ? right.right : right.left) - area.left, y: (right.top + right.bottom) / 2 - area.top };
  const bend = same ? 26 : (to.x - from.x) / 2;
  const path = `M${from.x} ${from.y} C${from.x + bend} ${from.y} ${same ? to.x + bend : to.x - bend} ${to.y} ${to.x} ${to.y}`;
  return svg("path", { d: path, class: `edge edge-${edge.relation}` }, svg("title", {}, edge.relation));
}

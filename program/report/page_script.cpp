#include "subcore/program/report/page.h"

namespace subcore {

const char* const page_script = R"js(
"use strict";
// Themes: the reader's own until the button is used.
const root = document.documentElement, theme = document.getElementById("theme");
const wants_dark = matchMedia("(prefers-color-scheme: dark)");
const is_dark = () => (root.dataset.theme || (wants_dark.matches ? "dark" : "light")) === "dark";
theme.addEventListener("click", () => { root.dataset.theme = is_dark() ? "light" : "dark"; });

// Sorting: by what a cell is exactly; what is not there comes last in either direction.
function sort(table, column, descending) {
  const is_number = table.tHead.rows[0].cells[column].classList.contains("number");
  const key = (row) => {
    const cell = row.cells[column], text = cell.dataset.value === undefined ? cell.textContent : cell.dataset.value;
    return is_number ? (text === "" ? NaN : Number(text)) : text;
  };
  const order = (a, b) => is_number
    ? (isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : descending ? b - a : a - b)
    : (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1);
  const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
  rows.sort((a, b) => order(a[0], b[0]));
  table.tBodies[0].append(...rows.map((row) => row[1]));
}
for (const table of document.querySelectorAll("table"))
  for (const head of table.tHead.rows[0].cells)
    head.firstElementChild.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const descending = before ? before === "ascending" : head.classList.contains("number");
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(table, head.cellIndex, descending);
    });

// A figure as a file of its own, in the colours that it has in itself.
for (const button of document.querySelectorAll(".save"))
  button.addEventListener("click", () => {
    const figure = button.closest("figure"), link = document.createElement("a");
    const text = new XMLSerializer().serializeToString(figure.querySelector("svg"));
    link.href = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
    link.download = figure.id + ".svg";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

// Zooming: all plots of a figure show the same part of their axis, from `from` to `to` of 1.
function short(x) {
  const [by, letter] = x >= 1e9 ? [1e9, "G"] : x >= 1e6 ? [1e6, "M"] : x >= 1e4 ? [1e3, "k"] : [1, ""];
  return String(Number((x / by).toPrecision(4))) + letter;
}
function steps_of(from, to) {
  const raw = (to - from) / 6, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((times) => times * power >= raw * (1 - 1e-9)) * power;
  const steps = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-9); ++i) steps.push(i * step);
  return steps;
}
function show(figure, from, to) {
  const plots = [...figure.querySelectorAll("svg.plot")], last = plots[plots.length - 1], view = figure.view;
  view.from = from;
  view.to = to;
  const wide = Number(last.getAttribute("width")), high = last.getAttribute("height");
  for (const p of plots) p.setAttribute("viewBox", [from * wide, 0, (to - from) * wide, high].join(" "));
  const ticks = figure.querySelector(".x_ticks"), [line, words] = view.models;
  const left = Number(last.getAttribute("x")), most = Number(last.dataset.most);
  ticks.replaceChildren();
  for (const t of steps_of(from * most, to * most)) {
    const x = left + wide * (t / most - from) / (to - from), mark = line.cloneNode(), text = words.cloneNode();
    mark.setAttribute("x1", x);
    mark.setAttribute("x2", x);
    text.setAttribute("x", x);
    text.textContent = short(t);
    ticks.append(mark, text);
  }
}
function zoom(figure, how) {
  const {from, to} = figure.view, wide = to - from, middle = (from + to) / 2;
  const at = (begin, width) => {
    const w = Math.min(1, width), b = Math.max(0, Math.min(1 - w, begin));
    show(figure, b, b + w);
  };
  if (how === "in") at(middle - wide / 4, Math.max(wide / 2, 1 / 4096));
  if (how === "out") at(middle - wide, wide * 2);
  if (how === "left") at(from - wide / 2, wide);
  if (how === "right") at(from + wide / 2, wide);
  if (how === "all") at(0, 1);
}
for (const figure of document.querySelectorAll("figure")) {
  const ticks = figure.querySelector(".x_ticks");
  if (!ticks) continue;
  figure.view = {from: 0, to: 1, models: [ticks.querySelector("line"), ticks.querySelector("text")]};
  for (const button of figure.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", () => zoom(figure, button.dataset.zoom));
  // Dragging over a plot shows what was dragged over.
  for (const plot of figure.querySelectorAll("svg.plot")) {
    const place = (event) => {
      const chart = plot.ownerSVGElement, box = chart.getBoundingClientRect(), {from, to} = figure.view;
      const x = (event.clientX - box.left) * Number(chart.getAttribute("width")) / box.width;
      const part = (x - Number(plot.getAttribute("x"))) / Number(plot.getAttribute("width"));
      return from + (to - from) * Math.max(0, Math.min(1, part));
    };
    plot.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      event.preventDefault();
      const begin = place(event);
      addEventListener("pointerup", (up) => {
        const end = place(up);
        if (Math.abs(end - begin) > (figure.view.to - figure.view.from) / 50)
          show(figure, Math.min(begin, end), Math.max(begin, end));
      }, {once: true});
    });
  }
}

// On paper every figure is to be seen.
addEventListener("beforeprint", () => {
  for (const d of document.querySelectorAll("section > details:not([open])")) { d.open = true; d.dataset.closed = ""; }
});
addEventListener("afterprint", () => {
  for (const d of document.querySelectorAll("details[data-closed]")) { d.open = false; delete d.dataset.closed; }
});
)js";

}  // namespace subcore

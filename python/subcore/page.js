"use strict";
// Themes: the reader's own until the button is used.
const root = document.documentElement, theme = document.getElementById("theme");
const wants_dark = matchMedia("(prefers-color-scheme: dark)");
const is_dark = () => (root.dataset.theme || (wants_dark.matches ? "dark" : "light")) === "dark";
theme.addEventListener("click", () => { root.dataset.theme = is_dark() ? "light" : "dark"; });

// Sorting: by what a cell is exactly; what is not there comes last in either direction.
function sort(table, column, descending) {
  const is_number = table.tHead.rows[0].cells[column].classList.contains("n");
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
function make_sortable(table) {
  for (const head of table.tHead.rows[0].cells)
    head.firstElementChild.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const descending = before ? before === "ascending" : head.classList.contains("n");
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(table, head.cellIndex, descending);
    });
}
document.querySelectorAll("table").forEach(make_sortable);

// The numbers of a figure are a table once somebody wants to see them.
const data_of = (figure) => JSON.parse(figure.querySelector(".data").textContent);
function element(name, parent, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return parent.appendChild(made);
}
function show_numbers(details) {
  if (!details.open || details.querySelector("table")) return;
  const data = data_of(details.closest("figure")), scroll = element("div", details), table = element("table", scroll);
  scroll.className = "scroll";
  table.id = data.id;
  element("caption", table, data.caption);
  const heads = element("tr", element("thead", table)), body = element("tbody", table);
  for (const [name, is_number] of data.columns) {
    const head = element("th", heads);
    head.scope = "col";
    head.classList.toggle("n", is_number);
    element("button", head, name).type = "button";
  }
  for (const values of data.rows) {
    const row = element("tr", body);
    values.forEach((value, n) => {
      const [, is_number, decimals] = data.columns[n];
      const rounds = is_number && value !== null && decimals !== null;
      const cell = element("td", row, value === null ? "\u2013" : rounds ? value.toFixed(decimals) : value);
      cell.classList.toggle("n", is_number);
      if (is_number) cell.dataset.value = value === null ? "" : value;
    });
  }
  make_sortable(table);
}
for (const details of document.querySelectorAll(".numbers")) details.addEventListener("toggle", () => show_numbers(details));

// A figure as a file of its own: the drawing for paper, whatever theme the page has, and its numbers.
const light = {ink: "#000000", grid: "#d9d9d9", soft: "#4c4c4c", dark: "#444444",
  letters: "DejaVu Sans, Verdana, sans-serif"};
function svg_of(figure) {
  const svg = figure.querySelector(".wide svg").cloneNode(true);
  svg.style.cssText = "fill: #000000; stroke-linejoin: round; stroke-linecap: butt";
  return new XMLSerializer().serializeToString(svg).replace(/var\(--([a-z]+)\)/g, (all, name) => light[name]);
}
function csv_of(figure) {
  const {columns, rows} = data_of(figure);
  const word = (value) => value === null ? "" : /[",\n]/.test(value) ? '"' + String(value).replaceAll('"', '""') + '"' : value;
  return [columns.map((c) => c[0]), ...rows].map((row) => row.map(word).join(",") + "\n").join("");
}
for (const button of document.querySelectorAll("[data-save]"))
  button.addEventListener("click", () => {
    const figure = button.closest("figure"), link = document.createElement("a"), is_csv = button.dataset.save === "csv";
    const file = new Blob([is_csv ? csv_of(figure) : svg_of(figure)], {type: is_csv ? "text/csv" : "image/svg+xml"});
    link.href = URL.createObjectURL(file);
    link.download = figure.id + "." + button.dataset.save;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

// On paper every figure is to be seen.
addEventListener("beforeprint", () => {
  for (const d of document.querySelectorAll(".folded:not([open])")) { d.open = true; d.dataset.closed = ""; }
});
addEventListener("afterprint", () => {
  for (const d of document.querySelectorAll("details[data-closed]")) { d.open = false; delete d.dataset.closed; }
});

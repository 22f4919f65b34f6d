#include "subcore/program/report/page.h"

namespace subcore {

const char* const page_style = R"css(
:root { --ink: #1a1a1a; --soft: #555; --paper: #fff; --shade: #f2f2f2; --grid: #d9d9d9; --axis: #4d4d4d; --link: #00558a;
  --to-dark: inline; --to-light: none; }
@media screen {
  :root { color-scheme: light; }
  @media (prefers-color-scheme: dark) {
    :root:not([data-theme=light]) { color-scheme: dark; --ink: #e8e8e8; --soft: #b0b0b0; --paper: #16181b; --shade: #23262b;
      --grid: #3a3e45; --axis: #9aa0a8; --link: #7cc4f5; --to-dark: none; --to-light: inline; }
  }
  :root[data-theme=dark] { color-scheme: dark; --ink: #e8e8e8; --soft: #b0b0b0; --paper: #16181b; --shade: #23262b;
    --grid: #3a3e45; --axis: #9aa0a8; --link: #7cc4f5; --to-dark: none; --to-light: inline; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1320px; padding: 0 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
header { position: relative; padding-top: 1rem; border-bottom: 1px solid var(--grid); }
h1 { font-size: 1.5rem; margin: 0 5rem .3rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
header p { margin: .2rem 0 .6rem; color: var(--soft); }
#theme { position: absolute; top: 1rem; right: 0; }
.to_dark { display: var(--to-dark); }
.to_light { display: var(--to-light); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding-bottom: .7rem; }
a { color: var(--link); }
button { font: inherit; font-size: .85rem; color: var(--ink); background: var(--shade); border: 1px solid var(--axis);
  border-radius: 4px; padding: .15rem .6rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
/* Sections stand beside each other where there is room for two figures. What is below a figure makes it no wider. */
main { display: flex; flex-wrap: wrap; column-gap: 2rem; }
main > section { flex: 0 1 auto; min-width: 0; max-width: 100%; }
main > section:not(:has(> figure)) { flex-basis: 100%; }
figure { margin: 0; }
figcaption, .numbers { width: 0; min-width: 100%; }
figcaption { color: var(--soft); margin: .3rem 0 .5rem; }
.scroll { overflow-x: auto; max-width: 100%; }
.tools { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .3rem; }
summary { cursor: pointer; padding: .2rem 0; }
section > details { border-top: 1px solid var(--grid); }
section > details > summary { font-weight: bold; padding: .4rem 0; }
svg.chart { display: block; }
svg .paper { fill: none; }
svg .ink { fill: var(--ink); }
svg .grid { stroke: var(--grid); }
svg .axis, svg .reference, svg .whisker { stroke: var(--axis); }
svg .bar { stroke: var(--ink); }
svg .bar:hover { stroke-width: 2; }
table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; color: var(--soft); padding: .2rem 0; }
th, td { padding: .2rem .55rem; text-align: left; border-bottom: 1px solid var(--grid); white-space: nowrap; }
.number { text-align: right; }
thead th { vertical-align: bottom; padding: 0 .1rem; background: var(--shade); }
thead button { font-weight: bold; border: 0; background: none; padding: .25rem .45rem; text-align: inherit; width: 100%; }
th[aria-sort] button::after { content: " \25B2"; }
th[aria-sort=descending] button::after { content: " \25BC"; }
tbody tr:hover { background: var(--shade); }
@media (max-width: 600px) { body { padding: 0 .6rem 2rem; font-size: 14px; } h1 { font-size: 1.2rem; } }
@media print {
  main { display: block; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  button:not(th button), nav, #theme, .tools { display: none; }
  .scroll { overflow: visible; }
  svg.chart { max-width: 100%; height: auto; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .numbers:not([open]) { display: none; }
  figure, tr { break-inside: avoid; }
  table { font-size: 7pt; }
  th, td { white-space: normal; padding: .1rem .25rem; }
}
)css";

}  // namespace subcore

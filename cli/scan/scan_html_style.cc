// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The style sheet and the script of the page. The page is readable without the script.
#include "layoutcheck/cli/scan/scan_html_parts.h"

namespace layoutcheck {

std::string_view ScanStyle() {
  return R"css(
:root{--page:#f6f7f9;--card:#fff;--text:#1c2530;--faint:#5d6977;--line:#dde2e8;--accent:#1d5fbf;--bad:#b3261e;
--bad-back:#fdecea;--warn:#8a5a00;--warn-back:#fff4d6;--good:#1b6e3c;--advice-back:#e8f0fb;--hatch:#0003;--hatch-back:#ffffff8c;
--parameter:#8fbbec;--constant:#c9b5ea;--fusion:#8fd3a5;--copy:#f3b98a;--compute:#eed674;--other:#b9c4d0;--rest:#dfe4ea;
--alive:#2f74c6;--needed:#7fb0e8;--on-area:#16202b}
@media (prefers-color-scheme:dark){:root{--page:#10151b;--card:#19212a;--text:#e3e8ee;--faint:#9aa7b5;--line:#2e3944;
--accent:#8ab8f5;--bad:#ff9d94;--bad-back:#421d1b;--warn:#f0c565;--warn-back:#3a2e10;--good:#7fd69f;--advice-back:#1a2d47;
--hatch:#ffffff38;--hatch-back:#0b0f1499;--parameter:#315f93;--constant:#5d4787;--fusion:#2b6e43;--copy:#8a5426;
--compute:#776213;--other:#4a5765;--rest:#333e4a;--alive:#6ea8ec;--needed:#2f619c;--on-area:#f2f5f8}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:78rem;background:var(--page);color:var(--text);
font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:0;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:0 0 .3rem}
h3{font-size:.95rem;margin:1rem 0 .3rem}
code{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.86em;overflow-wrap:anywhere}
small,.note,.lead,footer{color:var(--faint)}.note{margin:.2rem 0 .7rem;font-size:.9rem}.lead{margin:.3rem 0 1rem}
footer{margin-top:2rem;font-size:.85rem}
main>section:not(.tiles){background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.2rem;margin-top:1rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.5rem,1fr));gap:.7rem}
.tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.7rem .9rem;display:flex;flex-direction:column}
.tile span{color:var(--faint);font-size:.82rem}.tile b{font-size:1.5rem;line-height:1.35;font-variant-numeric:tabular-nums}
.tile.bad b{color:var(--bad)}.good{color:var(--good);margin:.2rem 0}
summary{cursor:pointer;padding:.25rem 0}
.rule ol{margin:.2rem 0 .6rem;padding-left:2.2rem;max-height:24rem;overflow-y:auto}.rule li{margin:.5rem 0}.rule p{margin:0}.rule .where{color:var(--faint)}
.where code{margin-right:.6em}
.badge{border-radius:99px;padding:.08rem .6rem;font-size:.78rem;font-weight:600;background:var(--advice-back);color:var(--accent)}
.error .badge{background:var(--bad-back);color:var(--bad)}.undecided .badge{background:var(--warn-back);color:var(--warn)}
svg.treemap,svg.curve{width:100%;height:auto;display:block}svg.narrow{display:none}
svg text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:var(--text)}
.hatch-back{fill:var(--hatch-back)}.hatch-line{fill:var(--hatch)}
.area>rect:first-of-type{fill:var(--other)}.area>rect{rx:2px}.area text{fill:var(--on-area);pointer-events:none;font-weight:600}
.area text.size{font-weight:400}.area .pad{pointer-events:none}
.parameter>rect:first-of-type{fill:var(--parameter)}.constant>rect:first-of-type{fill:var(--constant)}
.fusion>rect:first-of-type{fill:var(--fusion)}.copy>rect:first-of-type{fill:var(--copy)}
.compute>rect:first-of-type{fill:var(--compute)}.rest>rect:first-of-type{fill:var(--rest)}
a.area:hover>rect:first-of-type,a.area:focus-visible>rect:first-of-type{stroke:var(--text);stroke-width:2}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:0 0 .6rem;font-size:.85rem}
.legend span::before{content:'';display:inline-block;width:.8em;height:.8em;border-radius:3px;margin-right:.4em;background:var(--other)}
.legend .parameter::before{background:var(--parameter)}.legend .constant::before{background:var(--constant)}
.legend .fusion::before{background:var(--fusion)}.legend .copy::before{background:var(--copy)}
.legend .compute::before{background:var(--compute)}.legend .rest::before{background:var(--rest)}
.grid{stroke:var(--line)}.axis{fill:var(--faint)}.curve .axis:not([text-anchor]){text-anchor:end}
.needed{fill:var(--needed)}.edge{fill:none;stroke:var(--alive);stroke-width:1.6}
line.peak{stroke:var(--bad);stroke-dasharray:3 3}circle.peak{fill:var(--bad)}text.peak{fill:var(--bad);font-weight:600}
.column{fill:transparent}.column:hover{fill:#8882}
.readout{display:block;color:var(--faint);font-size:.88rem;font-variant-numeric:tabular-nums;min-height:1.5em;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.35rem .6rem;border-top:1px solid var(--line)}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.peaks td{padding:.2rem .6rem .2rem 0;border:0}.peaks .n{width:6rem}.peaks .b{width:22%}.peaks small{overflow-wrap:anywhere}
.bar{display:flex;justify-content:flex-end;height:.85em;margin-top:.35em;min-width:2px;border-radius:3px;background:var(--alive);overflow:hidden}
.bar i{background:repeating-linear-gradient(45deg,var(--hatch-back) 0 3px,var(--hatch) 3px 5px)}
.scroll{overflow-x:auto}thead th{position:sticky;top:0;background:var(--card);border-top:0;border-bottom:2px solid var(--line);padding:.2rem}
button{font:inherit;color:inherit;background:none;border:0;cursor:pointer;text-align:inherit;border-radius:6px}
th button{padding:.2rem .4rem;font-weight:600;font-size:.85rem;white-space:nowrap;width:100%}th button:hover{background:var(--page)}
th[aria-sort] button::after{content:' ▾'}th[aria-sort=ascending] button::after{content:' ▴'}
.arrays td{font-size:.9rem}.arrays td small{display:block}.arrays td button{padding:0;font-weight:600;color:var(--accent);overflow-wrap:anywhere}
.arrays td button::before{content:'▸ ';font-weight:400}.arrays td button[aria-expanded=true]::before{content:'▾ '}
.shape{min-width:14rem}.better{min-width:8rem}td.source{overflow-wrap:anywhere;color:var(--faint);min-width:6rem}
.w{position:relative;min-width:5rem}.w i{position:absolute;right:0;bottom:.15rem;height:3px;border-radius:2px;background:var(--copy);max-width:calc(100% - .6rem)}
tr.detail td{border-top:0;background:var(--page);overflow-x:auto}tr.detail svg{border-radius:8px;max-width:none}
tr.detail .picture{overflow-x:auto;max-width:min(74rem,calc(100vw - 5rem))}
tr:target,tr.shown{background:var(--advice-back)}
.filters{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:.4rem 0 .7rem}
.filters input[type=search],.filters select{font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:8px;padding:.35rem .6rem}
.filters input[type=search]{flex:1 1 14rem}.filters output{color:var(--faint);font-size:.88rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
@media (max-width:45rem){body{padding:1rem .6rem 2rem}h1{font-size:1.35rem}svg.wide{display:none}svg.narrow{display:block}
main>section:not(.tiles){padding:.9rem .8rem}.tiles{grid-template-columns:1fr 1fr;gap:.5rem}.tile b{font-size:1.2rem}
thead tr{display:flex;flex-wrap:wrap}thead th{position:static;border:0}th.shape,td.source:empty,td.better:empty{display:none}
.arrays tbody tr{display:grid;grid-template-columns:1fr 1fr 1fr;border-top:1px solid var(--line);padding:.4rem 0}
.arrays td{border:0;padding:.1rem .2rem;min-width:0}.arrays td:nth-child(n+4){grid-column:1/-1}
.arrays td:nth-child(4){order:-1}.arrays td.n{text-align:left}.arrays td:nth-child(1)::after{content:' allocated'}
.arrays td:nth-child(2)::after,.arrays td:nth-child(3)::after{content:' padding'}.w i{display:none}
.arrays td::after{color:var(--faint);font-size:.85em}.peaks .b{width:20%}.peaks .n{width:auto}
.arrays tbody tr.detail{display:block}tr.detail .picture{max-width:calc(100vw - 3.5rem)}}
@media print{.filters{display:none}main>section{break-inside:avoid}}
)css";
}

// The state of the table stands in the fragment of the address, so that a link shows the same rows:
// #sort=-padding&filter=text&opcode=copy&padded=1
std::string_view ScanScript() {
  return R"js(
(function () {
  'use strict';
  const find = (id) => document.getElementById(id);
  for (const curve of document.querySelectorAll('svg.curve')) {
    const readout = curve.parentNode.querySelector('.readout');
    curve.addEventListener('pointermove', (event) => {
      const title = event.target.classList.contains('column') && event.target.querySelector('title');
      if (title) readout.textContent = title.textContent;
    });
  }
  const table = document.querySelector('table.arrays');
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const filter = find('filter'), opcode = find('opcode'), padded = find('padded'), count = find('count');
  let sort = '-bytes';
  const numeric = {
    bytes: (row) => +row.dataset.bytes,
    padding: (row) => +row.dataset.padding,
    saving: (row) => +row.dataset.saving,
    waste: (row) => +row.cells[2].dataset.value,
  };
  const textual = {name: 3, opcode: 4, shape: 5, source: 7};
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const bytesText = (bytes) => {
    let unit = 0;
    while (bytes >= 1024 && unit < 6) { bytes /= 1024; ++unit; }
    return Number(bytes.toPrecision(4)) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'][unit];
  };
  const compare = (key) => {
    if (key in numeric) return (a, b) => numeric[key](a) - numeric[key](b);
    const cell = textual[key];
    return (a, b) => a.cells[cell].textContent.localeCompare(b.cells[cell].textContent, undefined, {numeric: true});
  };
  const close = (row) => {
    const detail = row.nextElementSibling;
    if (detail && detail.classList.contains('detail')) detail.remove();
    row.querySelector('button').setAttribute('aria-expanded', 'false');
  };
  const open = (row) => {
    const cell = document.createElement('td');
    cell.colSpan = row.cells.length;
    const command = document.createElement('code');
    command.textContent = "layoutcheck show '" + row.cells[5].textContent + "'";
    const picture = row.dataset.picture && find(row.dataset.picture);
    if (picture) {
      const frame = document.createElement('div');
      frame.className = 'picture';
      frame.append(picture.content.cloneNode(true));
      cell.append(frame, command);
    } else {
      cell.append('Its picture of memory is not on this page; see ', command);
    }
    const detail = document.createElement('tr');
    detail.className = 'detail';
    detail.append(cell);
    for (const other of rows) if (other.querySelector('[aria-expanded=true]')) close(other);
    row.after(detail);
    row.querySelector('button').setAttribute('aria-expanded', 'true');
  };
  const show = () => {
    rows.forEach(close);
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter((row) => words.every((word) => texts.get(row).includes(word)) &&
        (!opcode.value || row.cells[4].textContent === opcode.value) && (!padded.checked || +row.dataset.padding > 0));
    const down = sort[0] === '-', key = sort.replace('-', ''), order = compare(key);
    shown.sort((a, b) => down ? order(b, a) : order(a, b));
    body.replaceChildren(...shown);
    let bytes = 0, padding = 0;
    for (const row of shown) { bytes += +row.dataset.bytes; padding += +row.dataset.padding; }
    count.textContent = shown.length + ' of ' + rows.length + ' arrays: ' + bytesText(bytes) + ', ' +
        bytesText(padding) + ' padding';
    for (const button of table.tHead.querySelectorAll('button')) {
      const head = button.parentNode;
      if (button.dataset.sort !== key) head.removeAttribute('aria-sort');
      else head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    }
  };
  const remember = () => {
    const state = new URLSearchParams();
    if (sort !== '-bytes') state.set('sort', sort);
    if (filter.value) state.set('filter', filter.value);
    if (opcode.value) state.set('opcode', opcode.value);
    if (padded.checked) state.set('padded', '1');
    const text = state.toString();
    try { history.replaceState(null, '', text ? '#' + text : location.pathname); } catch (error) { /* a local page */ }
  };
  const showRow = (row) => {
    if (!row.isConnected) { filter.value = opcode.value = ''; padded.checked = false; show(); }
    for (const other of rows) other.classList.toggle('shown', other === row);
    open(row);
    row.scrollIntoView({block: 'center'});
  };
  const restore = () => {
    const row = /^#a\d+$/.test(location.hash) && rows.find((each) => '#' + each.id === location.hash);
    if (row) return showRow(row);
    const state = new URLSearchParams(location.hash.slice(1));
    const key = (state.get('sort') || '').replace('-', '');
    sort = key in numeric || key in textual ? state.get('sort') : '-bytes';
    filter.value = state.get('filter') || '';
    opcode.value = state.get('opcode') || '';
    if (opcode.selectedIndex < 0) opcode.value = '';
    padded.checked = state.has('padded');
    show();
  };
  table.tHead.addEventListener('click', (event) => {
    const key = event.target.dataset.sort;
    if (!key) return;
    const first = (key in numeric ? '-' : '') + key;
    sort = sort === first ? (first[0] === '-' ? key : '-' + key) : first;
    show();
    remember();
  });
  body.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    const row = button.closest('tr');
    if (button.getAttribute('aria-expanded') === 'true') close(row);
    else open(row);
  });
  for (const control of [filter, opcode, padded]) {
    control.addEventListener('input', () => { show(); remember(); });
  }
  document.querySelector('.filters').addEventListener('submit', (event) => event.preventDefault());
  for (const area of document.querySelectorAll('a.area')) {
    area.addEventListener('click', (event) => {
      event.preventDefault();
      showRow(rows.find((each) => '#' + each.id === area.getAttribute('href')));
    });
  }
  addEventListener('hashchange', restore);
  show();
  restore();
})();
)js";
}

}  // namespace layoutcheck

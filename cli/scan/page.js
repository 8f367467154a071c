// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The script of the page of `scan --html`, which is readable without it. The state of the table stands in the fragment of
// the address, so that a link shows the same rows: #sort=-padding&filter=text&opcode=copy&padded=1
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

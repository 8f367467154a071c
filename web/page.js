// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects the fields with the module's answers. Knows nothing about layouts: texts go to the module, answers are shown.
'use strict';

(() => {
  const get = (id) => document.getElementById(id);
  const texts = ['layout', 'place', 'access', 'tile', 'other', 'transpose', 'formula', 'assume'];
  const checks = ['all-sizes'];
  const start = 'bf16[20,300]{1,0:T(8,128)(2,1)}';
  const examples = [
    ['Tiles of 2x2', {layout: 'f32[3,5]{1,0:T(2,2)}'}],
    ['TPU, bf16', {layout: start}],
    ['TPU, f32', {layout: 'f32[20,300]{1,0:T(8,128)}'}],
    ['CATLASS zN', {layout: 'zN:f16[20,40]'}],
    ['CATLASS nZ', {layout: 'nZ:f16[20,40]'}],
    ['CuTe nested', {layout: '((4,2),(4,3)):((4,16),(1,32))', tile: '8x12'}],
    ['CuTe swizzle', {layout: 'Sw<3,0,3> o 0 o (8,8):(8,1)', access: 'lane -> 4 bytes of f32'}],
    ['Threads and values', {layout: '((4,8),(2,2)):((32,1),(16,8))', tile: '16x8'}],
    ['mma fragment', {layout: 'mma.m16n8k16.f16.A'}],
    ['Devices, HLO', {layout: 'f32[8,16]{1,0} sharding={devices=[2,4]<=[8]}'}],
    ['Devices, JAX', {layout: 'f32[8,12] mesh[x=2,y=4] P("x", None)'}],
    ['Devices, DTensor', {layout: 'f32[10,6] mesh[4] S(0)'}],
    ['oneDNN aBcd16b', {layout: 'f32[1,17,3,5]{3,2,1,0:T(16,1,1)}'}],
    ['A wasteful array', {layout: 'f32[64,3]{1,0:T(8,128)}'}],
    ['and its cure', {layout: 'f32[64,3]{0,1:T(8,128)}', other: 'f32[64,3]{1,0:T(8,128)}'}],
    ['2^40 elements', {layout: 'u8[1048576,1048576]{1,0:T(8,128)(4,1)}'}],
    ['A wrong formula', {layout: 'f32[9,100]{1,0:T(8,128)}', formula: '(i0/8*(N/128)+i1/128)*1024+i0%8*128+i1%128'}],
  ];

  let shown = null;     // the last answer about the layout
  let compared = null;
  const placeInMemory = get('place').placeholder;

  const status = get('status');
  const group = LayoutPictures.group(async (index, title) => {
    status.textContent = title;
    const answer = await LayoutEngine.ask('hover', {op: 'locate', layout: get('layout').value, place: index, formula: get('formula').value});
    if (answer?.ok) status.textContent = answer.place.text;
  });
  const array = group.add('array');
  const memory = group.add('memory');
  const threads = group.add('threads');
  const pairA = LayoutPictures.group((index, title) => { status.textContent = 'A: ' + title; }).add('comparison-a');
  const pairB = LayoutPictures.group((index, title) => { status.textContent = 'B: ' + title; }).add('comparison-b');

  // Columns of messages count bytes of UTF-8; the field counts characters.
  const characterAt = (text, column) => new TextDecoder().decode(new TextEncoder().encode(text).slice(0, column - 1)).length;

  const showError = (field, answer) => {
    const place = get(field + '-error');
    const input = get(field);
    place.hidden = !answer;
    input?.setAttribute('aria-invalid', String(Boolean(answer)));
    if (!answer) return;
    place.replaceChildren();
    if (answer.column > 0 && input) {
      const mark = document.createElement('div');
      mark.className = 'mark code';
      mark.setAttribute('aria-hidden', 'true');
      mark.textContent = '^';
      const at = characterAt(input.value, answer.column);
      mark.style.marginLeft = `calc(${at}ch - ${input.scrollLeft}px)`;
      if (input.classList.contains('large')) mark.classList.add('large');
      place.append(mark);
    }
    place.append((answer.column > 0 ? `column ${answer.column}: ` : '') + answer.error);
  };

  const showRows = (table, rows) => {
    const body = get(table).tBodies[0];
    body.replaceChildren(...rows.map(([name, value, css]) => {
      const row = document.createElement('tr');
      const head = document.createElement('th');
      head.scope = 'row';
      head.textContent = name;
      const cell = document.createElement('td');
      cell.textContent = value;
      if (css) cell.className = css;
      row.append(head, cell);
      return row;
    }));
  };

  // The first row has the names of the columns.
  const showTraffic = (rows) => {
    get('traffic').hidden = !rows;
    get('traffic').tBodies[0].replaceChildren(...(rows ?? []).map((texts, number) => {
      const row = document.createElement('tr');
      row.append(...texts.map((text) => {
        const cell = document.createElement(number ? 'td' : 'th');
        cell.textContent = text;
        return cell;
      }));
      return row;
    }));
  };

  const showDevices = (rows) => {
    get('devices-view').hidden = !rows;
    get('devices').replaceChildren(...(rows ?? []).map(({color, text}) => {
      const item = document.createElement('li');
      item.innerHTML = '<svg class="layout" width="26" height="15" aria-hidden="true"><rect width="26" height="15"/></svg>';
      item.querySelector('rect').setAttribute('class', color);
      item.append(text);
      return item;
    }));
  };

  const state = () => {
    const parameters = new URLSearchParams();
    for (const id of texts) if (get(id).value) parameters.set(id, get(id).value);
    for (const id of checks) if (!get(id).checked) parameters.set(id, '0');
    if (LayoutCertificates.packed()) parameters.set('certificate', LayoutCertificates.packed());
    return parameters.toString();
  };

  // Browsers refuse more than some two hundred changes of the address in ten seconds, so it follows once the typing pauses.
  let keeping;
  const keepState = () => {
    clearTimeout(keeping);
    keeping = setTimeout(() => {
      const link = '#' + state();
      if (link !== location.hash) history.replaceState(null, '', link);
    }, 200);
  };

  const restore = () => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    for (const id of texts) get(id).value = parameters.get(id) ?? '';
    for (const id of checks) get(id).checked = parameters.get(id) !== '0';
    if (!get('layout').value) get('layout').value = start;
    LayoutCertificates.restore(parameters.get('certificate'));
    askAll();
  };

  // The text again, with its numbers as handles.
  const showHandles = (text, handles) => {
    const line = get('handles');
    const focused = line.contains(document.activeElement) ? document.activeElement.dataset.number : null;
    const bytes = new TextEncoder().encode(text);
    const decode = (begin, end) => new TextDecoder().decode(bytes.slice(begin, end));
    let at = 0;
    const parts = [];
    handles.forEach(({begin, end, order}, number) => {
      parts.push(decode(at, begin));
      const handle = document.createElement('span');
      handle.className = order ? 'handle order' : 'handle';
      handle.tabIndex = 0;
      handle.role = 'spinbutton';
      handle.textContent = decode(begin, end);
      handle.ariaValueNow = handle.textContent;
      handle.ariaLabel = order ? `entry ${handle.textContent} of the dimension order` : `number ${number + 1} of the layout`;
      handle.dataset.number = number;
      handle.dataset.at = begin;
      parts.push(handle);
      at = end;
    });
    parts.push(decode(at, bytes.length));
    line.replaceChildren(...parts);
    if (focused !== null) line.querySelector(`[data-number="${focused}"]`)?.focus();
  };

  const step = async (at, by) => {
    const answer = await LayoutEngine.ask('step', {op: 'step', layout: get('layout').value, at, by});
    if (!answer?.ok) return null;
    get('layout').value = answer.layout;
    await ask();
    const moved = [...get('handles').children].find((handle) => Number(handle.dataset.at) === answer.at);
    moved?.focus();
    return answer.at;
  };

  // Keys may come faster than answers: each step begins when the one before has moved the focus to its handle.
  let stepped = Promise.resolve();
  const stepByKey = (event) => {
    const by = {ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10}[event.key];
    if (!by || !event.target.classList.contains('handle')) return;
    event.preventDefault();
    stepped = stepped.then(async () => {
      const handle = document.activeElement;
      if (!handle.classList.contains('handle')) return;
      await step(Number(handle.dataset.at), by);
      askComparison();
      askFormula();
    });
  };

  const followDrag = (event) => {
    const handle = event.target.closest('.handle');
    if (!handle) return;
    event.preventDefault();
    handle.focus();
    let at = Number(handle.dataset.at);
    let from = event.clientX;
    let busy = false;
    const move = async (moved) => {
      const steps = Math.trunc((moved.clientX - from) / 8);
      if (steps === 0 || busy) return;
      busy = true;
      from += 8 * steps;
      at = (await step(at, steps)) ?? at;
      busy = false;
    };
    const stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', stop);
      removeEventListener('pointercancel', stop);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', stop);
    addEventListener('pointercancel', stop);
  };

  // A picture is as wide as half of the page, and so high that the window shows all of it below the fields, which take some
  // 430 pixels. Its margins and legend, some 110, are not part of the room.
  const roomOfPicture = () => ({width: parseFloat(getComputedStyle(get('views')).gridTemplateColumns) - 58, height: Math.max(340, innerHeight - 540)});

  // A task that a frame's callback posts runs after that frame is drawn.
  const frameDrawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

  const askConversions = async (layout) => {
    await frameDrawn();  // the picture does not wait for them
    if (layout !== get('layout').value) return;
    const answer = await LayoutEngine.ask('convert', {op: 'convert', layout});
    if (!answer || layout !== get('layout').value) return;
    const rows = answer.ok ? answer.rows : [];
    showRows('conversions', rows.map((row) => [row.to, row.text ?? (row.undecided ? 'undecided: ' : 'not expressible: ') + row.error,
      row.text === undefined ? 'faint' : 'code pre']));
    if (answer.stopped) showRows('conversions', [['', answer.error, 'faint']]);
  };

  const ask = async () => {
    keepState();
    const request = {op: 'show', ...roomOfPicture(), full_width: get('views').clientWidth - 56, with_text: get('as-text').open};
    for (const id of ['layout', 'place', 'access', 'tile']) request[id] = get(id).value;
    const answer = await LayoutEngine.ask('show', request);
    if (!answer) return;
    const field = answer.ok ? null : get((answer.field ?? 'layout') + '-error') ? answer.field ?? 'layout' : 'layout';
    for (const id of ['layout', 'place', 'access', 'tile']) showError(id, id === field ? answer : null);
    document.body.classList.toggle('stale', field === 'layout');
    document.body.dataset.answered = request.layout;
    if (!answer.ok) {
      // The other fields' errors leave the picture of the layout; it is asked for without them.
      if (field === 'layout') return;
      const retry = await LayoutEngine.ask('show', {...request, place: '', access: '', tile: ''});
      if (retry?.ok) render(request.layout, retry);
      return;
    }
    render(request.layout, answer);
  };

  const render = (layout, answer) => {
    shown = answer;
    document.body.classList.toggle('sharded', Boolean(answer.devices));
    get('place').placeholder = answer.devices ? '(2,3) or 17 on device 4' : placeInMemory;
    showDevices(answer.devices);
    array.show(answer.array_svg);
    memory.show(answer.memory_svg);
    threads.show(answer.threads_svg);
    get('lanes-view').hidden = !answer.banks_svg;
    get('lanes').innerHTML = answer.banks_svg ?? '';
    get('threads-view').hidden = !answer.threads_svg;
    get('tile-field').hidden = !answer.has_threads;
    if (answer.threads_error && get('tile').value) showError('tile', {column: 0, error: answer.threads_error});
    showRows('facts', answer.facts.map(({name, value}) => [name, value, 'code']));
    showHandles(layout, answer.handles);
    if (answer.text !== undefined) get('text').textContent = answer.text;
    get('banks').hidden = !answer.banks;
    showRows('banks', (answer.banks ?? []).map(({name, value}) => [name, value, 'code']));
    status.textContent = answer.place?.text ?? '';
    if (answer.place) {
      group.mark(String(answer.place.index));
      status.textContent = answer.place.text;
    }
    document.body.dataset.answered = layout;
    askConversions(layout);
  };

  const askComparison = async () => {
    keepState();
    const b = get('other').value;
    get('comparison').hidden = !b;
    showError('other', null);
    showError('transpose', null);
    if (!b) return;
    const answer = await LayoutEngine.ask('compare', {op: 'compare', a: get('layout').value, b, transpose: get('transpose').value, ...roomOfPicture()});
    if (!answer) return;
    compared = answer;
    get('comparison').hidden = !answer.ok;
    if (!answer.ok) {
      if (answer.field !== 'a') showError(answer.field === 'transpose' ? 'transpose' : 'other', answer);
      return;
    }
    get('relation').textContent = answer.relation;
    get('relation').dataset.relation = answer.relation;
    showRows('comparison-facts', answer.facts.map(({name, value}) => [name, value, 'code']));
    showTraffic(answer.traffic);
    get('comparison-views').hidden = !answer.a_svg;
    pairA.show(answer.a_svg);
    pairB.show(answer.b_svg);
    get('compare-command').textContent = answer.command;
  };

  const askFormula = async (isLong = false) => {
    keepState();
    const formula = get('formula').value;
    get('formula-result').hidden = !formula;
    showError('formula', null);
    if (!formula) return;
    const request = {op: 'formula', layout: get('layout').value, formula, assume: get('assume').value, all_sizes: get('all-sizes').checked, long: isLong};
    if (isLong) get('verdict').textContent = 'searching …';
    const answer = await LayoutEngine.ask('formula', request, isLong ? 60000 : 5000);
    if (!answer) return;
    get('formula-result').hidden = !answer.ok;
    if (!answer.ok) {
      showError('formula', answer);
      return;
    }
    get('verdict').textContent = `${answer.layout}: ${answer.text}`;
    get('verdict').dataset.verdict = answer.verdict;
    get('searched').textContent = `Searched: ${answer.searched}. These are values where formulas go wrong, not all values.`;
    get('formula-hint').textContent = answer.verdict === 'refuted' ? 'The program refutes it, too:'
      : 'The program proves it for all of them, or refutes it:';
    get('search-longer').hidden = answer.verdict !== 'none';
    get('formula-command').textContent = answer.command;
    if (answer.verdict === 'refuted' && !request.all_sizes) {
      const place = await LayoutEngine.ask('hover', {op: 'locate', layout: request.layout, place: answer.coordinate});
      if (place?.ok) group.mark(String(place.place.index));
    }
  };

  const askAll = () => {
    ask();
    askComparison();
    askFormula();
  };

  const readFile = async (file) => {
    if (!file) return;
    const bytes = await file.arrayBuffer();
    const text = LayoutCertificates.decode(bytes);
    if (!LayoutCertificates.isCertificate(file.name, text)) return scan(file.name, text);
    await LayoutCertificates.showFile(file.name, bytes);
    keepState();
  };

  const scan = async (name, text) => {
    const answer = await LayoutEngine.ask('scan', {op: 'scan', file: name, text, log: get('is-log').checked}, 60000);
    if (!answer) return;
    showError('scan', answer.ok ? null : answer);
    get('report').hidden = get('scan-command').hidden = !answer.ok;
    get('report').textContent = answer.text ?? '';
    get('scan-command').textContent = answer.command ?? '';
  };

  const exportAs = async (what) => {
    const layout = get('layout').value;
    const text = async () => (await LayoutEngine.ask('export', {op: 'show', layout, access: get('access').value, with_text: true}))?.text ?? '';
    const picture = async () => (await LayoutEngine.ask('export', {op: 'picture', layout, access: get('access').value})) ?? {};
    const kinds = {
      link: async () => LayoutExport.copy(location.href.split('#')[0] + '#' + state()),
      proof: async () => LayoutExport.copy(location.href.split('#')[0] + '#certificate=' + LayoutCertificates.packed()),
      command: async () => LayoutExport.copy(shown.command),
      text: async () => LayoutExport.copy(await text()),
      svg: async () => LayoutExport.copy((await picture()).svg),
      'save-svg': async () => LayoutExport.save(new Blob([(await picture()).svg], {type: 'image/svg+xml'}), 'layout.svg'),
      'save-png': async () => LayoutExport.save(await LayoutExport.png((await picture()).svg), 'layout.png'),
    };
    try {
      await kinds[what]();
      get('exported').textContent = what.startsWith('save') ? 'saved' : 'copied';
    } catch (error) {
      get('exported').textContent = error.message;
    }
    setTimeout(() => { get('exported').textContent = ''; }, 3000);
  };

  for (const [name, values] of examples) {
    const link = document.createElement('a');
    link.href = '#' + new URLSearchParams(values);
    link.textContent = name;
    get('examples').append(link, ' ');
  }
  get('layout').addEventListener('input', askAll);
  for (const id of ['place', 'access', 'tile']) get(id).addEventListener('input', ask);
  for (const id of ['other', 'transpose']) get(id).addEventListener('input', askComparison);
  for (const id of ['formula', 'assume', 'all-sizes']) get(id).addEventListener('input', () => askFormula());
  get('proof-copy').addEventListener('click', async () => {
    await exportAs('proof');
    get('proof-link').textContent = 'The link is copied.';
  });
  get('proof-save').addEventListener('click', LayoutCertificates.save);
  get('proof-close').addEventListener('click', () => { LayoutCertificates.close(); keepState(); });
  get('search-longer').addEventListener('click', () => askFormula(true));
  get('handles').addEventListener('keydown', stepByKey);
  get('handles').addEventListener('pointerdown', followDrag);
  get('as-text').addEventListener('toggle', ask);
  addEventListener('resize', ask);
  get('file').addEventListener('change', (event) => readFile(event.target.files[0]));
  addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('dropping'); });
  addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    readFile(event.dataTransfer.files[0]);
  });
  for (const button of document.querySelectorAll('[data-export]')) button.addEventListener('click', () => exportAs(button.dataset.export));
  addEventListener('hashchange', restore);
  restore();
})();

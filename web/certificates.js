// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates that are dropped or in the address. The module checks them; their steps are fetched when they are unfolded.
'use strict';

const LayoutCertificates = (() => {
  const get = (id) => document.getElementById(id);
  const longestPacked = 32000;  // characters; that of `prove --link`
  const mostShown = 10;  // proved claims that are not folded
  const firstWords = 'layoutcheck certificate';
  let restores = 0;    // addresses so far: the last one counts
  let current = null;  // {name, text, packed}

  const isCertificate = (name, text) => name.endsWith('.cert') || text.startsWith(firstWords);

  // The bytes of a stream behind a transformation, at most `limit` of them: some bytes unpack to gigabytes.
  const through = async (bytes, transformation, limit = Infinity) => {
    const reader = new Blob([bytes]).stream().pipeThrough(transformation).getReader();
    const pieces = [];
    let size = 0;
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
      size += value.length;
      if (size > limit) throw new Error('the address holds more than a certificate');
      pieces.push(value);
    }
  };

  const pack = async (text) => {
    const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate'));
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };

  const unpack = async (packed) => {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return decode(await through(bytes, new DecompressionStream('deflate'), 1 << 26));
  };

  // A mark of the byte order is part of the text, and makes it no certificate.
  const decode = (bytes) => new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes);

  const element = (tag, css, text) => {
    const made = document.createElement(tag);
    if (css) made.className = css;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const fillPart = async (details, part, wrongLine) => {
    if (details.childElementCount > 1) return;
    const table = element('table', 'steps');
    details.append(table);
    const answer = await LayoutEngine.ask(`lines ${part.first}`, {op: 'certificate-lines', text: current.text, first: part.first, last: part.last}, 60000);
    for (const row of answer?.rows ?? []) {
      const line = table.insertRow();
      const isWrong = row.line === wrongLine;
      if (isWrong) line.className = 'wrong';
      if (row.line > wrongLine) line.className = 'unchecked';
      line.append(element('th', 'code', row.line), element('td', 'code', row.text), element('td', 'faint', row.words));
    }
  };

  const partOf = (part, certificate) => {
    const details = element('details', 'part');
    const lines = part.last - part.first + 1;
    details.append(element('summary', '', `${part.name}: ${lines} line${lines === 1 ? '' : 's'}`));
    const holdsWrong = certificate.wrong_line >= part.first && certificate.wrong_line <= part.last;
    details.addEventListener('toggle', () => details.open && fillPart(details, part, certificate.wrong_line));
    details.open = holdsWrong;
    return details;
  };

  const certificateOf = (certificate) => {
    const box = element('article', certificate.proved ? 'certificate good' : 'certificate bad');
    box.append(element('h3', 'code', certificate.subject || 'no claim that can be read'));
    const claim = element('p', '', certificate.law ? certificate.law + ': ' : '');
    claim.append(element('span', '', certificate.sentence));
    box.append(claim);
    if (certificate.source) box.append(element('p', 'hint', `Read from ${certificate.source}. That both mean the same is no part of the certificate.`));
    box.append(element('p', 'result', certificate.result));
    const steps = element('details', 'steps-of');
    const lines = certificate.parts.reduce((sum, part) => sum + part.last - part.first + 1, 0);
    steps.append(element('summary', '', `Each step: ${lines} lines in ${certificate.parts.length} parts`));
    steps.append(...certificate.parts.map((part) => partOf(part, certificate)));
    steps.open = !certificate.proved;
    box.append(steps);
    return box;
  };

  const show = async (name, text, packed = null) => {
    current = {name, text, packed};
    get('proof').hidden = false;
    get('proof-error').hidden = true;
    get('certificates').replaceChildren();
    get('proof-summary').textContent = `${name}: checking …`;
    const answer = await LayoutEngine.ask('certificate', {op: 'certificate', file: name, text}, 60000);
    if (!answer || current?.text !== text) return;
    get('proof-error').hidden = answer.ok;
    get('proof-error').textContent = answer.ok ? '' : answer.error;
    const found = answer.ok ? answer.certificates : [];
    // The first proved claims are shown, and every claim that is not proved.
    const isShown = (certificate, k) => !certificate.proved || k < mostShown;
    get('certificates').replaceChildren(...found.filter(isShown).map(certificateOf));
    const others = found.filter((certificate, k) => !isShown(certificate, k));
    if (others.length > 0) {
      const more = element('details', '');
      more.append(element('summary', '', `${others.length} more claims, all checked`), ...others.map(certificateOf));
      get('certificates').append(more);
    }
    const wrong = found.filter((certificate) => !certificate.proved).length;
    const notChecked = answer.stopped || answer.trapped;
    get('proof-summary').textContent = notChecked ? `${name} was not checked.` : !answer.ok ? `${name} is no certificate.`
      : wrong === 0 ? `${name}: ${found.length} ${found.length === 1 ? 'claim' : 'claims'}, checked here by the program's independent checker, without a search.`
      : `${name}: ${wrong} of ${found.length} refused.`;
    get('proof-copy').hidden = packed === null;
    get('proof-link').textContent = packed === null ? 'This certificate is too large for an address: pass on the file.' : '';
    get('proof-command').hidden = !answer.ok;
    get('proof-command').textContent = answer.command ?? '';
    document.body.dataset.checked = !answer.ok || wrong > 0 ? 'refused' : 'proved';
  };

  const showFile = async (name, bytes) => {
    const text = decode(bytes);
    const packed = await pack(text);
    await show(name, text, packed.length <= longestPacked ? packed : null);
    get('proof').scrollIntoView({block: 'start'});
  };

  // Shows the certificate of an address, or none.
  const restore = async (packed) => {
    const order = ++restores;
    if (packed && packed === current?.packed) return;
    close();
    if (!packed) return;
    let text;
    try {
      text = await unpack(packed);
    } catch (error) {
      text = `the certificate in the address cannot be unpacked: ${error.message}`;
    }
    if (order === restores) await show('claim.cert', text, packed);
  };

  const save = () => LayoutExport.save(new Blob([current.text], {type: 'text/plain'}), current.name);

  const close = () => {
    current = null;
    get('proof').hidden = true;
    get('certificates').replaceChildren();
    get('proof-link').textContent = '';
    delete document.body.dataset.checked;
  };

  return {isCertificate, showFile, restore, close, save, decode, packed: () => current?.packed ?? null};
})();

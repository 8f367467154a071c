// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the module, which runs in a worker so that the page never waits. What takes too long is stopped.
'use strict';

const LayoutEngine = (() => {
  // The worker's own code. It is passed as text, because a page that was opened as a file may not load another file.
  function workerMain() {
    let compiled;
    let instance;
    const refused = 52;  // WASI's ENOSYS
    // The module has no files, clock, arguments or environment; only these functions must succeed.
    const system = {
      proc_exit(code) { throw new Error('the module ended with ' + code); },
      environ_sizes_get(count, size) { return store(count, 0) || store(size, 0); },
      args_sizes_get(count, size) { return store(count, 0) || store(size, 0); },
      environ_get() { return 0; },
      args_get() { return 0; },
      fd_write(file, pieces, count, written) {
        const view = new DataView(instance.exports.memory.buffer);
        let total = 0;
        for (let k = 0; k < count; ++k) total += view.getUint32(pieces + 8 * k + 4, true);
        return store(written, total);
      },
    };
    const store = (at, value) => {
      new DataView(instance.exports.memory.buffer).setUint32(at, value, true);
      return 0;
    };
    const start = async () => {
      const imports = {};
      for (const {module, name} of WebAssembly.Module.imports(compiled)) {
        (imports[module] ??= {})[name] = system[name] ?? (() => refused);
      }
      instance = await WebAssembly.instantiate(compiled, imports);
      instance.exports._initialize();
    };
    const answer = (request) => {
      const {memory, layoutcheck_request, layoutcheck_answer, layoutcheck_reply} = instance.exports;
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      const at = layoutcheck_request(bytes.length);
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      const size = layoutcheck_answer();
      return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, layoutcheck_reply(), size)));
    };
    self.onmessage = async ({data}) => {
      if (data.module) {
        compiled = await WebAssembly.compile(data.module);
        await start();
        self.postMessage({ready: true});
        return;
      }
      const begin = performance.now();
      let reply;
      try {
        reply = answer(data.request);
      } catch (error) {
        // The memory may be in any state, so a new instance takes over.
        reply = {ok: false, error: 'this needs more memory than a page has (' + error.message + ')', trapped: true};
        await start();
      }
      self.postMessage({id: data.id, reply, milliseconds: performance.now() - begin});
    };
  }

  const usualLimit = 5000;
  let worker = null;
  let bytes = null;
  let ready = false;
  let running = null;           // the request that the worker has
  const waiting = new Map();    // the latest request per slot
  let count = 0;
  let restarts = 0;
  let lastMilliseconds = 0;

  const unpack = async () => {
    const packed = Uint8Array.from(atob(layoutcheckModule), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  const startWorker = () => {
    ready = false;
    const source = URL.createObjectURL(new Blob(['(' + workerMain + ')()'], {type: 'text/javascript'}));
    worker = new Worker(source);
    URL.revokeObjectURL(source);
    worker.onmessage = ({data}) => {
      if (data.ready) {
        ready = true;
      } else if (running && running.id === data.id) {
        lastMilliseconds = data.milliseconds;
        finish(data.reply);
      }
      next();
    };
    worker.postMessage({module: bytes});
  };

  const finish = (reply) => {
    const {resolve, timer} = running;
    clearTimeout(timer);
    running = null;
    resolve(reply);
  };

  const next = () => {
    if (!ready || running || waiting.size === 0) return;
    const [slot, task] = waiting.entries().next().value;
    waiting.delete(slot);
    running = task;
    task.timer = setTimeout(() => {
      worker.terminate();
      ++restarts;
      finish({ok: false, stopped: true, error: `stopped after ${task.limit / 1000} s; the program has no such limit`});
      startWorker();
    }, task.limit);
    worker.postMessage({id: task.id, request: task.request});
  };

  // Asks a question. A later question in the same slot replaces one that still waits, which is then answered null.
  const ask = (slot, request, limit = usualLimit) => new Promise((resolve) => {
    waiting.get(slot)?.resolve(null);
    waiting.delete(slot);
    waiting.set(slot, {id: ++count, request, resolve, limit});
    next();
  });

  const begin = async () => {
    bytes = await unpack();
    startWorker();
  };
  begin();
  return {ask, restarts: () => restarts, milliseconds: () => lastMilliseconds, isIdle: () => ready && !running && waiting.size === 0};
})();

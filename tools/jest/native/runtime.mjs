// Loads test files with Node's own module loader instead of Jest's: each worker loads a module once, not once per file.
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isTypeScript, resolveSource } from '../../resolve-source.mjs';
import { setGlobals } from './globals.mjs';

const globalsUrl = new URL('./globals.mjs', import.meta.url).href;

const ESM = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/** Jest's transformer and the paths of its source maps, for stack traces; both stay valid from file to file. */
let transformer;
const sourceMaps = new Map();

/** Loads of each test file in this process; Stryker runs a file again and again. */
const loads = new Map();

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: globalsUrl, shortCircuit: true };
    const conditions = ['@bascule/source', ...context.conditions];
    const resolved = resolveSource(specifier, { ...context, conditions }, nextResolve);
    // A test file that runs again loads its own modules again, and shares those of packages.
    const isOwn = specifier.startsWith('.') && isTypeScript(context.parentURL);
    const run = isOwn ? new URL(context.parentURL).search : '';
    return { ...resolved, url: resolved.url + run };
  },
  load(url, context, nextLoad) {
    if (!isTypeScript(url)) return nextLoad(url, context);
    const { code, sourceMapPath } = transformer.transform(fileURLToPath(url), ESM);
    if (sourceMapPath) sourceMaps.set(url, sourceMapPath);
    return { format: 'module', source: code, shortCircuit: true };
  },
});

// Jest runs the file of a worker that exits by an error again, and reports it only when the worker was killed.
if (process.env.JEST_WORKER_ID !== undefined && process.send) {
  process.once('exit', (code) => {
    if (code !== 0) process.kill(process.pid, 'SIGKILL');
  });
}

/** The part of `jest-runtime` that Jest's runner and its framework call. */
export default class NativeRuntime {
  #environment;
  // One per file: Node keeps a reference from it to all that it loaded.
  #require = createRequire(import.meta.url);

  constructor(_config, environment, _resolver, scriptTransformer) {
    this.#environment = environment;
    transformer = scriptTransformer;
  }

  /** Loads the test framework afresh, since its state belongs to one test file. */
  requireInternalModule(path) {
    delete this.#require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return this.#require(path);
  }

  requireModule(path) {
    return this.#require(path);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    setGlobals(globals, moduleMocker, fakeTimersModern);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    const url = pathToFileURL(path);
    const before = loads.get(path) ?? 0;
    loads.set(path, before + 1);
    // Node loads an address only once.
    if (before > 0) url.search = String(before);
    return import(url.href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}

  /** Lets go of the file's tests and all that they refer to. */
  teardown() {
    const states = Object.getOwnPropertySymbols(globalThis);
    for (const state of states.filter(({ description }) => description === 'JEST_STATE_SYMBOL')) {
      delete globalThis[state];
    }
  }
}

// Loads test files with Node's own module loader instead of Jest's: each worker loads a module once, not once per file.
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolveSource } from '../resolve-source.mjs';
import { setGlobals } from './globals.mjs';

const require = createRequire(import.meta.url);
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

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: globalsUrl, shortCircuit: true };
    const conditions = ['@bascule/source', ...context.conditions];
    return resolveSource(specifier, { ...context, conditions }, nextResolve);
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) return nextLoad(url, context);
    const path = fileURLToPath(url);
    const { code, sourceMapPath } = transformer.transform(path, ESM);
    if (sourceMapPath) sourceMaps.set(url, sourceMapPath);
    return { format: 'module', source: code, shortCircuit: true };
  },
});

/** The part of `jest-runtime` that Jest's runner and its framework call. */
export default class NativeRuntime {
  #environment;

  constructor(_config, environment, _resolver, scriptTransformer) {
    this.#environment = environment;
    transformer = scriptTransformer;
  }

  /** Loads the test framework afresh, since its state belongs to one test file. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    setGlobals(globals, moduleMocker, fakeTimersModern);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  restoreAllMocks() {
    this.#environment.moduleMocker.restoreAllMocks();
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}

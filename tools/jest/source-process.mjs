// Lets a test's child process run the sources as Jest does, decorators included:
// `node --conditions=@bascule/source --import ./tools/jest/source-process.mjs file.ts`.
import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { resolveSource } from '../resolve-source.mjs';
import { SWC } from './swc.mjs';

registerHooks({
  resolve: resolveSource,
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...SWC,
      filename,
      swcrc: false,
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});

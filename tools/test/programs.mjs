import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** Finds a program of a package, as a path that Node can run. */
export function program(packageName, name = packageName) {
  const manifest = require.resolve(`${packageName}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(manifest, '..', typeof bin === 'string' ? bin : bin[name]);
}

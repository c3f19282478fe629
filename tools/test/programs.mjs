import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.mjs';

/** Finds a program of a root dependency, as a path that Node can run. */
export function program(packageName, name = packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Packages of package-lock.json by their folder. */
export const lockedPackages = () => read('package-lock.json').packages;

/** The licence in the manifest of an installed package. */
export function installedLicence(key) {
  const manifest = join(key, 'package.json');
  return existsSync(join(root, manifest)) ? read(manifest).license : undefined;
}

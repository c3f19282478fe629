// Programs that run from bundles, and whether their bundles hold what was compiled last.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export const root = join(import.meta.dirname, '..');
export const bundles = join(root, 'bundle');

const folders = (parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name));
export const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

export const apps = folders('apps').filter((app) => existsSync(join(app, 'src/main.ts')));

/** The apps, and the commands of their operators. */
export const entries = apps.flatMap((app) => {
  const main = { name: basename(app), compiled: join(app, 'dist/main.js') };
  if (!existsSync(join(app, 'src/operator.command.ts'))) return [main];
  const compiled = join(app, 'dist/operator.command.js');
  return [main, { name: operatorBundle(main.name), compiled }];
});

const inputs = () => [
  ...[...apps, ...folders('libs').filter((lib) => !lib.endsWith('testing'))].flatMap(
    (directory) => [join(directory, 'dist/.tsbuildinfo'), join(directory, 'package.json')],
  ),
  // Written by every installation.
  join(root, 'node_modules/.package-lock.json'),
  join(import.meta.dirname, 'bundle.mjs'),
  import.meta.filename,
];

export function isBundleCurrent() {
  const oldest = Math.min(...entries.map(({ name }) => modified(join(bundles, `${name}.js`))));
  return oldest > Math.max(...inputs().map(modified));
}

/** Path of the commands of an app's operators: as bundled, or as compiled since. */
export const operatorCommand = (app) =>
  isBundleCurrent()
    ? join(bundles, `${operatorBundle(app)}.js`)
    : join(root, `apps/${app}/dist/operator.command.js`);

function operatorBundle(app) {
  return `${app}-operator`;
}

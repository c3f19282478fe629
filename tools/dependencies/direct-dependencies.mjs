// Holds docs/dependencies.md against the dependencies of every package.json.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const MANIFESTS = ['package.json', '{apps,libs}/*/package.json', 'tests/package.json'];
const OWN = '@bascule/';

/** Every direct dependency of the workspace: `ships` or `development`. */
export function directDependencies(manifests = readManifests()) {
  const found = new Map();
  for (const { dependencies, optionalDependencies, devDependencies } of manifests) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      found.set(name, 'ships');
    }
    for (const name of Object.keys(devDependencies ?? {})) {
      if (!found.has(name)) found.set(name, 'development');
    }
  }
  return new Map([...found].filter(([name]) => !name.startsWith(OWN)));
}

/** Packages that the overrides of the root replace, at any depth. */
export function overriddenPackages(overrides = readManifests()[0].overrides) {
  return Object.entries(overrides ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [name] : overriddenPackages(value),
  );
}

const readManifests = () =>
  globSync(MANIFESTS, { cwd: root }).map((path) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')),
  );

export const document = () => readFileSync(join(root, 'docs/dependencies.md'), 'utf8');

/** Rows of the table under a title: name, second cell, reason. */
export function rowsOf(text, title) {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` +\| ([^|]*?) +\| ([^|]*?) +\|$/gm)].map(
    ([, name, kind, reason]) => ({ name, kind, reason }),
  );
}

/** Lists missing rows, rows without a dependency, wrong kinds and rows without a reason. */
export function tableProblems(rows, expected) {
  const listed = rows.map(({ name }) => name);
  return [
    ...[...expected.keys()]
      .filter((name) => !listed.includes(name))
      .map((name) => `${name}: has no row in docs/dependencies.md`),
    ...listed
      .filter((name, index) => listed.indexOf(name) !== index)
      .map((name) => `${name}: has two rows`),
    ...rows.flatMap(({ name, kind, reason }) => {
      if (!expected.has(name)) return [`${name}: is no direct dependency`];
      if (kind !== expected.get(name)) return [`${name}: is ${expected.get(name)}, not ${kind}`];
      return reason === '' ? [`${name}: has no reason`] : [];
    }),
  ];
}

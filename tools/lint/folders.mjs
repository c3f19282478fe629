// Refuses imports against the order of an app's folders, folders without a place in it, and every cycle.
import { cruise } from 'dependency-cruiser';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FOLDER_ORDER } from '../boundaries.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** Tests and their helpers stand outside the order: a test of a lower folder may need a higher one. */
const TESTS = '(\\.spec|-spec|\\.fixture)\\.ts$|/testing/';
const ROOT_FILES = '[^/]+\\.ts$';

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Each folder may import those before it; none imports files at the root. */
function orderRules([app, folders]) {
  const source = `^${escape(app)}/src/`;
  return folders.map((folder, index) => {
    const later = folders.slice(index + 1).map((name) => `${escape(name)}/`);
    return {
      name: 'folder-order',
      severity: 'error',
      from: { path: `${source}${escape(folder)}/` },
      to: { path: `${source}(?:${[...later, ROOT_FILES].join('|')})` },
    };
  });
}

const NO_CYCLES = [
  { name: 'file-cycle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'folder-cycle',
    severity: 'error',
    scope: 'folder',
    from: { path: '/src/' },
    to: { circular: true, path: '/src/' },
  },
];

/** Folders of an app without a place in the order, and places without a folder. */
function misplaced(root, [app, folders]) {
  const found = new Set(
    globSync('*/**/*.ts', { cwd: join(root, app, 'src') })
      .filter((file) => !new RegExp(TESTS).test(`/${file}`))
      .map((file) => file.split('/')[0]),
  );
  return [
    ...[...found]
      .filter((name) => !folders.includes(name))
      .map((name) => `${app}/src/${name} has no place in FOLDER_ORDER (tools/boundaries.mjs)`),
    ...folders
      .filter((name) => !found.has(name))
      .map((name) => `FOLDER_ORDER names ${app}/src/${name}, which does not exist`),
  ];
}

/** One line per problem. `root` and `order` are for the tests of this check. */
export async function folderProblems(root = ROOT, order = FOLDER_ORDER) {
  const sources = ['apps', 'libs', 'tests'].filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(sources, {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: [...NO_CYCLES, ...Object.entries(order).flatMap(orderRules)] },
    // Imports of types count: a reader of a folder also needs the files that define its types.
    tsPreCompilationDeps: true,
    includeOnly: '^(?:apps|libs|tests)/[^/]+/(?:src/|.*\\.ts$)',
    exclude: { path: `/(?:dist|generated|node_modules)/|${TESTS}` },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs'],
      conditionNames: ['@bascule/source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  });
  return [
    ...globSync('apps/*/src', { cwd: root })
      .map((source) => dirname(source))
      .filter((app) => !Object.hasOwn(order, app))
      .map((app) => `${app} has no order of its folders in FOLDER_ORDER (tools/boundaries.mjs)`),
    ...Object.entries(order).flatMap((entry) => misplaced(root, entry)),
    ...output.summary.violations.map(({ rule, from, to, cycle }) =>
      cycle
        ? `${rule.name}: ${[from, ...cycle.map(({ name }) => name)].join(' → ')}`
        : `${rule.name}: ${from} → ${to}`,
    ),
  ];
}

if (import.meta.main) {
  const problems = await folderProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

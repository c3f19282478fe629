// Turns the arguments of `npm test -- …` into steps.
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './commands.mjs';
import { forgeStep } from './forge-step.mjs';
import { jestStep } from './jest-step.mjs';
import * as steps from './steps.mjs';

const CONTRACTS = 'libs/solidity';

/** Every step by its name. */
export const byName = Object.fromEntries(Object.values(steps).map((step) => [step.name, step]));

/**
 * The steps that arguments name: a step by its name, a file or folder by its path.
 *
 * @throws Error when an argument is neither
 */
export function selectSteps(args) {
  const named = args.filter((arg) => byName[arg]).map((arg) => byName[arg]);
  const paths = args.filter((arg) => !byName[arg]).map(pathInRoot);
  return [...named, ...forgeSelection(paths), ...jestSelection(paths)];
}

function pathInRoot(arg) {
  const path = resolve(root, arg);
  const inside = relative(root, path);
  if (inside.startsWith('..') || !existsSync(path)) {
    throw new Error(`${arg} is neither a path nor a step (${Object.keys(byName).join(', ')})`);
  }
  return inside;
}

function forgeSelection(paths) {
  return paths.flatMap((path) => {
    if (path === CONTRACTS || path === `${CONTRACTS}/test`) return [steps.contracts];
    if (!path.startsWith(`${CONTRACTS}/test/`)) return [];
    const inPackage = relative(CONTRACTS, path);
    return [forgeStep(path, { path: path.endsWith('.sol') ? inPackage : `${inPackage}/**` })];
  });
}

const PROJECTS = { unit: '*.spec.ts', integration: '*.int-spec.ts', e2e: '*.e2e-spec.ts' };

/** One Jest run over the test files at the paths, or none. */
function jestSelection(paths) {
  const found = Object.entries(PROJECTS).map(([project, name]) => ({
    project,
    files: paths.flatMap((path) => testFiles(path, name)),
  }));
  const files = found.flatMap((each) => each.files);
  if (files.length === 0) {
    const [path] = paths.filter((each) => !each.startsWith(`${CONTRACTS}/test`));
    if (path) throw new Error(`no test files in ${path}`);
    return [];
  }
  const projects = found.filter((each) => each.files.length > 0).map(({ project }) => project);
  const isUnitOnly = projects.every((project) => project === 'unit');
  return [
    jestStep('selection', {
      projects,
      args: ['--runTestsByPath', ...files],
      needs: isUnitOnly ? [] : [steps.bundles, steps.prerequisites],
    }),
  ];
}

function testFiles(path, name) {
  if (path.endsWith('.ts')) return globMatches(path, name) ? [path] : [];
  return globSync(`${path}/**/${name}`, { cwd: root, exclude: isLeftOut }).map((file) =>
    join(file),
  );
}

const isLeftOut = (path) => /(^|\/)(node_modules|dist|\.local)$/.test(String(path));
const globMatches = (path, name) => path.endsWith(name.slice(1));

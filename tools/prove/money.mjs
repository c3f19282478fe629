// Mutation testing of the TypeScript code that moves or counts money.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import startServers from '../jest/start-servers.mjs';
import stopServers from '../jest/stop-servers.mjs';
import { root, run, say } from '../test/commands.mjs';
import { program } from '../test/programs.mjs';
import { MONEY_CODE } from './money/areas.mjs';
import { judge, mutantsOf } from './money/judgement.mjs';

const STEP = 'money';
const argumentsFile = join(import.meta.dirname, 'money/survivors.json');
const folder = join(root, '.local/prove/money');

export async function proveMoneyCode(area) {
  const report = join(folder, `${area}.json`);
  rmSync(report, { force: true });
  // A killed run leaves its copy of the sources.
  rmSync(join(folder, area), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const config = join(folder, `${area}.config.json`);
  writeFileSync(config, JSON.stringify(strykerConfig(area, report), null, 2));
  const { project = 'unit' } = areaOf(area);
  const stryker = program('@stryker-mutator/core', 'stryker');
  const env = { MONEY_PROJECT: project };
  // Started here rather than by Jest: Stryker kills runs that time out, which would leave their servers behind.
  if (project === 'integration') await startServers();
  try {
    await run(STEP, process.execPath, [stryker, 'run', config], { env });
  } finally {
    if (project === 'integration') await stopServers();
  }
  const argued = JSON.parse(readFileSync(argumentsFile, 'utf8'));
  return sayJudgement(area, mutantsOf(JSON.parse(readFileSync(report, 'utf8'))), argued);
}

const areaOf = (area) => MONEY_CODE.find((each) => each.area === area);

function strykerConfig(area, report) {
  const { files, tests, project } = areaOf(area);
  const mutate = files.flatMap(sources);
  return {
    mutate,
    testRunner: 'jest',
    jest: {
      configFile: 'tools/prove/money/jest.config.mjs',
      config: { testMatch: tests.map((glob) => `<rootDir>/${glob}`) },
      enableFindRelatedTests: false,
    },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    ignoreStatic: project === 'integration',
    ignorePatterns: [
      '/.local',
      '/.nx',
      '/bench',
      '/bundle',
      '/docs',
      '/libs/solidity',
      '/tests',
      'dist',
    ],
    tempDirName: `.local/prove/money/${area}`,
    allowEmpty: false,
    allowConsoleColors: false,
    reporters: ['json', 'progress-append-only'],
    // A busy machine must not make a slow run a timeout, which counts as noticed.
    timeoutMS: 20_000,
    jsonReporter: { fileName: relative(root, report) },
    disableTypeChecks: '{apps,libs}/**/*.ts',
  };
}

function sources(glob) {
  const found = globSync(glob, { cwd: root }).filter(
    (file) => !/(\.spec|-spec|\.fixture|\/index)\.ts$/.test(file) && !file.includes('/testing/'),
  );
  const alternatives = /\{(.*)\}/.exec(glob)?.[1].split(',').length ?? 1;
  if (found.length < alternatives) throw new Error(`expected files of ${glob}, found ${found}`);
  return found;
}

function sayJudgement(area, mutants, argued) {
  const {
    killed,
    argued: explained,
    open,
    stale,
    ignored,
    score,
    isEnough,
  } = judge(mutants, argued);
  const lineOf = new Map(mutants.map(({ name, line }) => [name, line]));
  for (const name of open) say(STEP, `survives: ${name} (line ${lineOf.get(name)})`);
  for (const name of stale) say(STEP, `✗ argued, but survives no more: ${name}`);
  const percent = (score * 100).toFixed(1);
  say(
    STEP,
    `${isEnough ? '✓' : '✗'} ${area}: ${percent} % noticed (${killed} noticed, ` +
      `${open.length} not, ${explained} argued, ${ignored} ignored)`,
  );
  return isEnough ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** SQL whose effect is a session's: a transaction pooler loses it, or gives it to another client. */
const OF_A_SESSION =
  /pg_(?:try_)?advisory_(?:lock|unlock)|[`'"]\s*(?:UN)?LISTEN\b|[`'"]\s*SET (?!LOCAL\b)\w+ *(?:=|TO\b)|[`'"]\s*(?:PREPARE|DECLARE|DISCARD|RESET)\b|\bWITH HOLD\b|\bTEMP(?:ORARY)? TABLE\b|set_config\([^)]*false\)/;
/** Connections past the pooler, which a file makes itself or is given as a client of the driver, as no pool gives. */
const DIRECT = /\b(?:connectClient|connectDirectly|refusePooler)\(|\bclient: pg\.Client/;
const TESTS =
  /(?:\.spec|-spec|\.fixture)\.ts$|\/testing\/|^libs\/(?:testing|messaging-testing|local-stack)\//;

const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root }).filter(
  (path) => !TESTS.test(path),
);
const needsDirect = (text: string): boolean => OF_A_SESSION.test(text) && !DIRECT.test(text);

describe('statements that belong to a session', () => {
  it('are in files with direct connections only', () => {
    const texts = sources.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
    expect(texts.filter(({ text }) => OF_A_SESSION.test(text)).length).toBeGreaterThan(1);
    expect(texts.filter(({ text }) => needsDirect(text)).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    'SELECT pg_advisory_lock(1)',
    'SELECT pg_try_advisory_lock(1)',
    `query('LISTEN channel')`,
    `query('SET lock_timeout = 1')`,
    'query(`DECLARE page CURSOR`)',
    'CREATE TEMP TABLE rows (n int)',
    `SELECT set_config('lock_timeout', '1', false)`,
  ])('are found: %s', (text) => {
    expect(needsDirect(text)).toBe(true);
    expect(needsDirect(`connectDirectly(database); ${text}`)).toBe(false);
  });

  it.each([
    'SELECT pg_advisory_xact_lock(1)',
    `query('SET LOCAL lock_timeout = 1')`,
    'UPDATE rows SET n = 1',
    `SELECT set_config('lock_timeout', '1', true)`,
  ])('are not taken for those of a transaction: %s', (text) => {
    expect(needsDirect(text)).toBe(false);
  });
});

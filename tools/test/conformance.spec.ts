// Holds docs/conformance.md against the tests that it names.
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from './run-files.js';
import { testTitles } from './test-titles.js';

const root = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(root, 'docs/conformance.md'), 'utf8');
/** Sections whose statements have no test. */
const WITHOUT_TESTS = ['Waiting for real parties'];
/** File and title of a test, or of a row of `tests/field-effects`; groups before it where it occurs twice. */
const REFERENCE = /`([\w./-]+\.ts): ([^`]+)`/g;
/** Everything in code marks within the brackets behind a statement. */
const CITED = /\[(`.*`)\]$/;

const known = new Map<string, string[][]>();
const RUN = runFiles(root);

function titlesIn(file: string): string[][] {
  const path = join(root, file);
  const titles =
    known.get(file) ?? (existsSync(path) ? testTitles(file, readFileSync(path, 'utf8')) : []);
  known.set(file, titles);
  return titles;
}

/** Problem of a reference; null if it names one test of a file that is run. */
function problemOf(
  [reference, file = '', name = '']: readonly string[],
  run: ReadonlySet<string>,
): string | null {
  const wanted = name.split(' › ');
  const found = titlesIn(file).filter(
    (path) => path.slice(-wanted.length).join() === wanted.join(),
  );
  if (found.length === 1) return run.has(file) ? null : `no spec runs: ${reference}`;
  return found.length === 0 ? `no test: ${reference}` : `several tests: ${reference}`;
}

/** Lists the statements of a document with what is wrong with each. */
function checked(
  text: string,
  run = RUN,
): { section: string; statement: string; problem: string | null }[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('- ')) return [];
    if (WITHOUT_TESTS.includes(section)) return [{ section, statement: line, problem: null }];
    const [, cited = ''] = CITED.exec(line) ?? [];
    const references = [...cited.matchAll(REFERENCE)];
    const isRead = cited.replace(REFERENCE, '').replaceAll(', ', '') === '';
    const problem =
      references.map((reference) => problemOf(reference, run)).find((each) => each !== null) ??
      null;
    const isUntested = references.length === 0 || !isRead;
    return [{ section, statement: line, problem: isUntested ? 'names no test' : problem }];
  });
}

describe('docs/conformance.md', () => {
  it('names an existing test for each statement', () => {
    const statements = checked(DOCUMENT);
    expect(statements.filter(({ problem }) => problem !== null)).toEqual([]);
    const tested = statements.filter(({ section }) => !WITHOUT_TESTS.includes(section));
    expect(tested.length).toBeGreaterThan(200);
  });

  it('names no test for several tables of values, which could prove anything', () => {
    const placeholders = [...DOCUMENT.matchAll(REFERENCE)].filter(([, , name = '']) =>
      /^[%$]\w+(, \w+)?$/.test(name),
    );
    expect(placeholders.map(([reference]) => reference)).toEqual([]);
  });

  it('is refused when a statement names no test, a missing one, one of several, or one that is not run', () => {
    const own = 'tools/test/conformance.spec.ts';
    const rows = 'tests/field-effects/quote-rows.ts';
    const problemIn = (line: string, run?: Set<string>) =>
      checked(`## Quotes\n\n${line}`, run)[0]?.problem;
    expect(problemIn('- Quotes are sorted.')).toBe('names no test');
    expect(problemIn('- `apps/a.spec.ts: a test` is mentioned.')).toBe('names no test');
    expect(problemIn(`- Quotes are sorted. [\`${own}: is missing\`]`)).toContain('no test');
    expect(problemIn('- Quotes are sorted. [`tools/none.spec.ts: a test`]')).toContain('no test');
    expect(problemIn(`- Quotes are sorted. [\`${own} a test\`]`)).toBe('names no test');
    const name = 'names an existing test for each statement';
    expect(problemIn(`- Quotes are sorted. [\`${own}: ${name}\`]`)).toBeNull();
    const notRun = problemIn(`- Quotes are sorted. [\`${own}: ${name}\`]`, new Set());
    expect(notRun).toContain('no spec runs');
    const unknown = 'an unknown one is not found';
    expect(problemIn(`- Parents. [\`${rows}: ${unknown}\`]`)).toContain('several tests');
    expect(problemIn(`- Parents. [\`${rows}: parent_payment_id › ${unknown}\`]`)).toBeNull();
  });
});

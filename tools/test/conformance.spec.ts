// Holds docs/conformance.md against the tests that it names.
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(root, 'docs/conformance.md'), 'utf8');
/** Sections whose statements have no test. */
const WITHOUT_TESTS = ['Waiting for real parties'];
/** File and name of a test, or of a row of `tests/field-effects`. */
const REFERENCE = /`([\w./-]+\.ts): ([^`]+)`/g;

function isTest(file: string, name: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return [`'${name}',`, `'${name}':`].some((text) => source.includes(text));
}

/** Lists the statements of a document with what is wrong with each. */
function checked(text: string): { section: string; statement: string; problem: string | null }[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('- ')) return [];
    const references = [...line.matchAll(REFERENCE)];
    const missing = references.filter(([, file = '', name = '']) => !isTest(file, name));
    const isUntested = references.length === 0 && !WITHOUT_TESTS.includes(section);
    const problem = isUntested ? 'names no test' : (missing[0]?.[0] ?? null);
    return [{ section, statement: line, problem }];
  });
}

describe('docs/conformance.md', () => {
  it('names an existing test for each statement', () => {
    const statements = checked(DOCUMENT);
    expect(statements.filter(({ problem }) => problem !== null)).toEqual([]);
    const tested = statements.filter(({ section }) => !WITHOUT_TESTS.includes(section));
    expect(tested.length).toBeGreaterThan(100);
  });

  it('is refused when a statement names no test or a missing one', () => {
    const problemOf = (line: string) => checked(`## Quotes\n\n${line}`)[0]?.problem;
    const own = 'tools/test/conformance.spec.ts';
    expect(problemOf('- Quotes are sorted.')).toBe('names no test');
    expect(problemOf(`- Quotes are sorted. [\`${own}: is missing\`]`)).toContain('is missing');
    expect(problemOf('- Quotes are sorted. [`tools/none.spec.ts: a test`]')).toContain('none.spec');
    const name = 'names an existing test for each statement';
    expect(problemOf(`- Quotes are sorted. [\`${own}: ${name}\`]`)).toBeNull();
  });
});

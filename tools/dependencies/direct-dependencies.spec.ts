import { describe, expect, it } from '@jest/globals';

type Kind = 'ships' | 'development';
interface Row {
  name: string;
  kind: string;
  reason: string;
}
interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const { directDependencies, document, overriddenPackages, rowsOf, tableProblems } = (await import(
  // @ts-expect-error scripts without types
  './direct-dependencies.mjs'
)) as {
  directDependencies(manifests?: Manifest[]): Map<string, Kind>;
  document(): string;
  overriddenPackages(overrides?: object): string[];
  rowsOf(text: string, title: string): Row[];
  tableProblems(rows: Row[], expected: Map<string, string>): string[];
};

describe('the table of dependencies', () => {
  it('has a reason for each direct dependency, and no other row', () => {
    const expected = directDependencies();
    expect(expected.size).toBeGreaterThan(80);
    expect(tableProblems(rowsOf(document(), 'Direct dependencies'), expected)).toEqual([]);
  });

  it('has a reason for each package that is replaced', () => {
    const replaced = new Map(overriddenPackages().map((name) => [name, 'replaced']));
    expect(replaced.size).toBeGreaterThan(5);
    expect(tableProblems(rowsOf(document(), 'Replaced packages'), replaced)).toEqual([]);
  });
});

describe('the check of the table', () => {
  const expected = directDependencies([
    { dependencies: { a: '1', '@bascule/b': '*' }, devDependencies: { c: '1' } },
    { devDependencies: { a: '1' }, optionalDependencies: { d: '1' } },
  ]);
  const row = (name: string, kind = 'ships', reason = 'is needed') => ({ name, kind, reason });

  it('takes what ships once as shipped, and leaves packages of the workspace out', () => {
    expect([...expected]).toEqual([
      ['a', 'ships'],
      ['c', 'development'],
      ['d', 'ships'],
    ]);
  });

  it('names a missing row, a row too many, a wrong kind and an empty reason', () => {
    const rows = [row('a'), row('c'), row('d', 'ships', ''), row('e'), row('a')];
    expect(tableProblems(rows, expected)).toEqual([
      'a: has two rows',
      'c: is development, not ships',
      'd: has no reason',
      'e: is no direct dependency',
    ]);
    expect(tableProblems([], expected)).toHaveLength(3);
  });

  it('reads the rows of one section', () => {
    const text = '## One\n\n| `a` | ships | is needed |\n\n## Two\n\n| `b` | replaced | |\n';
    expect(rowsOf(text, 'One')).toEqual([row('a')]);
  });
});

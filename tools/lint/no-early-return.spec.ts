import { describe, expect, it } from '@jest/globals';
import { Linter, type ESLint } from 'eslint';

const { default: plugin } = (await import(`${import.meta.dirname}/plugin.mjs`)) as {
  default: ESLint.Plugin;
};

const problemsIn = (body: string, call = "it('retries', async () => {"): string[] =>
  new Linter()
    .verify(`${call} ${body} });`, [
      { plugins: { bascule: plugin }, rules: { 'bascule/no-early-return': 'error' } },
    ])
    .map(({ message }) => message);

describe('no-early-return', () => {
  it.each([
    ['a conditional return', 'if (!found) return; expect(found).toBe(1);'],
    ['a conditional return of an assertion', 'if (a) return expect(a).toBe(1); expect(b).toBe(2);'],
    ['a return between assertions', 'expect(a).toBe(1); if (b) return; expect(b).toBe(0);'],
    ['a return in a try block', 'try { return; } finally { await expect(a).resolves.toBe(1); }'],
    ['a return after an assertion in a loop', 'for (const a of b) { expect(a).toBe(1); return; }'],
    ['a return before an assertion in a callback', 'if (a) return; b.forEach((c) => expect(c));'],
    ['a return before a helper that asserts', 'if (a) return; expectFound(a);'],
  ])('refuses %s', (_name, body) => {
    expect(problemsIn(body)).toHaveLength(1);
  });

  it.each(['it.each([1])', 'test', 'it.concurrent.each`a`'])('checks %s', (name) => {
    const body = 'if (!found) return; expect(found).toBe(1);';
    expect(problemsIn(body, `${name}('retries', function () {`)).toHaveLength(1);
  });

  it.each([
    ['a return of the last assertion', 'return expect(a).resolves.toBe(1);'],
    ['a return after the last assertion', 'expect(a).toBe(1); if (a) return; clean();'],
    ['a return of a nested function', 'const f = () => { if (a) return 1; }; expect(f()).toBe(1);'],
    ['a return of a declared function', 'function f() { return 1; } expect(f()).toBe(1);'],
    ['a return in a loop without assertions', 'for (const a of b) { if (a) return; }'],
  ])('accepts %s', (_name, body) => {
    expect(problemsIn(body)).toEqual([]);
  });

  it('ignores functions that are not tests', () => {
    const body = 'if (!found) return; expect(found).toBe(1);';
    expect(problemsIn(body, 'beforeAll(() => {')).toEqual([]);
  });
});

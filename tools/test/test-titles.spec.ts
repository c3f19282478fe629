import { describe, expect, it } from '@jest/globals';
import { testTitles } from './test-titles.js';

const titles = (text: string, file = 'apps/a.spec.ts') =>
  testTitles(file, text).map((path) => path.join(' › '));

describe('the tests of a file', () => {
  it('have their titles in any quotes, after those of their groups', () => {
    const text = `
      describe('a', () => {
        it("another's", () => undefined);
        describe.each([1])('b', () => {
          it.each([1])(\`c\`, () => undefined);
        });
      });
      test('alone', () => undefined);`;
    expect(titles(text)).toEqual(["a › another's", 'a › b › c', 'alone']);
  });

  it('are neither in comments or texts nor skipped', () => {
    const text = `
      // it('in a line', () => undefined);
      /* it('in a block', () => undefined); */
      const text = "it('in a text', () => undefined)";
      it.skip('skipped', () => undefined);
      it.todo('left');
      xit('crossed out', () => undefined);
      describe.skip('a group', () => { it('within', () => undefined); });
      check('of another function', () => undefined);`;
    expect(titles(text)).toEqual([]);
  });

  it('are rows of the tables of field effects, too', () => {
    const text = `
      export const rows = {
        label: { 'is shown': async () => undefined, "an owner's": helper('x') },
        other: { 'is shown': async () => undefined },
      };`;
    const expected = ['label › is shown', "label › an owner's", 'other › is shown'];
    expect(titles(text, 'tests/field-effects/quote-rows.ts')).toEqual(expected);
    expect(titles(text)).toEqual([]);
  });
});

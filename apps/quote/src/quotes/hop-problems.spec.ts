import { describe, expect, it } from '@jest/globals';
import { hopProblems } from './hop-problems.js';

const chains = new Set(['alphanet', 'betanet', 'deltanet', 'base', 'optimism']);
const fixedInput = {
  kind: 'FIXED_INPUT',
  fixed_input_amount: { asset: 'alphanet:0x', amount: '1' },
  output_asset: 'betanet:0x',
};
const fixedOutput = {
  kind: 'FIXED_OUTPUT',
  fixed_output_amount: { asset: 'betanet:0x', amount: '1' },
  input_asset: 'alphanet:0x',
};
const problems = (hops: unknown, request: object = fixedInput) =>
  hopProblems({ request, hops }, chains).map(({ path, message }) => [path.join('.'), message]);

describe('hopProblems', () => {
  it('accepts up to three intermediate chains', () => {
    expect(problems(['deltanet'])).toEqual([]);
    expect(problems(['deltanet', 'base', 'optimism'])).toEqual([]);
    expect(problems([])).toEqual([]);
    expect(problems(undefined)).toEqual([]);
    expect(hopProblems({}, chains)).toEqual([]);
  });

  it.each([
    ['an unknown chain', ['deltanet', 'nowhere'], 'hops.1', 'Unknown chain nowhere.'],
    ['a chain in capitals', ['Deltanet'], 'hops.0', 'Unknown chain Deltanet.'],
    ['a chain twice', ['deltanet', 'deltanet'], 'hops.1', 'The chain deltanet is named twice.'],
    [
      'the first chain',
      ['alphanet'],
      'hops.0',
      'The chain alphanet is the first one of the route.',
    ],
    ['the last chain', ['betanet'], 'hops.0', 'The chain betanet is the last one of the route.'],
  ])('refuses %s', (_, hops, path, message) => {
    for (const request of [fixedInput, fixedOutput]) {
      expect(problems(hops, request)).toEqual([[path, message]]);
    }
  });

  it('knows no first chain of a purchase', () => {
    const fixed_input_amount = { asset: 'usd', amount: '1' };
    expect(problems(['alphanet'], { ...fixedInput, fixed_input_amount })).toEqual([]);
  });

  it('leaves other types to the shape of the request', () => {
    for (const hops of ['deltanet', 5, { 0: 'deltanet' }, [5, null], Array(60_000).fill('x')])
      expect(problems(hops)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inputOf, inputOfPath, outputOf, outputOfPath } from './amounts.js';

const FEE = 3000;
const MAX_RESERVE = 2n ** 112n - 1n;
const reserve = fc.bigInt({ min: 1n, max: MAX_RESERVE });
const pair = fc.record({ input: reserve, output: reserve });
const amount = fc.bigInt({ min: 1n, max: MAX_RESERVE });
const fee = fc.constantFrom(0, 1, 2500, 3000, 999_999);

/** Output as Uniswap's own library computes it, for its fee of 0.3 %. */
const ofLibrary = (amountIn: bigint, { input, output }: { input: bigint; output: bigint }) =>
  (amountIn * 997n * output) / (input * 1000n + amountIn * 997n);

describe('outputOf', () => {
  it('is what the library of Uniswap computes', () => {
    fc.assert(
      fc.property(amount, pair, (amountIn, reserves) => {
        fc.pre(reserves.input + amountIn <= MAX_RESERVE);
        expect(outputOf(amountIn, reserves, FEE) ?? 0n).toBe(ofLibrary(amountIn, reserves));
      }),
    );
  });

  it('follows another fee', () => {
    const reserves = { input: 10n ** 12n, output: 10n ** 12n };
    expect(outputOf(10n ** 6n, reserves, 2500)).toBe(997_499n);
  });

  it.each([
    ['nothing', 0n, { input: 5n, output: 5n }],
    ['too little for any output', 1n, { input: 5n, output: 5n }],
    ['an empty pair', 5n, { input: 0n, output: 0n }],
    ['more than a pair can hold', MAX_RESERVE, { input: 1n, output: 5n }],
  ])('is null for %s', (_, amountIn, reserves) => {
    expect(outputOf(amountIn, reserves, FEE)).toBeNull();
  });
});

describe('inputOf', () => {
  it('is the least input for an output', () => {
    fc.assert(
      fc.property(amount, pair, fee, (wanted, reserves, ofPair) => {
        const amountOut = wanted % reserves.output;
        const amountIn = inputOf(amountOut, reserves, ofPair);
        fc.pre(amountIn !== null);
        expect(outputOf(amountIn, reserves, ofPair) ?? 0n).toBeGreaterThanOrEqual(amountOut);
        expect(outputOf(amountIn - 1n, reserves, ofPair) ?? 0n).toBeLessThan(amountOut);
      }),
    );
  });

  it.each([
    ['nothing', 0n, { input: 5n, output: 5n }],
    ['all that a pair has', 5n, { input: 5n, output: 5n }],
    ['more than a pair has', 6n, { input: 5n, output: 5n }],
    ['an empty pair', 1n, { input: 0n, output: 5n }],
    [
      'an input beyond what a pair can hold',
      10n ** 6n - 1n,
      { input: MAX_RESERVE, output: 10n ** 6n },
    ],
  ])('is null for %s', (_, amountOut, reserves) => {
    expect(inputOf(amountOut, reserves, FEE)).toBeNull();
  });
});

describe('a path of pairs', () => {
  const first = { input: 10n ** 12n, output: 10n ** 24n };
  const second = { input: 10n ** 24n, output: 10n ** 9n };

  it('passes the output of each pair to the next one', () => {
    const between = outputOf(10n ** 9n, first, FEE) ?? 0n;
    expect(outputOfPath(10n ** 9n, [first, second], FEE)).toBe(outputOf(between, second, FEE));
    expect(outputOfPath(1n, [first, second], FEE)).toBeNull();
  });

  it('has the least input for its output', () => {
    const least = inputOfPath(12_345n, [first, second], FEE) ?? 0n;
    expect(outputOfPath(least, [first, second], FEE)).toBe(12_345n);
    expect(outputOfPath(least - 1n, [first, second], FEE)).toBe(12_344n);
    expect(inputOfPath(10n ** 9n, [first, second], FEE)).toBeNull();
  });
});

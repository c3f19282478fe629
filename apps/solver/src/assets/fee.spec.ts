import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { largestInputFor, outputFor } from './fee.js';

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const terms = fc.record({
  bps: fc.nat(9_999),
  flat: fc.bigInt({ min: 0n, max: 10n ** 12n }),
});

describe('the fee of a solver', () => {
  it.each([
    [1_000_000n, 5, 10_000n, 989_500n],
    [1_000_000n, 0, 0n, 1_000_000n],
    // A fraction of a unit is the solver's.
    [1_000_001n, 5, 0n, 999_500n],
    [1n, 1, 0n, 0n],
    [10_000n, 5, 10_000n, 0n],
    [0n, 5, 10_000n, 0n],
  ])('leaves, for input %d at %d bps and %d flat, output %d', (input, bps, flat, output) => {
    expect(outputFor(input, { bps, flat })).toBe(output);
  });

  it('never gives more output for less input', () => {
    fc.assert(
      fc.property(amount, amount, terms, (one, other, fee) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(outputFor(less, fee)).toBeLessThanOrEqual(outputFor(more, fee));
      }),
    );
  });

  it('has a largest input for every output', () => {
    fc.assert(
      fc.property(amount, terms, (output, fee) => {
        const input = largestInputFor(output, fee);
        expect(outputFor(input, fee)).toBeLessThanOrEqual(output);
        expect(outputFor(input + 1n, fee)).toBeGreaterThan(output);
      }),
    );
  });
});

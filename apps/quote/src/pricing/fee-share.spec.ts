import {
  addDecimals,
  ALL_BPS,
  compareDecimals,
  decimal,
  mulDecimals,
  parseDecimal,
  type Decimal,
} from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PriceBook } from '../routes/price-book.js';
import {
  bridged,
  FOREIGN_USDC,
  given,
  of,
  onramp,
  swap,
  transfer,
  transferLeg,
  USDC,
  WETH,
} from '../testing/quoted-route.fixture.js';
import {
  feePoint,
  feeShareIssue,
  leastInputFor,
  leastInputOnLine,
  takesTooMuch,
  type LeastInput,
} from './fee-share.js';

const prices = PriceBook.in(
  'usd',
  new Map([
    [USDC, parseDecimal('1')],
    [FOREIGN_USDC, parseDecimal('1')],
    [WETH, parseDecimal('1000000000000')],
  ]),
);
const pointOf = (route: typeof transfer, allowsPriceImpact = false) =>
  feePoint(route, { prices, allowsPriceImpact });
/** Transfer of which gas leaves `output`. */
const transferOf = (input: bigint, output: bigint) => {
  const leg = {
    ...transferLeg,
    ...{ input: of(USDC, input), networkFee: input - output, output: of(USDC, output) },
  };
  return { ...transfer, input: leg.input, legs: [leg] };
};
const context = (input: bigint, maxFeeBps = 5_000) => ({
  ...{ input: given(USDC, input), prices, maxFeeBps },
});

describe('feePoint', () => {
  it('counts the value that is lost between input and output', () => {
    const { given: value, fees } = pointOf(bridged);
    expect([compareDecimals(value, '10'), compareDecimals(fees, '1.6')]).toEqual([0, 0]);
  });

  it('counts no loss of conversions and bridges where the request allows it', () => {
    expect(compareDecimals(pointOf(bridged, true).fees, '1.5')).toBe(0);
    expect(compareDecimals(pointOf(swap).fees, '6')).toBe(0);
    expect(compareDecimals(pointOf(swap, true).fees, '1')).toBe(0);
  });

  it('counts the loss at an onramp in any case', () => {
    const bought = { ...onramp, input: of(USDC, 30_000_000n) };
    expect(compareDecimals(pointOf(bought).fees, '26')).toBe(0);
    expect(compareDecimals(pointOf(bought, true).fees, '21')).toBe(0);
  });
});

describe('takesTooMuch', () => {
  const isTooMuch = (input: bigint, output: bigint, maxFeeBps: number) =>
    takesTooMuch(pointOf(transferOf(input, output)), maxFeeBps);

  it('accepts fees up to the share, the share included', () => {
    expect(isTooMuch(10_000_000n, 5_000_000n, 5_000)).toBe(false);
    expect(isTooMuch(10_000_000n, 10_000_000n, 1)).toBe(false);
    expect(isTooMuch(10_000_000n, 4_999_999n, 5_000)).toBe(true);
  });

  it('accepts every share where all is accepted', () => {
    expect(isTooMuch(1_000_000n, 1n, 10_000)).toBe(false);
  });
});

describe('feeShareIssue', () => {
  const issueOf = (least: LeastInput) => {
    const route = transferOf(1_000_000n, 200_000n);
    return feeShareIssue(route, pointOf(route), least, context(1_000_000n));
  };

  it('names the least input', () => {
    expect(issueOf(1_760_000n)).toEqual({
      kind: 'amount',
      asset: USDC,
      given: '1',
      limits: { min: '1.76' },
      source: 'alphanet',
      message: 'Given amount is 1 USDC, of which fees take 80 %; at most 50 % is accepted.',
      reason: 'UNEXPECTEDLY_LOW',
    });
  });

  it('names none where it is unknown, and says where no amount is accepted', () => {
    expect(issueOf(null)).toMatchObject({ limits: {}, reason: 'UNEXPECTEDLY_LOW' });
    expect(issueOf('never')).toMatchObject({ limits: {}, reason: 'NO_VALID_AMOUNT' });
  });

  it('names the provider where it takes most', () => {
    const leg = { ...transferLeg, input: of(USDC, 2_000_000n), networkFee: 1n };
    const input = of(USDC, 10_500_000n);
    const route = { ...onramp, input, legs: [{ ...leg, output: of(USDC, 1_999_999n) }] };
    const issue = feeShareIssue(route, pointOf(route), null, context(input.units));
    expect(issue).toMatchObject({ source: 'swiftramp', reason: 'UNEXPECTEDLY_LOW' });
  });
});

describe('leastInputFor', () => {
  it('allows for a tenth more', () => {
    expect(leastInputFor(parseDecimal('2'), context(1n, 1_000))).toBe(22_000_000n);
  });
});

describe('leastInputOnLine', () => {
  interface Line {
    /** Smallest units. */
    flat: bigint;
    bps: number;
  }
  const feesAt = ({ flat, bps }: Line, input: bigint): Decimal =>
    addDecimals(decimal(flat, 6), mulDecimals(decimal(input, 6), decimal(BigInt(bps), 4)));
  const at = (line: Line, input: bigint) => ({
    given: decimal(input, 6),
    fees: feesAt(line, input),
  });
  const least = (line: Line, inputs: readonly [bigint, bigint], maxFeeBps: number) =>
    leastInputOnLine(at(line, inputs[0]), at(line, inputs[1]), context(inputs[0], maxFeeBps));

  it('is enough for flat and proportional fees, and at most a tenth too high', () => {
    const terms = fc.record({
      flat: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      bps: fc.integer({ min: 0, max: 9_000 }),
      maxFeeBps: fc.integer({ min: 1, max: 9_999 }),
      inputs: fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 99n })),
    });
    fc.assert(
      fc.property(terms, ({ flat, bps, maxFeeBps, inputs: [first, times] }) => {
        const line = { flat, bps };
        const min = least(line, [first, first * (times + 1n)], maxFeeBps);
        if (bps >= maxFeeBps) {
          expect(min).toBe('never');
          return;
        }
        if (typeof min !== 'bigint') throw new Error(`expected an input, found ${String(min)}`);
        expect(takesTooMuch(at(line, min), maxFeeBps)).toBe(false);
        // Six digits are rounded up.
        const exact = (flat * BigInt(ALL_BPS)) / BigInt(maxFeeBps - bps) + 1n;
        expect(min * 10_000n).toBeLessThanOrEqual(exact * 11_001n + 20_000n);
      }),
    );
  });

  it('is unknown where fees grow faster than the input', () => {
    const points = [
      { given: decimal(10n), fees: decimal(6n) },
      { given: decimal(20n), fees: decimal(13n) },
    ] as const;
    expect(leastInputOnLine(...points, context(10n))).toBeNull();
  });

  it('is unknown where the second input is not larger', () => {
    const line = { flat: 5_000_000n, bps: 100 };
    for (const inputs of [[9_000_000n, 8_000_000n] as const, [9n, 9n] as const]) {
      expect(least(line, inputs, 5_000)).toBeNull();
    }
  });
});

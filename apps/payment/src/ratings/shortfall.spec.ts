import { describe, expect, it } from '@jest/globals';
import type { Leg } from '../life-cycle/payment-record.js';
import { legAt, legAttemptFailed, legSettled, legSubmitted } from '../life-cycle/legs.js';
import { aPayment, aSettlement, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import {
  executedShortfall,
  refusedShortfall,
  revertedShortfall,
  shortfallPpm,
} from './shortfall.js';

const conversion = { venue: 'uniswap_v3', quoted: 1_000_000n };
const executing = legSubmitted(aPayment().deposited().build(), 0, {
  ...{ attempt: 1, nextLookAt: null, conversion },
});
const leg = (over: Partial<Leg> = {}): Leg => ({ ...legAt(executing, 0), ...over });

describe('the shortfall of a conversion', () => {
  it.each([
    [1_000_000n, 1_000_000n, 0n],
    [1_000_000n, 997_000n, 3_000n],
    [1_000_000n, 1_002_000n, -2_000n],
    [1_003n, 1_000n, 2_992n],
    [3n, 4n, -5_000n],
    [3_000_000n, 3_000_001n, 0n],
    [1_000_000n, 0n, 100_000n],
    [1_000_000n, 9_000_000n, -5_000n],
    [0n, 5n, 0n],
  ])('is, of %d quoted where %d arrived, %d millionths', (quoted, arrived, ppm) => {
    expect(shortfallPpm(quoted, arrived)).toBe(ppm);
  });

  it('is measured for the attempt in flight', () => {
    const where = { chain: 'alphanet', venue: 'uniswap_v3' };
    expect(executedShortfall(leg(), 1, 999_000n)).toEqual({ ...where, ppm: 1_000n });
    expect(revertedShortfall(leg(), 1)).toEqual({ ...where, ppm: 20_000n });
  });

  it('is not measured again, for another attempt, or for an execution found on chain', () => {
    const settled = legSettled(executing, 0, aSettlement(), HASH, minutesAfter(3));
    const failed = legAttemptFailed(
      ...([executing, 0, { reason: 'reverted', message: '' }, minutesAfter(3)] as const),
    );
    for (const { legs } of [settled, failed]) {
      expect(legs[0]).toMatchObject({ conversion: { attempt: 1 } });
      expect(executedShortfall(legAt({ ...executing, legs }, 0), 1, 999_000n)).toBeNull();
      expect(revertedShortfall(legAt({ ...executing, legs }, 0), 1)).toBeNull();
    }
    expect(executedShortfall(leg(), 2, 999_000n)).toBeNull();
    expect(executedShortfall(leg(), null, 999_000n)).toBeNull();
  });

  it('is measured once for a leg whose simulations fail at a venue, however often', () => {
    const failure = { reason: 'slippage', message: '', refutedVenues: ['uniswap_v3'] } as const;
    expect(refusedShortfall(leg(), 'uniswap_v3')).toMatchObject({ ppm: 100_000n });
    expect(refusedShortfall(leg({ failure }), 'uniswap_v3')).toBeNull();
    expect(refusedShortfall(leg({ failure }), 'uniswap_v2')).toMatchObject({ ppm: 100_000n });
  });

  it('is not measured without a conversion, or with one that an older version left of an earlier attempt', () => {
    expect(executedShortfall(leg({ conversion: null }), 1, 999_000n)).toBeNull();
    expect(executedShortfall(leg({ attempts: 2 }), 2, 999_000n)).toBeNull();
    expect(revertedShortfall(leg({ attempts: 2 }), 2)).toBeNull();
  });
});

import { ZERO_ADDRESS } from '@bascule/chain';
import { ORDER_STATUSES } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { describe, expect, it } from '@jest/globals';
import { Refusal } from './refusal.js';
import { attestedOutcome, requireOpen } from './attested-outcome.js';

const ADDRESS = '0x00000000000000000000000000000000000000a1';
const FILLER = '0x00000000000000000000000000000000000000f1';
const order: Order = {
  wallet: ADDRESS,
  owner: ADDRESS,
  originChainId: 1n,
  inputToken: ADDRESS,
  inputAmount: 100n,
  destinationChainId: 2n,
  outputToken: ADDRESS,
  recipient: ADDRESS,
  minimum: 99n,
  nonce: 1n,
  fillDeadline: 1_000n,
  expires: 1_900n,
  oracle: ADDRESS,
};

function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
}

describe('an attester', () => {
  it.each([999n, 1_000n, 1_001n, 1_901n])('names the filler at any time: %s', (timestamp) => {
    const attested = attestedOutcome(order, { filler: FILLER, timestamp }, 500);
    expect(attested).toEqual({ outcome: 'FILLED', filler: FILLER });
  });

  it('is UNFILLED from the first final block after the fill deadline', () => {
    const attested = attestedOutcome(order, { filler: ZERO_ADDRESS, timestamp: 1_001n }, 500);
    expect(attested).toEqual({ outcome: 'UNFILLED', filler: ZERO_ADDRESS });
  });

  it.each([0n, 999n, 1_000n])('refuses while a fill is still possible: %s', (timestamp) => {
    const refusal = refusalOf(() =>
      attestedOutcome(order, { filler: ZERO_ADDRESS, timestamp }, 500),
    );
    expect(refusal).toMatchObject({ code: 'not_final', retryAfterMs: 500 });
  });

  it('accepts open orders', () => {
    expect(refusalOf(() => requireOpen(ORDER_STATUSES.indexOf('OPEN'), 500))).toBeUndefined();
  });

  it('refuses an order that is not opened yet, and allows a retry', () => {
    const refusal = refusalOf(() => requireOpen(ORDER_STATUSES.indexOf('UNKNOWN'), 500));
    expect(refusal).toMatchObject({ code: 'not_open', retryAfterMs: 500 });
  });

  it.each(['RELEASED', 'REFUNDED'] as const)(
    'refuses an order that is %s or in an unknown state, without a retry',
    (status) => {
      for (const position of [ORDER_STATUSES.indexOf(status), ORDER_STATUSES.length]) {
        const refusal = refusalOf(() => requireOpen(position, 500));
        expect(refusal).toMatchObject({ code: 'not_open', retryAfterMs: undefined });
      }
    },
  );
});

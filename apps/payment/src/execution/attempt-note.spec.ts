import type { AttemptFact } from '@bascule/transactions';
import { describe, expect, it } from '@jest/globals';
import { attemptNote } from './attempt-note.js';

const paymentId = '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6071';
const hash = `0x${'ab'.repeat(32)}` as const;
const aFact = (overrides: Partial<AttemptFact>): AttemptFact => ({
  kind: 'broadcast',
  reference: `leg:${paymentId}:1:2`,
  chain: 'alphanet',
  hash,
  purpose: 'payload',
  ...overrides,
});

describe('attemptNote', () => {
  it('tells the broadcast of a leg', () => {
    expect(attemptNote(aFact({}))).toEqual({
      paymentId,
      entry: {
        type: 'leg.broadcast',
        facts: { leg: 1, chain: 'alphanet', attempt: 2, transaction_hash: hash },
      },
    });
  });

  it('tells the replacement of a refund, and a cancellation', () => {
    const reference = `wallet-refund:${paymentId}:0:1`;
    expect(attemptNote(aFact({ reference, kind: 'replaced' }))?.entry.type).toBe('refund.replaced');
    expect(attemptNote(aFact({ purpose: 'cancellation' }))?.entry.facts.reason).toBe(
      'cancellation',
    );
  });

  it('ignores transactions of no payment', () => {
    expect(attemptNote(aFact({ reference: 'fill:1' }))).toBeNull();
  });
});

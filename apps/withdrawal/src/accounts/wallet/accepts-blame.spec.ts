import { describe, expect, it } from '@jest/globals';
import { acceptsBlame } from './accepts-blame.js';

const USDC = 'alphanet:0x01';
const leg = { inputToken: USDC, required: 100n };
const withdrawn = (balance: bigint, amount: bigint, token = USDC) => [{ token, balance, amount }];

describe('a withdrawal ends the executor’s rights', () => {
  it.each(['FAILED', 'EXPIRED', 'WITHDRAWN'] as const)('when the payment is %s', (status) => {
    expect(acceptsBlame(status, leg, withdrawn(150n, 50n))).toBe(true);
  });

  it('when a running payment would be underfunded', () => {
    expect(acceptsBlame('PENDING', leg, withdrawn(150n, 51n))).toBe(true);
    expect(acceptsBlame('PENDING', leg, withdrawn(80n, 1n))).toBe(true);
  });
});

describe('a withdrawal leaves the payment running', () => {
  it('when only the excess is taken', () => {
    expect(acceptsBlame('PENDING', leg, withdrawn(150n, 50n))).toBe(false);
  });

  it('when another token is taken', () => {
    expect(acceptsBlame('PENDING', leg, withdrawn(10n, 10n, 'alphanet:0x02'))).toBe(false);
  });

  it('when the money of the leg is still in transit', () => {
    const waiting = { inputToken: USDC, required: 0n };
    expect(acceptsBlame('PENDING', waiting, withdrawn(10n, 10n))).toBe(false);
  });

  it('when no leg is left on the chain', () => {
    expect(acceptsBlame('PENDING', null, withdrawn(10n, 10n))).toBe(false);
  });

  it('when the payment is complete', () => {
    expect(acceptsBlame('COMPLETE', null, withdrawn(10n, 10n))).toBe(false);
  });
});

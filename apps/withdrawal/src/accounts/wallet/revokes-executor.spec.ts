import { describe, expect, it } from '@jest/globals';
import { revokesExecutor } from './revokes-executor.js';

const USDC = 'alphanet:0x01';
const leg = { inputToken: USDC, required: 100n };
const withdrawn = (balance: bigint, amount: bigint, token = USDC) => [{ token, balance, amount }];

describe('a withdrawal ends the executor’s rights', () => {
  it.each(['FAILED', 'EXPIRED', 'WITHDRAWN'] as const)('when the payment is %s', (status) => {
    expect(revokesExecutor(status, leg, withdrawn(150n, 50n))).toBe(true);
  });

  it('when a running payment would be underfunded', () => {
    expect(revokesExecutor('PENDING', leg, withdrawn(150n, 51n))).toBe(true);
    expect(revokesExecutor('PENDING', leg, withdrawn(80n, 1n))).toBe(true);
  });
});

describe('a withdrawal leaves the payment running', () => {
  it('when only the excess is taken', () => {
    expect(revokesExecutor('PENDING', leg, withdrawn(150n, 50n))).toBe(false);
  });

  it('when another token is taken', () => {
    expect(revokesExecutor('PENDING', leg, withdrawn(10n, 10n, 'alphanet:0x02'))).toBe(false);
  });

  it('when the money of the leg is still in transit', () => {
    const waiting = { inputToken: USDC, required: 0n };
    expect(revokesExecutor('PENDING', waiting, withdrawn(10n, 10n))).toBe(false);
  });

  it('when no leg is left on the chain', () => {
    expect(revokesExecutor('PENDING', null, withdrawn(10n, 10n))).toBe(false);
  });

  it('when the payment is complete', () => {
    expect(revokesExecutor('COMPLETE', null, withdrawn(10n, 10n))).toBe(false);
  });
});

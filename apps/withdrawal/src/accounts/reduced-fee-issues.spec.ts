import { describe, expect, it } from '@jest/globals';
import { retrysFeeIssue, unpricedFeeIssue } from './reduced-fee-issues.js';

const token = {
  id: 'alphanet:0x00000000000000000000000000000000000000aa',
  symbol: 'USDC',
  decimals: 6,
  address: '0x00000000000000000000000000000000000000aa',
  amount: 10_000_000n,
} as const;

describe('the refusal of a second reduced fee', () => {
  it('names the smallest amount that pays deposit and fee', () => {
    const issue = retrysFeeIssue({ token, full: 300_000n, needed: 9_900_000n, held: 12_000_000n });
    expect(issue).toMatchObject({
      kind: 'amount',
      asset: token.id,
      given: '10',
      limits: { min: '10.2', max: '12' },
      source: 'withdrawal',
      reason: 'TOO_LOW',
    });
    expect(issue.message).toContain('The fee of 0.3 USDC');
  });

  it('says that no amount is valid when the balance is too small', () => {
    const issue = retrysFeeIssue({ token, full: 300_000n, needed: 9_900_000n, held: 10_000_000n });
    expect(issue).toMatchObject({ limits: { min: '10.2' }, reason: 'NO_VALID_AMOUNT' });
    expect(issue.limits).not.toHaveProperty('max');
  });

  it('names the tokens without a price, and the remedy', () => {
    const wbtc = { ...token, symbol: 'WBTC' };
    const { kind, ...issue } = unpricedFeeIssue([token, wbtc], 'Wait for a price.');
    expect(kind).toBe('other');
    expect(issue).toMatchObject({
      message: expect.stringMatching(/into USDC or WBTC, .* Wait for a price\.$/) as unknown,
    });
  });
});

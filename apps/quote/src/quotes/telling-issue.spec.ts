import type { AmountIssue, AmountLimits, Issue } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mostTellingIssue, withTellingIssue } from './telling-issue.js';

const amount = (reason: AmountIssue['reason'], limits: AmountLimits): AmountIssue => ({
  ...{ kind: 'amount', asset: 'usd', given: '1', source: 'swift', message: '', limits, reason },
});
const message = (kind: 'provider' | 'kyc' | 'payin_method' | 'other'): Issue => ({
  kind,
  message: kind,
});

describe('mostTellingIssue', () => {
  it.each<[string, Issue, Issue]>([
    ['an amount before a method', amount('TOO_LOW', {}), message('payin_method')],
    ['a method before the identity', message('payin_method'), message('kyc')],
    ['the identity before the provider', message('kyc'), message('provider')],
    ['the provider before anything else', message('provider'), message('other')],
    ['known limits before unknown ones', amount('TOO_LOW', { min: '5' }), amount('TOO_LOW', {})],
    [
      'the lower minimum',
      amount('TOO_LOW', { min: '5' }),
      amount('TOO_LOW', { min: '10', max: '2000' }),
    ],
    [
      'the higher maximum',
      amount('TOO_HIGH', { min: '10', max: '2000' }),
      amount('TOO_HIGH', { min: '5', max: '500' }),
    ],
    ['a known maximum', amount('TOO_HIGH', { max: '5' }), amount('TOO_HIGH', { min: '9' })],
  ])('prefers %s', (_, better, worse) => {
    expect(mostTellingIssue([worse, better])).toBe(better);
    expect(mostTellingIssue([better, worse])).toBe(better);
  });

  it('is one of the issues, whatever their order', () => {
    const limit = fc.option(
      fc.nat(99).map((value) => String(value)),
      { nil: undefined },
    );
    const anAmount = fc
      .record({ min: limit, max: limit, reason: fc.constantFrom('TOO_LOW', 'TOO_HIGH') })
      .map(({ min, max, reason }) => amount(reason, { ...(min && { min }), ...(max && { max }) }));
    const anIssue = fc.oneof(anAmount, fc.constantFrom(message('kyc'), message('provider')));
    fc.assert(
      fc.property(fc.array(anIssue, { minLength: 1 }), (issues) => {
        const best = mostTellingIssue(issues);
        expect(issues).toContain(best);
        expect(mostTellingIssue(issues.toReversed())?.kind).toBe(best?.kind);
      }),
    );
    expect(mostTellingIssue([])).toBeUndefined();
  });
});

describe('withTellingIssue', () => {
  it('keeps one issue of each failure', () => {
    const failure = { service_ids: ['swift'], latency_seconds: 1 };
    const issues = [message('other'), message('provider')];
    expect(
      withTellingIssue([
        { ...failure, issues },
        { ...failure, issues: [] },
      ]),
    ).toEqual([
      { ...failure, issues: [message('provider')] },
      { ...failure, issues: [] },
    ]);
  });
});

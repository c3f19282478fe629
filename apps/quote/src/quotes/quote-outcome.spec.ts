import type { AmountIssue, Issue } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { quoteOutcome } from './quote-outcome.js';
import { groupFailures, RouteFailure } from '../routes/route-failure.js';

const amount: AmountIssue = {
  kind: 'amount',
  asset: 'usd',
  given: '1',
  limits: { min: '20', max: '500' },
  source: 'swiftramp',
  message: 'too little',
  reason: 'TOO_LOW',
};
const down: Issue = { kind: 'provider', message: 'swiftramp: no answer' };
const of = (quotes: number, ...issues: Issue[]) =>
  quoteOutcome({
    quotes,
    input: 'usd',
    output: 'alphanet:0x',
    hops: [],
    showsAllIssues: false,
    failures: issues.map((issue) => ({
      service_ids: ['swiftramp'],
      latency_seconds: 0,
      issues: [issue],
    })),
  });

describe('quoteOutcome', () => {
  it('has no fault with at least one quote', () => {
    expect(of(1, amount, down)).toEqual({ kind: 'answer', fault: null });
  });

  it('refuses a request of which only the amount is at fault', () => {
    expect(of(0, amount)).toEqual({ kind: 'refusal', issues: [amount] });
  });

  it('reports a fault when a provider is down as well', () => {
    expect(of(0, down, amount)).toEqual({ kind: 'answer', fault: amount });
    expect(of(0, down)).toEqual({ kind: 'answer', fault: down });
  });

  it('reports that no route exists', () => {
    expect(of(0)).toEqual({
      kind: 'answer',
      fault: { kind: 'other', message: 'No route from usd to alphanet:0x.' },
    });
  });
});

describe('groupFailures', () => {
  it('merges failures per service: distinct issues, longest latency', () => {
    const failure = (id: string, issue: Issue, latencyMs: number) => ({
      failure: new RouteFailure([id], [issue]),
      latencyMs,
    });
    expect(
      groupFailures([
        failure('swiftramp', down, 100),
        failure('swiftramp', { ...down }, 2_500.123456),
        failure('thriftramp', amount, 0),
        failure('swiftramp', amount, 0),
      ]),
    ).toEqual([
      { service_ids: ['swiftramp'], latency_seconds: 2.5, issues: [down, amount] },
      { service_ids: ['thriftramp'], latency_seconds: 0, issues: [amount] },
    ]);
  });

  it('names the chains that no route passes through', () => {
    const ends = { quotes: 0, failures: [], input: 'alphanet:0x', output: 'betanet:0x' };
    const message = 'No route from alphanet:0x to betanet:0x through deltanet, base.';
    expect(quoteOutcome({ ...ends, showsAllIssues: false, hops: ['deltanet', 'base'] })).toEqual({
      kind: 'answer',
      fault: { kind: 'other', message },
    });
  });
});

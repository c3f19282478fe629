import type { Pause, TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { pausedFailures, withoutPaused } from './paused-edges.js';
import type { RoutingInput } from './routing-graph.js';

const token = (chain: string, digit: string): TokenIdentifier => `${chain}:0x${digit.repeat(40)}`;
const [a, b, c] = [token('base', '1'), token('base', '2'), token('optimism', '1')];
const input: RoutingInput = {
  tokens: [
    { id: a, chain: 'base' },
    { id: c, chain: 'optimism' },
  ],
  ramps: ['acme', 'other'].map((provider) => ({
    ...{ provider, method: 'SEPA', fiat: 'eur', token: a },
    ...{ limits: {}, places: [] },
  })),
  lanes: ['across', 'escrow'].map((bridge) => ({ bridge, inputToken: a, outputToken: c })),
  conversions: ['uniswap_v3', 'curve'].map((venue) => ({ inputToken: a, outputToken: b, venue })),
};
const pause = (kind: Pause['kind'], subject: string | null): Pause => ({
  ...{ kind, subject, reason: 'under attack' },
  since: '2026-01-01T00:00:00.000Z',
});

describe('withoutPaused', () => {
  it('drops what is paused, and nothing else', () => {
    expect(withoutPaused({ paused: [pause('chain', 'base')] }, input)).toEqual({
      ...input,
      tokens: input.tokens.slice(1),
    });
    expect(withoutPaused({ paused: [pause('provider', 'acme')] }, input)).toEqual({
      ...input,
      ramps: input.ramps.slice(1),
    });
    expect(withoutPaused({ paused: [pause('bridge', 'across')] }, input)).toEqual({
      ...input,
      lanes: input.lanes.slice(1),
    });
    expect(withoutPaused({ paused: [pause('venue', 'uniswap_v3')] }, input)).toEqual({
      ...input,
      conversions: input.conversions.slice(1),
    });
    const others = [pause('chain', 'acme'), pause('organisation', 'x'), pause('execution', null)];
    expect(withoutPaused({ paused: others }, input)).toEqual(input);
  });
});

describe('pausedFailures', () => {
  it('gives the reason of each paused party that a request may need', () => {
    const paused = [pause('chain', 'base'), pause('provider', 'acme'), pause('confirms', null)];
    const failures = pausedFailures({ paused }, { chain: ['base'], provider: ['acme', 'other'] });
    expect(failures.map(({ failure }) => [failure.serviceIds, failure.issues])).toEqual([
      [['base'], [{ kind: 'other', message: 'base is paused: under attack' }]],
      [['acme'], [{ kind: 'provider', message: 'acme is paused: under attack' }]],
    ]);
    expect(pausedFailures({ paused }, { chain: ['optimism'], bridge: ['acme'] })).toEqual([]);
  });
});

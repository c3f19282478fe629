import type { PaymentPlan } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { anOnrampPlan } from '../testing/a-quote.fixture.js';
import { legParties, planParties } from './pausable-parties.js';

const ADAPTER = `0x${'1'.repeat(40)}`;
const [leg] = anOnrampPlan().legs;
if (leg === undefined) throw new Error('the plan has no leg');
const bridge = { name: 'across', adapter: ADAPTER, delivered_amount: '1', min_bridged: '1' };
const crossing: PaymentPlan = {
  ...anOnrampPlan(),
  legs: [
    { ...leg, chain: 'base', bridge },
    { ...leg, chain: 'optimism' },
  ],
};

describe('the parties of a leg', () => {
  it('are its chain, its bridge and the chain that the bridge delivers to', () => {
    expect(legParties(crossing, 0)).toEqual([
      ['chain', 'base'],
      ['bridge', 'across'],
      ['chain', 'optimism'],
    ]);
    expect(legParties(crossing, 1)).toEqual([['chain', 'optimism']]);
    expect(legParties(crossing, 2)).toEqual([]);
  });
});

describe('the parties of a plan', () => {
  it('are those of its legs, and the provider that funds it', () => {
    const { funding } = crossing;
    if (funding.kind !== 'onramp') throw new Error('not bought');
    expect(planParties(crossing)).toContainEqual(['provider', funding.provider]);
    const fromTokens = planParties({ ...crossing, funding: { kind: 'token' } });
    expect(fromTokens).toEqual([...legParties(crossing, 0), ...legParties(crossing, 1)]);
  });
});

import { TEST_OUTCOME_FACTS, type PaymentPlan, type PlannedLeg } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { planForOutcome } from './test-outcome-plan.js';

const leg = (chain: string): PlannedLeg => ({
  chain,
  input_token: `${chain}:0x`,
  input_amount: '1000',
  max_input: '1000',
  fees: [],
  output_token: `${chain}:0x`,
  output_amount: '900',
  min_output: '890',
  gas_limit: '300000',
});
const plan: PaymentPlan = {
  funding: { kind: 'token' },
  deposit: { token: 'alphanet:0x', required_amount: '1000' },
  legs: [leg('alphanet'), leg('betanet')],
};
const [first, last] = plan.legs;

describe('the plan of a payment with a test outcome', () => {
  it('declares a minimum of the last leg that no market meets, to slip', () => {
    expect(planForOutcome(plan, TEST_OUTCOME_FACTS.SLIPS)).toEqual({
      ...plan,
      legs: [first, { ...last, min_output: '1800' }],
    });
  });

  it('allows the last leg less gas than it needs, to fail', () => {
    expect(planForOutcome(plan, TEST_OUTCOME_FACTS.FAILS)).toEqual({
      ...plan,
      legs: [first, { ...last, gas_limit: '21000' }],
    });
  });

  it('is the plan of any other payment where only the funding is concerned', () => {
    expect(planForOutcome(plan, TEST_OUTCOME_FACTS.EXPIRES)).toEqual(plan);
    expect(planForOutcome(plan, TEST_OUTCOME_FACTS.PAYS_LATE)).toEqual(plan);
    expect(planForOutcome(plan, undefined)).toEqual(plan);
  });
});

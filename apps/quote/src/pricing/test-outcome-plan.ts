import type { PaymentPlan, PlannedLeg, TestOutcomeFacts } from '@bascule/contracts';

/** Less than the intrinsic gas of any transaction with data. */
const TOO_LITTLE_GAS = '21000';
const UNREACHABLE_FACTOR = 2n;

/** Changes the last leg of a plan so that it fails on chain as the outcome asks; money is never spent for it. */
export function planForOutcome(
  plan: PaymentPlan,
  outcome: TestOutcomeFacts | undefined,
): PaymentPlan {
  const change = changeOf(outcome?.lastLeg ?? null);
  const last = plan.legs.length - 1;
  return { ...plan, legs: plan.legs.map((leg, index) => (index === last ? change(leg) : leg)) };
}

function changeOf(lastLeg: TestOutcomeFacts['lastLeg']): (leg: PlannedLeg) => PlannedLeg {
  switch (lastLeg) {
    case 'needs more gas':
      return (leg) => ({ ...leg, gas_limit: TOO_LITTLE_GAS });
    case 'needs more output':
      return (leg) => ({
        ...leg,
        min_output: (BigInt(leg.output_amount) * UNREACHABLE_FACTOR).toString(),
      });
    case null:
      return (leg) => leg;
  }
}

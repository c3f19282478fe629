import type { PausableParty, PaymentPlan } from '@bascule/contracts';

/** Parties without which a leg cannot be executed: what it delivers to has to work, too. */
export function legParties({ legs }: Pick<PaymentPlan, 'legs'>, index: number): PausableParty[] {
  const leg = legs[index];
  if (leg === undefined) return [];
  const next = leg.bridge === undefined ? undefined : legs[index + 1];
  return [
    ['chain', leg.chain],
    ...(leg.bridge === undefined ? [] : [['bridge', leg.bridge.name] as const]),
    ...(next === undefined ? [] : [['chain', next.chain] as const]),
  ];
}

/** Parties that a plan names. */
export const planParties = ({ funding, legs }: Pick<PaymentPlan, 'funding' | 'legs'>) => [
  ...(funding.kind === 'onramp' ? [['provider', funding.provider] as const] : []),
  ...legs.flatMap((_, index) => legParties({ legs }, index)),
];

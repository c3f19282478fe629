import type { Payment } from '@bascule/contracts';
import { runAggregators } from './aggregators.js';
import { runOnramps } from './onramp.js';
import type { Stage } from './test-user.js';

const ONRAMPS = ['moonpay', 'stripe', 'coinbase', 'transak'];

/** Buys through each simulated onramp and converts through each aggregator; the stack runs them after `npm run start:parties`. */
export async function runParties(stage: Stage): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (const provider of ONRAMPS) {
    payments.push(...(await runOnramps({ ...stage, provider })));
  }
  return [...payments, ...(await runAggregators(stage))];
}

import type { Payment } from '@bascule/contracts';
import { runOnramps } from './onramp.js';
import type { Stage } from './test-user.js';

const ONRAMPS = ['moonpay', 'stripe', 'coinbase'];

/** Buys through each simulated party; the stack runs them after `npm run start:parties`. */
export async function runParties(stage: Stage): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (const provider of ONRAMPS) {
    payments.push(...(await runOnramps({ ...stage, provider })));
  }
  return payments;
}

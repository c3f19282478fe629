import type { TestPayment } from './test-payment.js';
import { amountBetween, randomSwap, randomUsdcSwap } from './order-requests.js';
import { requestedDeposit, deposit, ends, fund, order } from './steps.js';
import { recover } from './owner-withdrawal.js';

export async function runSwap(payment: TestPayment): Promise<void> {
  await order(payment, randomSwap(payment));
  await fund(payment);
  await ends(payment, 'COMPLETE');
}

export async function runTransfer(payment: TestPayment): Promise<void> {
  const token = payment.chain.token(payment.random.pick(['USDC', 'USDT']));
  await order(payment, {
    input: { asset: token, amount: amountBetween(payment, 5, 80) },
    output: token,
  });
  await fund(payment);
  await ends(payment, 'COMPLETE');
}

/** Deposits more than requested; some owners withdraw the rest. */
export async function runExcess(payment: TestPayment): Promise<void> {
  await order(payment, randomUsdcSwap(payment));
  const { token, units } = await requestedDeposit(payment);
  await deposit(payment, token, (units * 3n) / 2n);
  await ends(payment, 'COMPLETE');
  if (payment.random.chance(0.5)) await recover(payment);
  await ends(payment, 'COMPLETE');
}

export async function runInParts(payment: TestPayment): Promise<void> {
  await order(payment, randomUsdcSwap(payment));
  const { token, units } = await requestedDeposit(payment);
  const first = units / 3n;
  await deposit(payment, token, first);
  await deposit(payment, token, units - first);
  await ends(payment, 'COMPLETE');
}

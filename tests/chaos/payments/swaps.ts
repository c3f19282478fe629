import type { TestPayment } from './test-payment.js';
import { amountBetween, randomSwap, randomUsdcSwap } from './order-requests.js';
import { requestedDeposit, deposit, ends, fund, order } from './steps.js';
import { recover } from './owner-withdrawal.js';

export async function runSwap(play: TestPayment): Promise<void> {
  await order(play, randomSwap(play));
  await fund(play);
  await ends(play, 'COMPLETE');
}

export async function runTransfer(play: TestPayment): Promise<void> {
  const token = play.chain.token(play.random.pick(['USDC', 'USDT']));
  await order(play, {
    input: { asset: token, amount: amountBetween(play, 5, 80) },
    output: token,
  });
  await fund(play);
  await ends(play, 'COMPLETE');
}

/** Deposits more than requested; some owners withdraw the rest. */
export async function runExcess(play: TestPayment): Promise<void> {
  await order(play, randomUsdcSwap(play));
  const { token, units } = await requestedDeposit(play);
  await deposit(play, token, (units * 3n) / 2n);
  await ends(play, 'COMPLETE');
  if (play.random.chance(0.5)) await recover(play);
  await ends(play, 'COMPLETE');
}

export async function runInParts(play: TestPayment): Promise<void> {
  await order(play, randomUsdcSwap(play));
  const { token, units } = await requestedDeposit(play);
  const first = units / 3n;
  await deposit(play, token, first);
  await deposit(play, token, units - first);
  await ends(play, 'COMPLETE');
}

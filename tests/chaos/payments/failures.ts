import type { TestPayment } from './test-payment.js';
import type { RoundContext } from './round-context.js';
import { ends, fund, order, reaches } from './steps.js';
import { recover } from './owner-withdrawal.js';

/** Funds after the price has risen, so that the leg cannot meet its minimum. */
export async function runPricesRisen(
  payment: TestPayment,
  { prices }: RoundContext,
): Promise<void> {
  const { chain } = payment;
  try {
    await order(payment, {
      input: { asset: chain.token('USDC'), amount: payment.random.between(10, 60).toFixed(5) },
      output: chain.token('WBTC'),
    });
  } finally {
    prices.countOrder();
  }
  await prices.risen;
  await fund(payment);
  await reaches(payment, 'FAILED');
  prices.countFailure();
  // Half of the owners leave it for another day.
  if (payment.random.chance(0.5)) {
    await recover(payment);
    await ends(payment, 'WITHDRAWN');
  } else {
    await ends(payment, 'FAILED');
  }
}

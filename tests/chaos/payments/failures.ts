import type { TestPayment } from './test-payment.js';
import type { RoundContext } from './round-context.js';
import { ends, fund, order, reaches } from './steps.js';
import { recover } from './owner-withdrawal.js';

/** Funds after the price has risen, so that the leg cannot meet its minimum. */
export async function runPricesRisen(play: TestPayment, { prices }: RoundContext): Promise<void> {
  const { chain } = play;
  try {
    await order(play, {
      input: { asset: chain.token('USDC'), amount: play.random.between(10, 60).toFixed(5) },
      output: chain.token('WBTC'),
    });
  } finally {
    prices.countOrder();
  }
  await prices.risen;
  await fund(play);
  await reaches(play, 'FAILED');
  prices.countFailure();
  // Half of the owners leave it for another day.
  if (play.random.chance(0.5)) {
    await recover(play);
    await ends(play, 'WITHDRAWN');
  } else {
    await ends(play, 'FAILED');
  }
}

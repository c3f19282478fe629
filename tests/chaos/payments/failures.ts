import type { Play } from './play.js';
import type { Scene } from './scene.js';
import { ends, fund, order, reaches } from './steps.js';
import { recover } from './take-out.js';

/** Bought at a price that is gone when the money comes: the leg cannot meet its minimum. */
export async function playPricesRisen(play: Play, { prices }: Scene): Promise<void> {
  const { chain } = play;
  try {
    await order(play, {
      input: { asset: chain.token('USDC'), amount: play.random.between(10, 60).toFixed(5) },
      output: chain.token('WBTC'),
    });
  } finally {
    prices.ordered();
  }
  await prices.risen;
  await fund(play);
  await reaches(play, 'FAILED');
  prices.failed();
  // Half of the owners leave it for another day.
  if (play.random.chance(0.5)) {
    await recover(play);
    await ends(play, 'WITHDRAWN');
  } else {
    await ends(play, 'FAILED');
  }
}

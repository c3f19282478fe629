import type { Play } from './play.js';
import { amountBetween, aSwap, aUsdcSwap } from './orders.js';
import { asked, deposit, ends, fund, order } from './steps.js';
import { recover } from './take-out.js';

export async function playSwap(play: Play): Promise<void> {
  await order(play, aSwap(play));
  await fund(play);
  await ends(play, 'COMPLETE');
}

export async function playTransfer(play: Play): Promise<void> {
  const token = play.chain.token(play.random.pick(['USDC', 'USDT']));
  await order(play, {
    input: { asset: token, amount: amountBetween(play, 5, 80) },
    output: token,
  });
  await fund(play);
  await ends(play, 'COMPLETE');
}

/** More than was asked for; some owners want the rest back. */
export async function playExcess(play: Play): Promise<void> {
  await order(play, aUsdcSwap(play));
  const { token, units } = await asked(play);
  await deposit(play, token, (units * 3n) / 2n);
  await ends(play, 'COMPLETE');
  if (play.random.chance(0.5)) await recover(play);
  await ends(play, 'COMPLETE');
}

export async function playInParts(play: Play): Promise<void> {
  await order(play, aUsdcSwap(play));
  const { token, units } = await asked(play);
  const first = units / 3n;
  await deposit(play, token, first);
  await deposit(play, token, units - first);
  await ends(play, 'COMPLETE');
}

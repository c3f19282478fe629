import type { BusyChain } from './busy-chain.js';
import { amountBetween } from './orders.js';
import type { Play } from './play.js';
import type { Scene } from './scene.js';
import { endsPaid, fund, order } from './steps.js';

/** What is given on one chain and comes out on the other; a bridge carries USDC. */
const CROSSINGS = [
  { give: 'USDC', get: 'USDC', low: 8, high: 90 },
  { give: 'USDC', get: 'WETH', low: 8, high: 90 },
  { give: 'USDT', get: 'ETH', low: 8, high: 90 },
  { give: 'WETH', get: 'USDT', low: 0.004, high: 0.03 },
  { give: 'ETH', get: 'USDC', low: 0.004, high: 0.03 },
] as const;

export async function playCrossing(play: Play, { chains }: Scene): Promise<void> {
  const { give, get, low, high } = play.random.pick(CROSSINGS);
  await order(play, {
    input: { asset: play.chain.token(give), amount: amountBetween(play, low, high) },
    output: otherThan(play.chain, chains).token(get),
  });
  await fund(play);
  await endsPaid(play);
}

function otherThan(chain: BusyChain, chains: readonly BusyChain[]): BusyChain {
  const other = chains.find((each) => each !== chain);
  if (!other) throw new Error('there is no other chain');
  return other;
}

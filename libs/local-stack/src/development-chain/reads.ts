import { type Address, erc20Abi } from 'viem';
import type { DevelopmentClient } from './development-client.js';

/** Reads the balance of a token. */
export const balanceOf = (
  client: DevelopmentClient,
  token: Address,
  account: Address,
): Promise<bigint> =>
  client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  });

/** Keeps the items of which a read is true. */
export async function filterAsync<T>(
  items: readonly T[],
  holds: (item: T) => Promise<boolean>,
): Promise<T[]> {
  const kept = await Promise.all(items.map(holds));
  return items.filter((_, index) => kept[index]);
}

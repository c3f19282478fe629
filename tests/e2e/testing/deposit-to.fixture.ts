import type { Address } from 'viem';
import type { Chain } from '../../../tools/first-payment/chain.js';

/** Sends an amount of a token, in whole units, from the faucet to a wallet. */
export async function depositTo(
  on: Chain,
  wallet: Address,
  amount: string,
  symbol = 'USDC',
): Promise<void> {
  const token = on.token(symbol);
  await on.transfer(on.faucet, token, wallet, await on.units(token, amount));
}

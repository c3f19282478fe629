import { parseTokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import {
  erc20Abi,
  isAddressEqual,
  parseEventLogs,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import type { Chain } from './chain.js';

/** Sums what one transaction brought to an address; native currency only when sent directly. */
export async function receivedIn(
  chain: Chain,
  hash: Hex,
  token: TokenIdentifier,
  receiver: Address,
): Promise<bigint> {
  const { address } = parseTokenIdentifier(token);
  if (isAddressEqual(address, zeroAddress)) {
    const { to, value } = await chain.client.getTransaction({ hash });
    return to && isAddressEqual(to, receiver) ? value : 0n;
  }
  const { logs } = await chain.client.getTransactionReceipt({ hash });
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    .filter((log) => isAddressEqual(log.address, address) && isAddressEqual(log.args.to, receiver))
    .reduce((sum, { args }) => sum + args.value, 0n);
}

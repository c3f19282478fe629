import { oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, isAddressEqual, parseEventLogs } from 'viem';
import type { Address, Log } from 'viem';

/** What a receipt says about a leg of a wallet; smallest units. */
export interface ExecutedLeg {
  /** Left the wallet to be converted or paid out, less what came back. */
  input: bigint;
  fees: readonly bigint[];
  output: bigint;
}

/** Null when the logs say nothing of the leg. */
export function executedLeg(
  logs: readonly Log[],
  wallet: Address,
  legIndex: number,
  inputToken: Address,
): ExecutedLeg | null {
  const executed = parseEventLogs({
    abi: oneTimeWalletAbi,
    eventName: 'LegExecuted',
    logs: [...logs],
  })
    .filter(({ address }) => isAddressEqual(address, wallet))
    .find(({ args }) => args.leg === BigInt(legIndex));
  if (!executed) return null;
  const { amount, fees, output } = executed.args;
  return { input: amount - returned(logs, wallet, inputToken), fees, output };
}

/** The conversion's unused input, which goes back to the wallet. */
function returned(logs: readonly Log[], wallet: Address, token: Address): bigint {
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [...logs] })
    .filter(
      ({ address, args }) => isAddressEqual(address, token) && isAddressEqual(args.to, wallet),
    )
    .reduce((sum, { args }) => sum + args.value, 0n);
}

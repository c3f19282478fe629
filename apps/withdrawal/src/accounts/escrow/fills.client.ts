import {
  ZERO_ADDRESS,
  answersOfNodes,
  majorityOf,
  secondedRefusal,
  witnessesNeeded,
} from '@bascule/chain';
import type { Chain, ChainView } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { ChainUnreadableError, readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { isAddressEqual, parseAbi } from 'viem';
import type { Address, Hex } from 'viem';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';

const clockAbi = parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']);

/** Reads an order's fill from its destination chain. */
@Injectable()
export class FillsClient {
  constructor(private readonly settings: WithdrawalSettings) {}

  /**
   * Two of several nodes must say that it is: its money is then not in the escrow any more.
   * @throws ChainUnreadableError
   */
  isFilled(destination: Chain, escrow: Address, orderId: Hex): Promise<boolean> {
    const answer = secondedRefusal(
      destination,
      async ({ client }) =>
        !isAddressEqual(
          await client.readContract({
            address: escrow,
            abi: intentEscrowAbi,
            functionName: 'fillerOf',
            args: [orderId],
          }),
          ZERO_ADDRESS,
        ),
      (isFilled) => isFilled,
    );
    return readChain(destination.name, this.settings.balanceTimeoutMs, answer);
  }

  /**
   * Reads the fill from every endpoint. The answer `true` needs two of several; `false` needs more than half of the
   * configured ones, each in a block later than the fill deadline, since an earlier chain may still take a fill.
   * @throws ChainUnreadableError
   */
  async isCertainlyFilled(
    destination: Chain,
    { escrow, orderId, fillDeadline }: { escrow: Address; orderId: Hex; fillDeadline: bigint },
  ): Promise<boolean> {
    const answers = await readChain(
      destination.name,
      this.settings.balanceTimeoutMs,
      answersOfNodes(destination, (view) => newestFill(view, escrow, orderId)),
    );
    const filled = answers.filter(({ isFilled }) => isFilled).length;
    const unfilled = answers.filter(({ isFilled, now }) => !isFilled && now > fillDeadline).length;
    const isFilled = filled >= witnessesNeeded(destination);
    const isUnfilled = unfilled >= majorityOf(destination);
    if (isFilled !== isUnfilled) return isFilled;
    throw new ChainUnreadableError(
      destination.name,
      new Error('nodes disagree about a fill, are behind its deadline, or too few answered'),
    );
  }
}

async function newestFill(
  { client, definition }: ChainView,
  escrow: Address,
  orderId: Hex,
): Promise<{ isFilled: boolean; now: bigint }> {
  const [filler, now] = await client.multicall({
    allowFailure: false,
    contracts: [
      { address: escrow, abi: intentEscrowAbi, functionName: 'fillerOf', args: [orderId] },
      {
        address: definition.contracts.multicall3,
        abi: clockAbi,
        functionName: 'getCurrentBlockTimestamp',
      },
    ],
  });
  return { isFilled: !isAddressEqual(filler, ZERO_ADDRESS), now };
}

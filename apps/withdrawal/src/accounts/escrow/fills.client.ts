import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
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

  /** @throws ChainUnreadableError */
  async isFilled(destination: Chain, escrow: Address, orderId: Hex): Promise<boolean> {
    const filler = await readChain(
      destination.name,
      this.settings.balanceTimeoutMs,
      destination.client.readContract({
        address: escrow,
        abi: intentEscrowAbi,
        functionName: 'fillerOf',
        args: [orderId],
      }),
    );
    return !isAddressEqual(filler, ZERO_ADDRESS);
  }

  /**
   * Reads the fill from every endpoint. The answer `false` needs a block later than the fill deadline, since an earlier
   * chain may still take a fill.
   * @throws ChainUnreadableError
   */
  async isCertainlyFilled(
    destination: Chain,
    { escrow, orderId, fillDeadline }: { escrow: Address; orderId: Hex; fillDeadline: bigint },
  ): Promise<boolean> {
    const answers = await readChain(
      destination.name,
      this.settings.balanceTimeoutMs,
      Promise.all(
        destination.endpoints.map((node) => newestFill(destination, node, escrow, orderId)),
      ),
    );
    if (answers.some(({ isFilled }) => isFilled)) return true;
    if (answers.every(({ now }) => now > fillDeadline)) return false;
    throw new ChainUnreadableError(
      destination.name,
      new Error('the chain is behind the fill deadline'),
    );
  }
}

async function newestFill(
  { definition }: Chain,
  node: EndpointClient,
  escrow: Address,
  orderId: Hex,
): Promise<{ isFilled: boolean; now: bigint }> {
  const [filler, now] = await node.multicall({
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

import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { isAddressEqual } from 'viem';
import type { Address, Hex } from 'viem';
import { within } from '../../chain/within.js';
import { WithdrawalSettings } from '../../withdrawal-settings.config.js';

/** What the chain where an order is filled says of it, before anybody has told. */
@Injectable()
export class FillsClient {
  constructor(private readonly settings: WithdrawalSettings) {}

  /** @throws ChainUnreadableError */
  async isFilled(destination: Chain, escrow: Address, orderId: Hex): Promise<boolean> {
    const filler = await within(
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
}

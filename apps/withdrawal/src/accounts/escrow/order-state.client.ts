import type { Chain } from '@bascule/chain';
import type { Order } from '@bascule/solidity';
import { readOrderState } from '@bascule/venues';
import type { OrderState } from '@bascule/venues';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';

/** Reads an order's state from its origin chain. */
@Injectable()
export class OrderStateClient {
  constructor(private readonly settings: WithdrawalSettings) {}

  /** @throws ChainUnreadableError */
  read(chain: Chain, escrow: Address, order: Order): Promise<OrderState> {
    return readChain(
      chain.name,
      this.settings.balanceTimeoutMs,
      readOrderState(chain, escrow, order),
    );
  }
}

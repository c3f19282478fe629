import type { Chain } from '@bascule/chain';
import type { Order } from '@bascule/solidity';
import { isWithdrawable, readOrderState } from '@bascule/venues';
import type { OrderState } from '@bascule/venues';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';

/** Reads an order's state from its origin chain. */
@Injectable()
export class OrderStateClient {
  constructor(private readonly settings: WithdrawalSettings) {}

  /**
   * Reads it for a list of balances: two of several nodes must say that it holds no money.
   * @throws ChainUnreadableError
   */
  read(chain: Chain, escrow: Address, order: Order): Promise<OrderState> {
    return this.inTime(chain, readOrderState(chain, escrow, order, isWithdrawable));
  }

  /**
   * Reads it for a refund: two of several nodes must tell it, or attesters are asked.
   * @throws ChainUnreadableError
   */
  readDecisive(chain: Chain, escrow: Address, order: Order): Promise<OrderState> {
    return this.inTime(chain, readOrderState(chain, escrow, order));
  }

  private inTime<T>({ name }: Chain, answer: Promise<T>): Promise<T> {
    return readChain(name, this.settings.balanceTimeoutMs, answer);
  }
}

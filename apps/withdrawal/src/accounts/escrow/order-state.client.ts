import type { Chain } from '@bascule/chain';
import { ORDER_STATUSES, attesterOracleAbi, intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { ChainUnreadableError, readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { parseAbi } from 'viem';
import type { Address } from 'viem';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';
import type { OrderState } from './refundability.js';

const clockAbi = parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']);

/** Reads an order's state from its origin chain. */
@Injectable()
export class OrderStateClient {
  constructor(private readonly settings: WithdrawalSettings) {}

  /**
   * Reads every field from the newest block.
   * @throws ChainUnreadableError
   */
  async read(chain: Chain, escrow: Address, order: Order): Promise<OrderState> {
    const id = orderId(order, escrow);
    const [position, [outcome], now] = await readChain(
      chain.name,
      this.settings.balanceTimeoutMs,
      chain.client.multicall({
        allowFailure: false,
        contracts: [
          { address: escrow, abi: intentEscrowAbi, functionName: 'statusOf', args: [id] },
          { address: order.oracle, abi: attesterOracleAbi, functionName: 'outcomeOf', args: [id] },
          {
            address: chain.definition.contracts.multicall3,
            abi: clockAbi,
            functionName: 'getCurrentBlockTimestamp',
          },
        ],
      }),
    );
    const status = ORDER_STATUSES[position];
    if (status === undefined) {
      throw new ChainUnreadableError(chain.name, new Error(`unknown order status ${position}`));
    }
    return { status, outcome, now };
  }
}

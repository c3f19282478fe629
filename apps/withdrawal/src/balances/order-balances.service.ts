import { Chains } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { BalanceResult, TokenIdentifier } from '@bascule/contracts';
import { orderId, parseOrder } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { isWithdrawable, refundability } from '@bascule/venues';
import { ChainUnreadableError, WithdrawalFeesService } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { FillsClient } from '../accounts/escrow/fills.client.js';
import { OrderStateClient } from '../accounts/escrow/order-state.client.js';
import { UnreportedOrdersClient } from '../accounts/escrow/unreported-orders.client.js';
import type { UnreportedLeg } from '../accounts/escrow/unreported-orders.client.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { ORDER, balanceResult, failedBalance } from './balance-results.js';

interface HeldOrder {
  chain: string;
  escrow: Address;
  token: TokenIdentifier;
  order: Order;
}

/** Lists a payment's withdrawable orders in the escrow. */
@Injectable()
export class OrderBalancesService {
  constructor(
    private readonly chains: Chains,
    private readonly projections: ProjectionsRepository,
    private readonly orderStates: OrderStateClient,
    private readonly fills: FillsClient,
    private readonly unreported: UnreportedOrdersClient,
    private readonly fees: WithdrawalFeesService,
  ) {}

  async list(payment: ProjectedPayment): Promise<BalanceResult[]> {
    const reported = payment.intentOrders.filter(
      ({ status }) => status === 'OPEN' || status === 'UNFILLED',
    );
    const results = await Promise.all([
      ...reported.map(({ chain, escrow, token, order }) =>
        this.ofOrder({ chain, escrow: escrow as Address, token, order: parseOrder(order) }),
      ),
      ...this.unreported.unreportedLegs(payment).map((leg) => this.ofUnreported(leg)),
    ]);
    return results.flat();
  }

  private async ofUnreported(leg: UnreportedLeg): Promise<BalanceResult[]> {
    const { chain, escrow } = leg;
    const token = tokenIdentifier(chain.name, leg.token);
    try {
      const order = await this.unreported.find(leg);
      return order === null ? [] : await this.ofOrder({ chain: chain.name, escrow, token, order });
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      return [failedBalance(escrow, token, ORDER)];
    }
  }

  private async ofOrder({ chain: name, escrow, token, order }: HeldOrder) {
    const chain = this.chains.find(name);
    const [known] = await this.projections.tokens([token]);
    if (chain === undefined || known === undefined) return [failedBalance(escrow, token, ORDER)];
    try {
      const state = await this.orderStates.read(chain, escrow, order);
      const found = refundability(order, state);
      if (!isWithdrawable(found) || (await this.isFilled(order, escrow))) return [];
      const isAttested = found.kind === 'refundable' || found.kind === 'expired';
      const { fee } = await this.fees.quoteRefund(chain, known, { isAttested });
      const { decimals } = known;
      const balance = { address: escrow, token, decimals, units: order.inputAmount, fee };
      return [balanceResult(balance, ORDER)];
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      return [failedBalance(escrow, token, ORDER)];
    }
  }

  /** True when the money is already in the wallet on the destination chain; an unreadable chain counts as false. */
  private async isFilled(order: Order, escrow: Address): Promise<boolean> {
    const destination = this.chains.byChainId(order.destinationChainId);
    if (destination === undefined) return false;
    return this.fills
      .isFilled(destination, escrow, orderId(order, escrow))
      .catch((error: unknown) => {
        if (error instanceof ChainUnreadableError) return false;
        throw error;
      });
  }
}

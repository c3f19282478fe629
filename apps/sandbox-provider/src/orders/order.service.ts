import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { ApiError } from '../wire/api-error.js';
import type {
  RequestedCheckout,
  RequestedQuote,
  RequestedSimulation,
} from '../wire/read-request.js';
import { orderBody } from './order-body.js';
import { Callback } from '../persistence/callback.entity.js';
import { Order } from '../persistence/order.entity.js';
import { PricingService } from '../pricing/pricing.service.js';
import { openQuote } from '../pricing/quote-id.js';
import type { SimulatedProvider } from '../providers/simulated-provider.js';
import { canBecome, isPayable } from '../wire/order-status.js';
import type { OrderStatus } from '../wire/order-status.js';

type Change = Partial<
  Pick<Order, 'paidAt' | 'deliveredAmount' | 'transactionHash' | 'failureReason' | 'dueAt'>
>;

/** Statuses without a callback: the customer has not acted yet. */
const SILENT: ReadonlySet<OrderStatus> = new Set(['awaiting_payment', 'sending']);

@Injectable()
export class OrderService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pricing: PricingService,
  ) {}

  /** Places one order per partner order id; idempotent, and refused for different terms. */
  async place(provider: SimulatedProvider, request: RequestedCheckout): Promise<Order> {
    const existing = await this.find(provider.offer.name, request.partnerOrderId);
    if (existing) return requireSame(existing, request);
    const { quoteId, ...asked } = request;
    const terms = await this.agreedTerms(provider, asked, quoteId);
    const expiresAt = new Date(Date.now() + provider.offer.checkoutMinutes * 60_000);
    await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(Order)
      // The id is the credential of the checkout page, so it must be unguessable.
      .values({
        ...asked,
        ...terms,
        id: uuidv4(),
        provider: provider.offer.name,
        expiresAt,
        dueAt: expiresAt,
      })
      .orIgnore()
      .execute();
    const placed = await this.find(provider.offer.name, request.partnerOrderId);
    if (!placed) throw new Error('expected the order that was just placed');
    return requireSame(placed, request);
  }

  find(provider: string, partnerOrderId: string): Promise<Order | null> {
    return this.dataSource.getRepository(Order).findOneBy({ provider, partnerOrderId });
  }

  async byId(provider: string, id: string): Promise<Order> {
    const order = /^[0-9a-f-]{36}$/.test(id)
      ? await this.dataSource.getRepository(Order).findOneBy({ id, provider })
      : null;
    if (!order) throw new ApiError('not_found', 'Order not found.');
    return order;
  }

  /** Applies the customer's decision; idempotent. */
  async decide(provider: string, id: string, decision: 'pay' | 'decline'): Promise<Order> {
    return this.change(provider, id, async (manager, order) => {
      const isPaying = order.paidAt !== null || order.paymentStartedAt !== null;
      if (decision === 'pay' && isPaying) return;
      if (isPaying || !isPayable(order.status)) {
        throw new ApiError('order_not_payable', `The order is ${order.status}.`);
      }
      const now = await databaseNow(manager);
      if (decision === 'decline') {
        await this.become(manager, order, 'declined', {
          failureReason: 'The customer declined.',
          dueAt: null,
        });
        return;
      }
      if (order.paymentSeconds === 0) return this.receive(manager, order);
      const arrivesAt = new Date(now.getTime() + order.paymentSeconds * 1_000);
      await manager.update(Order, order.id, { paymentStartedAt: now, dueAt: arrivesAt });
    });
  }

  /** Records that the customer's money has arrived. */
  async receive(manager: EntityManager, order: Order): Promise<void> {
    const now = await databaseNow(manager);
    await this.become(manager, order, 'payment_received', {
      paidAt: now,
      dueAt: new Date(now.getTime() + order.deliverySeconds * 1_000),
    });
  }

  async opened(order: Order): Promise<void> {
    if (order.status !== 'open') return;
    await this.change(order.provider, order.id, async (manager, current) => {
      if (current.status === 'open') {
        await this.become(manager, current, 'awaiting_payment', {
          dueAt: current.paymentStartedAt === null ? current.expiresAt : current.dueAt,
        });
      }
    });
  }

  simulate(provider: string, id: string, simulation: RequestedSimulation): Promise<Order> {
    return this.change(provider, id, async (manager, order) => {
      Object.assign(order, simulation);
      if (Object.keys(simulation).length > 0) {
        await manager.update(Order, { id: order.id }, simulation);
      }
    });
  }

  /** Changes the status of a locked order and queues its callback, unless callbacks are simulated as lost. */
  async become(
    manager: EntityManager,
    order: Order,
    status: OrderStatus,
    change: Change,
  ): Promise<void> {
    if (!canBecome(order.status, status)) {
      throw new Error(`order cannot change from ${order.status} to ${status}`);
    }
    Object.assign(order, change, { status, updatedAt: await databaseNow(manager) });
    await manager.save(Order, order);
    if (SILENT.has(status) || order.losesCallbacks) return;
    const id = uuidv7();
    const body = JSON.stringify({
      id,
      type: 'order.updated',
      created_at: order.updatedAt.toISOString(),
      data: { order: orderBody(order) },
    });
    await manager.insert(Callback, { id, provider: order.provider, orderId: order.id, body });
  }

  private async change(
    provider: string,
    id: string,
    apply: (manager: EntityManager, order: Order) => Promise<void>,
  ): Promise<Order> {
    // Before the transaction, which would hold a connection while this one waits for another.
    await this.byId(provider, id);
    return this.dataSource.transaction(async (manager) => {
      const order = await lockedOrder(manager, id);
      await apply(manager, order);
      return order;
    });
  }

  /** Terms of the quote until it expires; the current price afterwards. */
  private async agreedTerms(
    { offer, apiKey }: SimulatedProvider,
    request: RequestedQuote,
    quoteId: string,
  ): Promise<Pick<Order, 'cryptoAmount' | 'feeTotal' | 'deliverySeconds'>> {
    const quote = openQuote(quoteId, apiKey);
    if (
      quote === null ||
      quote.fiat !== request.fiat ||
      quote.fiat_amount !== request.fiatAmount ||
      quote.payment_method !== request.paymentMethod ||
      quote.network !== request.network ||
      quote.contract !== request.contract
    ) {
      throw new ApiError('quote_not_found', 'Quote not found for this order.');
    }
    const { price, method } = await this.pricing.price(offer, request);
    const isLive = quote.expires > Date.now();
    return {
      cryptoAmount: isLive ? BigInt(quote.crypto_amount) : price.cryptoAmount,
      feeTotal: isLive ? quote.fee_total : price.fees.total,
      deliverySeconds: method.deliverySeconds,
    };
  }
}

export async function lockedOrder(manager: EntityManager, id: string): Promise<Order> {
  return manager.findOneOrFail(Order, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

async function databaseNow(manager: EntityManager): Promise<Date> {
  const [row]: { now: Date }[] = await manager.query('SELECT now() AS now');
  if (row === undefined) throw new Error('expected a row with the time of the database');
  return row.now;
}

function requireSame(order: Order, request: RequestedCheckout): Order {
  const isSame =
    order.fiat === request.fiat &&
    order.fiatAmount === request.fiatAmount &&
    order.paymentMethod === request.paymentMethod &&
    order.network === request.network &&
    order.contract === request.contract &&
    order.walletAddress === request.walletAddress;
  if (!isSame) throw new ApiError('order_conflict', 'The order exists with other terms.');
  return order;
}

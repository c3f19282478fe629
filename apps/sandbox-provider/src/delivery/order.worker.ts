import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { TransactionReceiptNotFoundError } from 'viem';
import type { Hash, TransactionReceipt } from 'viem';
import { OrderService, lockedOrder } from '../orders/order.service.js';
import type { Order } from '../persistence/order.entity.js';
import type { Transfer } from '../persistence/transfer.entity.js';
import { TransferService } from './transfer.service.js';
import { WalletsService } from './wallets.service.js';

const LOOK_AGAIN_MS = 400;

/** Advances due orders: unpaid ones expire, paid ones are delivered once. */
@Injectable()
export class OrderWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<{ id: string }>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderService,
    private readonly transfers: TransferService,
    private readonly wallets: WalletsService,
    context: ServiceContext,
  ) {
    this.worker = new DueWorker<{ id: string }>({
      name: 'orders',
      dataSource,
      table: 'orders',
      select: 'orders.id',
      batchSize: 10,
      concurrency: 5,
      leaseMs: 5_000,
      pollMs: 200,
      handle: ({ id }) => this.advance(id),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  private async advance(id: string): Promise<void> {
    const order = await this.dataSource.transaction(async (manager) => {
      const locked = await lockedOrder(manager, id);
      await this.applyDue(manager, locked);
      return locked;
    });
    if (order.status !== 'sending') return;
    const transfer = await this.transfers.find(id);
    const { provider, network } = order;
    await this.transfers.resend({ id: transfer.walletId, provider, network });
    await this.watch(order, transfer);
  }

  private async applyDue(manager: EntityManager, order: Order): Promise<void> {
    switch (order.status) {
      case 'open':
      case 'awaiting_payment':
        return order.paymentStartedAt === null
          ? this.orders.become(manager, order, 'expired', { dueAt: null })
          : this.orders.receive(manager, order);
      case 'payment_received':
        return this.fulfil(manager, order);
      default:
        return;
    }
  }

  private async fulfil(manager: EntityManager, order: Order): Promise<void> {
    if (order.outcome !== 'delivered') {
      await this.orders.become(manager, order, order.outcome, {
        failureReason: 'The simulation ends the order like this.',
        dueAt: null,
      });
      return;
    }
    await this.transfers.record(manager, order);
    await this.orders.become(manager, order, 'sending', {});
  }

  private async watch({ id, network }: Order, transfer: Transfer): Promise<void> {
    const receipt = await this.confirmedReceipt(network, transfer.hash as Hash);
    await this.dataSource.transaction(async (manager) => {
      const order = await lockedOrder(manager, id);
      if (order.status !== 'sending') return;
      if (receipt === null) {
        await manager.query(
          `UPDATE orders SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1`,
          [id, LOOK_AGAIN_MS],
        );
      } else if (receipt.status === 'success') {
        await this.orders.become(manager, order, 'completed', {
          deliveredAmount: transfer.amount,
          transactionHash: transfer.hash,
          dueAt: null,
        });
      } else {
        await this.orders.become(manager, order, 'failed', {
          failureReason: `The transfer ${transfer.hash} reverted.`,
          dueAt: null,
        });
      }
    });
  }

  private async confirmedReceipt(network: string, hash: Hash): Promise<TransactionReceipt | null> {
    const {
      anyNode: { client },
      definition,
    } = this.wallets.chain(network);
    try {
      const [receipt, head] = await Promise.all([
        client.getTransactionReceipt({ hash }),
        client.getBlockNumber(),
      ]);
      const depth = head - receipt.blockNumber + 1n;
      return depth >= BigInt(definition.confirmations) ? receipt : null;
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    }
  }
}

import type { IntentOrder, TokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { currentSenders, ProjectedPayment } from './projected-payment.entity.js';
import { TokenEntity } from './token.entity.js';

/** Delivered or paid back, so that no withdrawal of it can happen any more. */
export const isEnded = ({ status }: Pick<IntentOrder, 'status'>): boolean =>
  status !== 'OPEN' && status !== 'UNFILLED';

/** Reads the projections of payments, tokens and prices. */
@Injectable()
export class ProjectionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async payment(id: string): Promise<ProjectedPayment | null> {
    return currentSenders(await this.dataSource.getRepository(ProjectedPayment).findOneBy({ id }));
  }

  /** Keeps the payment as it is until the transaction ends. */
  async lockPayment(manager: EntityManager, id: string): Promise<ProjectedPayment | null> {
    const lock = { mode: 'pessimistic_read' } as const;
    return currentSenders(await manager.findOne(ProjectedPayment, { where: { id }, lock }));
  }

  paymentOfWallet(walletAddress: string): Promise<ProjectedPayment | null> {
    return this.dataSource
      .getRepository(ProjectedPayment)
      .findOneBy({ walletAddress: walletAddress.toLowerCase() });
  }

  /** Lists payments of an organisation by their wallets, in any letter case. */
  paymentsOfWallets(orgId: string, wallets: readonly string[]): Promise<ProjectedPayment[]> {
    return this.dataSource
      .getRepository(ProjectedPayment)
      .findBy({ orgId, walletAddress: In(wallets.map((wallet) => wallet.toLowerCase())) });
  }

  /** Tokens that a payment's wallet may hold: the listed ones, and its own that were delisted since. */
  possibleTokens(
    { depositToken, heldTokens }: ProjectedPayment,
    chains: readonly string[],
  ): Promise<TokenEntity[]> {
    const chain = In([...chains]);
    const own = In([depositToken, ...heldTokens]);
    return this.dataSource.getRepository(TokenEntity).find({
      where: [
        { chain, listed: true },
        { chain, id: own },
      ],
      order: { id: 'ASC' },
    });
  }

  /** Ids of the payments' orders that were delivered or paid back. */
  async endedOrders(paymentIds: readonly string[]): Promise<Set<string>> {
    const payments = await this.dataSource
      .getRepository(ProjectedPayment)
      .findBy({ id: In([...new Set(paymentIds)]) });
    return new Set(
      payments.flatMap(({ intentOrders }) =>
        intentOrders.filter(isEnded).map(({ order_id: id }) => id),
      ),
    );
  }

  tokens(ids: readonly TokenIdentifier[]): Promise<TokenEntity[]> {
    return this.dataSource.getRepository(TokenEntity).findBy({ id: In([...ids]) });
  }
}

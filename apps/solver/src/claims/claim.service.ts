import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { faultPoint, ServiceContext } from '@bascule/process';
import {
  TransactionSender,
  TransactionWorker,
  TransactionWouldRevertError,
} from '@bascule/transactions';
import { collectAttestation } from '@bascule/venues';
import type { CollectedAttestation } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Address, Hex } from 'viem';
import { findRoute } from '../assets/route.js';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/routes.config.js';
import { finalStatus, isAttested } from '../orders/escrow.client.js';
import { Orders } from '../orders/order.repository.js';
import type { KnownOrder } from '../orders/order.repository.js';
import { formatOrderReference } from '../orders/order-reference.js';
import { SOLVER_CONFIG } from '../solver.config.js';
import type { SolverConfig } from '../solver.config.js';
import { SolverMetrics } from '../solver-metrics.service.js';
import { claimCall } from './claim-call.js';

const RETRY_MS = 2_000;

/** Takes what the escrow owes for a fill, until it is taken in a final block. */
@Injectable()
export class ClaimService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly orders: Orders,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly metrics: SolverMetrics,
    private readonly context: ServiceContext,
    @Inject(ROUTES) private readonly routes: readonly Route[],
    @Inject(SOLVER_CONFIG) private readonly config: SolverConfig,
  ) {}

  /** Trouble with nodes or the database is thrown. */
  async claim(known: KnownOrder): Promise<void> {
    const { id, order } = known;
    const route = findRoute(this.routes, order);
    if (!route)
      throw new Error(`order ${id} was filled on a route that is not configured any more`);
    const origin = this.chains.get(route.origin);
    const status = await finalStatus(origin, route.escrow, id);
    if (status === 'RELEASED') return this.claimed(known);
    if (status === 'REFUNDED') return this.lost(known);
    if (status === 'UNKNOWN')
      throw new Error(`${origin.name} has lost order ${id}, which we filled`);
    const attestation = (await isAttested(origin, order, id))
      ? null
      : await this.attestation(known, origin, route.escrow);
    if (attestation === undefined) return this.orders.postpone(id, RETRY_MS);
    const { multicall3 } = origin.definition.contracts;
    const claim = { id, order, escrow: route.escrow, attestation };
    await this.submit(known, origin, claimCall(claim, multicall3));
  }

  /** That the order is filled, by whomever the attesters name: undefined while they do not say so. */
  private async attestation(
    { id, order }: KnownOrder,
    chain: Chain,
    escrow: Address,
  ): Promise<CollectedAttestation | undefined> {
    const attestation = await collectAttestation({
      urls: this.config.attesterUrls,
      order,
      escrow,
      chain,
      signal: this.context.shutdown.stopping,
      leftOut: ({ url, reason }) => {
        this.context.logger.debug({ err: reason, attester: url, order: id }, 'no attestation');
      },
    });
    if (attestation?.outcome === 'FILLED') return attestation;
    if (attestation) this.context.logger.error({ order: id }, 'attesters deny our fill');
    return undefined;
  }

  private async submit(
    { id, claimAttempts }: KnownOrder,
    { name }: Chain,
    call: { to: Address; data: Hex },
  ): Promise<void> {
    const reference = formatOrderReference({
      kind: 'claim',
      orderId: id,
      attempt: claimAttempts + 1,
    });
    try {
      await this.dataSource.transaction(async (manager) => {
        await this.sender.record(manager, { chain: name, reference, ...call });
        const change = { from: ['FILLED'], to: 'CLAIMING', countsClaim: true } as const;
        if (!(await this.orders.change(manager, id, change))) {
          throw new Error(`order ${id} is no longer to be claimed`);
        }
        faultPoint('solver.claim-recorded');
      });
    } catch (error) {
      if (!(error instanceof TransactionWouldRevertError)) throw error;
      // Released or refunded in a block that is not final yet.
      this.context.logger.warn({ err: error, order: id }, 'an order cannot be claimed now');
      return this.orders.postpone(id, RETRY_MS);
    }
    faultPoint('solver.claim-recorded');
    await this.sender.broadcast(reference);
    this.transactions.wake();
  }

  private async claimed({ id, origin }: KnownOrder): Promise<void> {
    await this.orders.changeNow(id, { from: ['FILLED'], to: 'CLAIMED' });
    this.metrics.count(origin, 'claimed');
    this.context.logger.info({ order: id }, 'claimed');
  }

  /** What a solver risks that claims too late. */
  private async lost({ id, origin }: KnownOrder): Promise<void> {
    await this.orders.changeNow(id, { from: ['FILLED'], to: 'LOST', reason: 'refunded' });
    this.metrics.count(origin, 'lost');
    this.context.logger.error({ order: id }, 'filled, and refunded before it was claimed');
  }
}

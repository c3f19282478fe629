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
import { finalStatus, isAttested } from '../orders/escrow.client.js';
import { OrderRepository } from '../orders/order.repository.js';
import type { StoredOrder } from '../orders/order.repository.js';
import { formatOrderReference } from '../orders/order-reference.js';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';
import { SolverMetricsService } from '../metrics/solver-metrics.service.js';
import { claimCall } from './claim-call.js';
import { missingOrderDelay } from './missing-order-delay.js';

const RETRY_MS = 2_000;

/** Takes what the escrow owes for a fill, until it is taken in a final block. */
@Injectable()
export class ClaimService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly orders: OrderRepository,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly metrics: SolverMetricsService,
    private readonly context: ServiceContext,
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
  ) {}

  /** Trouble with nodes or the database is thrown. */
  async claim(known: StoredOrder): Promise<void> {
    const { id, order } = known;
    // Also where the asset is not carried any more.
    const origin = this.chains.byChainId(order.originChainId);
    const escrow = origin?.definition.contracts.intentEscrow;
    if (!origin || !escrow) throw new Error(`chain ${order.originChainId} is not configured`);
    const { status, time } = await finalStatus(origin, escrow, id);
    if (status === 'RELEASED') return this.claimed(known);
    if (status === 'REFUNDED') return this.lost(known, 'refunded');
    if (status === 'UNKNOWN') return this.missed(known, time);
    const attestation = (await isAttested(origin, order, id))
      ? null
      : await this.attestation(known, origin, escrow);
    if (attestation === undefined) return this.orders.postpone(id, RETRY_MS);
    const { multicall3 } = origin.definition.contracts;
    const claim = { id, order, escrow, attestation };
    await this.submit(known, origin, claimCall(claim, multicall3));
  }

  /** That the order is filled, by whomever the attesters name: undefined while they do not say so. */
  private async attestation(
    { id, order }: StoredOrder,
    chain: Chain,
    escrow: Address,
  ): Promise<CollectedAttestation | undefined> {
    const attestation = await collectAttestation({
      urls: this.settings.attesterUrls,
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
    { id, claimAttempts }: StoredOrder,
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

  private async claimed({ id, origin }: StoredOrder): Promise<void> {
    await this.orders.changeNow(id, { from: ['FILLED'], to: 'CLAIMED' });
    this.metrics.count(origin, 'claimed');
    this.context.logger.info({ order: id }, 'claimed');
  }

  /** Its chain went back behind the order, deeper than the blocks that it calls final: it may come back, until it expires. */
  private async missed(known: StoredOrder, time: bigint): Promise<void> {
    const { id, order, origin, ageMs } = known;
    if (time >= order.expires) return this.lost(known, 'origin_reorganised');
    this.context.logger.error({ order: id, chain: origin }, 'a chain has lost what we filled');
    await this.orders.postpone(id, missingOrderDelay(ageMs));
  }

  /** What a solver risks: a claim that comes too late, and an origin that takes final blocks back. */
  private async lost(
    { id, origin }: StoredOrder,
    reason: 'refunded' | 'origin_reorganised',
  ): Promise<void> {
    if (!(await this.orders.changeNow(id, { from: ['FILLED'], to: 'LOST', reason }))) return;
    this.metrics.count(origin, 'lost');
    this.context.logger.error({ order: id, reason }, 'filled, and never paid for it');
  }
}

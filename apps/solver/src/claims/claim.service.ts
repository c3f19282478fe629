import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { faultPoint, ServiceContext } from '@bascule/process';
import {
  TransactionSender,
  TransactionTooExpensiveError,
  TransactionWorker,
  TransactionWouldRevertError,
} from '@bascule/transactions';
import { collectAttestation } from '@bascule/venues';
import type { CollectedAttestation } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { MOST_CLAIM_GAS, OrderCostsService } from '../costs/order-costs.service.js';
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

/** Claims the escrow's payment for a fill until a final block contains it. */
@Injectable()
export class ClaimService {
  constructor(
    private readonly chains: Chains,
    private readonly orders: OrderRepository,
    private readonly costs: OrderCostsService,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly metrics: SolverMetricsService,
    private readonly context: ServiceContext,
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
  ) {}

  /** @throws when nodes or the database fail */
  async claim(known: StoredOrder): Promise<void> {
    const { id, order } = known;
    // Also for an asset that was removed from the configuration.
    const origin = this.chains.byChainId(order.originChainId);
    const escrow = origin?.definition.contracts.intentEscrow;
    if (!origin || !escrow) throw new Error(`chain ${order.originChainId} is not configured`);
    const { status, time } = await finalStatus(origin, escrow, id);
    if (status === 'RELEASED') return this.recordClaim(known);
    if (status === 'REFUNDED') return this.recordLoss(known, 'refunded');
    if (status === 'UNKNOWN') return this.postponeMissing(known, time);
    const attestation = (await isAttested(origin, order, id))
      ? null
      : await this.attestation(known, origin, escrow);
    if (attestation === undefined) return this.orders.postpone(id, RETRY_MS);
    const { multicall3 } = origin.definition.contracts;
    const claim = { id, order, escrow, attestation };
    const maxCost = this.costs.claimBound(known, origin, time);
    await this.submit(known, origin, {
      ...{ ...claimCall(claim, multicall3), maxGas: MOST_CLAIM_GAS },
      ...(maxCost !== undefined && { maxCost }),
    });
  }

  /** Collects the attestation of the fill; undefined while no quorum attests it. */
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
      onIgnored: ({ url, reason }) => {
        this.context.logger.debug(
          { err: reason, attester: url, order_id: id },
          'attester answer ignored',
        );
      },
    });
    if (attestation?.outcome === 'FILLED') return attestation;
    if (attestation)
      this.context.logger.error({ order_id: id }, 'attesters attest our fill as unfilled');
    return undefined;
  }

  private async submit(
    { id, claimAttempts }: StoredOrder,
    { name }: Chain,
    call: { to: Address; data: Hex; maxGas: bigint; maxCost?: bigint },
  ): Promise<void> {
    const attempt = claimAttempts + 1;
    const reference = formatOrderReference({ kind: 'claim', orderId: id, attempt });
    try {
      await this.sender.record({ chain: name, reference, ...call }, async (manager, reserve) => {
        await reserve();
        const change = { from: ['FILLED'], to: 'CLAIMING', claimAttempt: attempt } as const;
        if (!(await this.orders.change(manager, id, change))) {
          throw new Error(`order ${id} cannot be claimed in its current state`);
        }
        faultPoint('solver.claim-recorded');
      });
    } catch (error) {
      const isTooEarly =
        error instanceof TransactionWouldRevertError ||
        error instanceof TransactionTooExpensiveError;
      if (!isTooEarly) throw error;
      // Gas is too dear, or a block that is not final yet has released or refunded it.
      this.context.logger.warn({ err: error, order_id: id }, 'order not claimable yet');
      return this.orders.postpone(id, RETRY_MS);
    }
    faultPoint('solver.claim-recorded');
    await this.sender.broadcast(reference);
    this.transactions.wake();
  }

  private async recordClaim({ id, origin }: StoredOrder): Promise<void> {
    await this.orders.changeNow(id, { from: ['FILLED'], to: 'CLAIMED' });
    this.metrics.count(origin, 'claimed');
    this.context.logger.info({ order_id: id }, 'order claimed');
  }

  /** Handles an order that a reorg below final blocks removed; it may return until it expires. */
  private async postponeMissing(known: StoredOrder, time: bigint): Promise<void> {
    const { id, order, origin, ageMs } = known;
    if (time >= order.expires) return this.recordLoss(known, 'origin_reorganised');
    this.context.logger.error(
      { order_id: id, chain: origin },
      'filled order missing on its origin chain',
    );
    await this.orders.postpone(id, missingOrderDelay(ageMs));
  }

  /** Records a loss: the claim came too late, or the origin reverted final blocks. */
  private async recordLoss(
    { id, origin }: StoredOrder,
    reason: 'refunded' | 'origin_reorganised',
  ): Promise<void> {
    if (!(await this.orders.changeNow(id, { from: ['FILLED'], to: 'LOST', reason }))) return;
    this.metrics.count(origin, 'lost');
    this.context.logger.error({ order_id: id, reason }, 'filled order lost');
  }
}

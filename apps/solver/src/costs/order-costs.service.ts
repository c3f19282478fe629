import { Chains, feesFor } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import { findRoute, ROUTES } from '../assets/route.js';
import type { Route } from '../assets/route.js';
import type { StoredOrder } from '../orders/order.repository.js';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';
import { costBound } from './cost-bound.js';

/** Gas of an attestation by a few signatures and a release in one transaction, with a margin. */
const CLAIM_GAS = 250_000n;

/** Bounds what the fill and the claim of an order may cost, so that orders cannot drain the solver's gas. */
@Injectable()
export class OrderCostsService {
  constructor(
    private readonly chains: Chains,
    @Inject(ROUTES) private readonly routes: readonly Route[],
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
  ) {}

  /** Most that the fill may cost, in wei; null while the claim would exceed its own bound at today's price. */
  async fillBound(known: StoredOrder, route: Route): Promise<bigint | null> {
    const origin = this.chains.get(route.origin);
    const { price } = await feesFor(origin);
    if (price * CLAIM_GAS > this.bound(known, origin)) return null;
    return this.bound(known, this.chains.get(route.destination));
  }

  /**
   * Most that the claim may cost, in wei. Undefined in the second half of the time before the order expires, when the
   * owner could be refunded although we filled: its amount is worth more than any price of gas.
   */
  claimBound(known: StoredOrder, origin: Chain, time: bigint): bigint | undefined {
    const { fillDeadline, expires } = known.order;
    return 2n * time < fillDeadline + expires ? this.bound(known, origin) : undefined;
  }

  private bound({ order, output }: StoredOrder, { name }: Chain): bigint {
    const maxCost = this.settings.maxCosts.get(name);
    if (maxCost === undefined) throw new Error(`no bound of costs on ${name}`);
    const fee = output === null ? 0n : order.inputAmount - output;
    // Undefined also for an asset that was removed.
    const nativeValue = findRoute(this.routes, order)?.nativeValues.get(name);
    return costBound({ fee, nativeValue, maxCost });
  }
}

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
/** Most gas of a claim: one of two nodes that estimates more has none cost more than the key has. */
export const MOST_CLAIM_GAS = 4n * CLAIM_GAS;
/** Less gas than any fill takes: a transfer of tokens and a record of the filler. */
const LEAST_FILL_GAS = 60_000n;
/** Age of a price by which orders are refused; a transaction's own price is read anew. */
const PRICE_MAX_AGE_MS = 1_000;

/** Bounds what the fill and the claim of an order may cost, so that orders cannot drain the solver's gas. */
@Injectable()
export class OrderCostsService {
  private readonly prices = new Map<string, { price: Promise<bigint>; readAt: number }>();

  constructor(
    private readonly chains: Chains,
    @Inject(ROUTES) private readonly routes: readonly Route[],
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
  ) {}

  /**
   * Most that the fill may cost, in wei; null while the fill or the claim exceeds its bound at today's prices. These are
   * shared by all orders: one that does not pay costs no request of its own.
   */
  async fillBound(known: StoredOrder, route: Route): Promise<bigint | null> {
    const origin = this.chains.get(route.origin);
    const destination = this.chains.get(route.destination);
    const [claimPrice, fillPrice] = await Promise.all([
      this.price(origin),
      this.price(destination),
    ]);
    if (claimPrice * CLAIM_GAS > this.bound(known, origin)) return null;
    const bound = this.bound(known, destination);
    return fillPrice * LEAST_FILL_GAS > bound ? null : bound;
  }

  /** Price of gas, read at most once a second. */
  private price(chain: Chain): Promise<bigint> {
    const now = performance.now();
    const known = this.prices.get(chain.name);
    if (known !== undefined && now - known.readAt < PRICE_MAX_AGE_MS) return known.price;
    const price = feesFor(chain).then((fees) => fees.price);
    this.prices.set(chain.name, { price, readAt: now });
    return price;
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

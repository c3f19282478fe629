import { sharesOf, unavailable } from '@bascule/contracts';
import { visitorOf } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { ConcurrentPlaces } from './concurrent-places.js';
import type { HolderLimit } from './concurrent-places.js';

/** Requests of an instance at a time, and of each organisation among them. */
export interface ConcurrencyLimits {
  total: number;
  ofOrganisation: number;
}

/** Bounds concurrent work, so that a burst of one organisation, or of strangers with its publishable key, leaves room for others. */
export class ConcurrencyBound {
  private readonly places = new ConcurrentPlaces();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** @throws ServiceError 503 with the refusal when a limit, or the caller's share of it, is reached */
  async during<T>(caller: Caller, refusal: string, work: () => Promise<T>): Promise<T> {
    const limits = this.limitsOf(caller);
    if (!this.places.take(limits)) throw unavailable(refusal);
    try {
      return await work();
    } finally {
      this.places.leave(limits);
    }
  }

  private limitsOf(caller: Caller): HolderLimit[] {
    const { total, ofOrganisation } = this.limits;
    const { orgId } = caller;
    const visitor = visitorOf(caller);
    const all = [
      { holder: 'all', max: total },
      { holder: `organisation ${orgId}`, max: ofOrganisation },
    ];
    if (visitor === null) return all;
    const share = sharesOf(ofOrganisation);
    return [
      ...all,
      { holder: 'publishable keys', max: sharesOf(total).publishable },
      { holder: `publishable keys ${orgId}`, max: share.publishable },
      { holder: `visitor ${orgId} ${visitor}`, max: share.visitor },
    ];
  }
}

import { unavailable } from '@bascule/contracts';

/** Requests of an instance at a time, and of each organisation among them. */
export interface ConcurrencyLimits {
  total: number;
  ofOrganisation: number;
}

/** Bounds concurrent work, so that a burst of one organisation leaves room for others. */
export class ConcurrencyBound {
  private total = 0;
  private readonly of = new Map<string, number>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** @throws ServiceError 503 with the refusal when a limit is reached */
  async during<T>(orgId: string, refusal: string, work: () => Promise<T>): Promise<T> {
    const { total, ofOrganisation } = this.limits;
    if (this.total >= total || (this.of.get(orgId) ?? 0) >= ofOrganisation) {
      throw unavailable(refusal);
    }
    this.count(orgId, 1);
    try {
      return await work();
    } finally {
      this.count(orgId, -1);
    }
  }

  private count(orgId: string, change: 1 | -1): void {
    this.total += change;
    const running = (this.of.get(orgId) ?? 0) + change;
    if (running === 0) this.of.delete(orgId);
    else this.of.set(orgId, running);
  }
}

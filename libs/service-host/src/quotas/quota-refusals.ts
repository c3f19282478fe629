import { quotaExceeded } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Quota of an organisation, as its refusals name it. */
interface NamedQuota {
  /** Value of the metric's label: `unfunded_payments`. */
  name: string;
  /** Plural: `unfunded payments`. */
  what: string;
  /** Event that makes room: `one of them is funded or expires`. */
  until: string;
}

/** Refuses requests beyond a quota of an organisation, and counts the refusals. */
export class QuotaRefusals {
  private readonly refusals: Counter<'quota'>;

  constructor(
    private readonly quota: NamedQuota,
    metrics: Registry,
  ) {
    this.refusals = new Counter({
      name: 'quota_refusals_total',
      help: 'Requests refused by a quota of their organisation.',
      labelNames: ['quota'],
      registers: [metrics],
    });
    this.refusals.inc({ quota: quota.name }, 0);
  }

  /**
   * Counts a refusal and returns it: 429 with `Retry-After`.
   * @param waitSeconds time until room comes at the latest; null where that is not known
   */
  refuse(limit: number, waitSeconds: number | null): ServiceError {
    const { name, what, until } = this.quota;
    this.refusals.inc({ quota: name });
    return quotaExceeded(
      `The organisation has used up its quota of ${limit} ${what}. Try again when ${until}.`,
      Math.max(1, waitSeconds ?? 1),
    );
  }
}

import { quotaExceeded } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Quota, as its refusals name it. */
interface NamedQuota {
  /** Value of the metric's label: `unfunded_payments`. */
  name: string;
  /** Plural: `unfunded payments`. */
  what: string;
  /** Event that makes room: `one of them is funded or expires`. */
  until: string;
}

const HOLDERS = ['all', 'publishable_keys', 'visitor'] as const;

/** Part of a quota that is used up. */
export interface UsedShare {
  holder: (typeof HOLDERS)[number];
  limit: number;
  /** Whole quota. */
  quota: number;
  /** The share is a part of what one payment may have. */
  isOfPayment?: boolean;
}

/** Refuses requests beyond a quota, and counts the refusals. */
export class QuotaRefusals {
  private readonly refusals: Counter<'quota' | 'holder'>;

  constructor(
    private readonly quota: NamedQuota,
    metrics: Registry,
  ) {
    this.refusals = new Counter({
      name: 'quota_refusals_total',
      help: 'Requests refused by a quota, by whose share was used up.',
      labelNames: ['quota', 'holder'],
      registers: [metrics],
    });
    for (const holder of HOLDERS) this.refusals.inc({ quota: quota.name, holder }, 0);
  }

  /**
   * Counts a refusal and returns it: 429 with `Retry-After`.
   * @param waitSeconds time until room comes at the latest; null where that is not known
   */
  refuse(used: UsedShare, waitSeconds: number | null): ServiceError {
    const { name, what, until } = this.quota;
    this.refusals.inc({ quota: name, holder: used.holder });
    return quotaExceeded(
      `${describe(used)} ${what}. Try again when ${until}.`,
      Math.max(1, waitSeconds ?? 1),
    );
  }
}

function describe({ holder, limit, quota, isOfPayment = false }: UsedShare): string {
  switch (holder) {
    case 'all':
      return `The organisation has used up its quota of ${quota}`;
    case 'publishable_keys':
      return `Publishable keys have used up their ${limit} of the organisation's ${quota}`;
    case 'visitor':
      return isOfPayment
        ? `This client has used up, for this payment, its ${limit}`
        : `This client has used up its ${limit} of the organisation's ${quota}`;
  }
}

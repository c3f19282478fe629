import { sharesOf } from '@bascule/contracts';
import { QuotaRefusals } from '@bascule/service-host';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { IS_UNFUNDED } from './open-payments.js';

/** Room that one organisation does not use up while a cached usage is fresh. */
export const AMPLE_ROOM = 5_000;
const FRESH_MS = 1_000;
const CACHED_USAGES = 10_000;

/** Organisation and visitor whose quota a payment uses up. */
export interface QuotaHolder {
  orgId: string;
  /** Null for secret keys, which have no share. */
  visitor: string | null;
}

interface VisitorShare {
  orgId: string;
  visitor: string;
  limit: number;
}

/** Room that several payments could use up at once. */
export interface Scarcity {
  quota: number;
  /** Else only the visitor's share, which always is: no limit of its confirms in a second holds on every machine. */
  ofOrganisation: boolean;
}

interface Usage {
  used: number;
  waitSeconds: number | null;
}

interface OrganisationUsage extends Usage {
  quota: number;
  publishableUsed: number;
  publishableWaitSeconds: number | null;
}

const waitSeconds = (condition = 'true'): string =>
  `ceil(extract(epoch FROM min(initiate_fund_by) FILTER (WHERE initiate_fund_by > now() AND ${condition}) - now()))::int`;

/** Reads index entries only, and no more of them than the quota: first those of publishable keys. */
export const USAGE = `
  WITH own AS (
    SELECT coalesce((SELECT max_unfunded_payments FROM organisations WHERE id = $1::text::uuid), $2::int) AS quota
  )
  SELECT own.quota, count(initiate_fund_by)::int AS used, ${waitSeconds()} AS "waitSeconds",
    count(visitor)::int AS "publishableUsed",
    ${waitSeconds('visitor IS NOT NULL')} AS "publishableWaitSeconds"
  FROM own LEFT JOIN LATERAL (
    SELECT initiate_fund_by, visitor FROM payments WHERE org_id = $1 AND ${IS_UNFUNDED}
    ORDER BY visitor, initiate_fund_by LIMIT own.quota
  ) AS counted ON true
  GROUP BY own.quota`;

/** Reads index entries only, and no more of them than the visitor's share. */
export const VISITOR_USAGE = `
  SELECT count(*)::int AS used, ${waitSeconds()} AS "waitSeconds"
  FROM (
    SELECT initiate_fund_by FROM payments WHERE org_id = $1 AND visitor = $2 AND ${IS_UNFUNDED}
    ORDER BY initiate_fund_by LIMIT $3::int
  ) AS counted`;

/** Bounds the payments of an organisation that wait for funds, since each wallet is watched on chain. */
@Injectable()
export class UnfundedQuotaRepository {
  private readonly refusals: QuotaRefusals;
  private readonly recent: LRUCache<string, OrganisationUsage>;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(PAYMENT_CONFIG) private readonly config: Pick<PaymentConfig, 'maxUnfundedPayments'>,
    { metrics }: ServiceContext,
  ) {
    this.refusals = new QuotaRefusals(
      {
        name: 'unfunded_payments',
        what: 'unfunded payments',
        until: 'one of them is funded or expires',
      },
      metrics,
    );
    const { manager } = this.dataSource;
    this.recent = new LRUCache<string, OrganisationUsage>({
      ...{ max: CACHED_USAGES, ttl: FRESH_MS },
      fetchMethod: (orgId) => this.usage(manager, orgId),
    });
  }

  /** Returns what is scarce for the holder, by a usage of the last second; null when accepting needs no lock. */
  async scarcityOf({ orgId, visitor }: QuotaHolder): Promise<Scarcity | null> {
    const { quota, used, publishableUsed } = await this.recent.forceFetch(orgId);
    const ofOrganisation =
      quota - used <= AMPLE_ROOM ||
      (visitor !== null && sharesOf(quota).publishable - publishableUsed <= AMPLE_ROOM);
    return ofOrganisation || visitor !== null ? { quota, ofOrganisation } : null;
  }

  /** @throws ServiceError 429 where the organisation, its publishable keys or the visitor used up theirs */
  async check(holder: QuotaHolder): Promise<void> {
    const scarcity = await this.scarcityOf(holder);
    if (scarcity === null) return;
    await this.requireRoom(this.dataSource.manager, holder, scarcity, () => Promise.resolve());
  }

  /**
   * Reserves scarce room until the end of the transaction. Inserts that use it up run one after the other, so none exceeds
   * it.
   * @param scarcity read before the transaction, since a read beside it would need another connection
   * @throws ServiceError 429 as {@link check}
   */
  async take(manager: EntityManager, holder: QuotaHolder, scarcity: Scarcity): Promise<void> {
    await this.requireRoom(manager, holder, scarcity, async (name) => {
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `unfunded-payments:${name}`,
      ]);
    });
  }

  private async requireRoom(
    manager: EntityManager,
    { orgId, visitor }: QuotaHolder,
    { quota: recentQuota, ofOrganisation }: Scarcity,
    lock: (name: string) => Promise<void>,
  ): Promise<void> {
    let quota = recentQuota;
    if (ofOrganisation) {
      await lock(orgId);
      const usage = await this.usage(manager, orgId);
      ({ quota } = usage);
      this.requireOrganisation(usage, visitor);
    }
    if (visitor === null) return;
    await lock(`${orgId}:${visitor}`);
    const { visitor: limit } = sharesOf(quota);
    const { used, waitSeconds } = await this.visitorUsage(manager, { orgId, visitor, limit });
    if (used >= limit) throw this.refusals.refuse({ holder: 'visitor', limit, quota }, waitSeconds);
  }

  private requireOrganisation(
    { quota, used, waitSeconds, publishableUsed, publishableWaitSeconds }: OrganisationUsage,
    visitor: string | null,
  ): void {
    if (used >= quota)
      throw this.refusals.refuse({ holder: 'all', limit: quota, quota }, waitSeconds);
    const limit = sharesOf(quota).publishable;
    if (visitor !== null && publishableUsed >= limit) {
      throw this.refusals.refuse(
        { holder: 'publishable_keys', limit, quota },
        publishableWaitSeconds,
      );
    }
  }

  private async usage(manager: EntityManager, orgId: string): Promise<OrganisationUsage> {
    const parameters = [orgId, this.config.maxUnfundedPayments];
    const [usage]: OrganisationUsage[] = await manager.query(USAGE, parameters);
    if (usage === undefined) throw new Error('expected one row of usage, got none');
    return usage;
  }

  private async visitorUsage(
    manager: EntityManager,
    { orgId, visitor, limit }: VisitorShare,
  ): Promise<Usage> {
    const [usage]: Usage[] = await manager.query(VISITOR_USAGE, [orgId, visitor, limit]);
    if (usage === undefined) throw new Error('expected one row of usage, got none');
    return usage;
  }
}

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
const CACHED_ORGANISATIONS = 10_000;

interface Usage {
  quota: number;
  used: number;
  waitSeconds: number | null;
}

/** Reads index entries only, and no more of them than the quota. */
export const USAGE = `
  WITH own AS (
    SELECT coalesce((SELECT max_unfunded_payments FROM organisations WHERE id = $1::text::uuid), $2::int) AS quota
  )
  SELECT own.quota, count(initiate_fund_by)::int AS used,
    ceil(extract(epoch FROM min(initiate_fund_by) FILTER (WHERE initiate_fund_by > now()) - now()))::int AS "waitSeconds"
  FROM own LEFT JOIN LATERAL (
    SELECT initiate_fund_by FROM payments WHERE org_id = $1 AND ${IS_UNFUNDED}
    ORDER BY initiate_fund_by LIMIT own.quota
  ) AS counted ON true
  GROUP BY own.quota`;

/** Bounds the payments of an organisation that wait for funds, since each wallet is watched on chain. */
@Injectable()
export class UnfundedQuotaRepository {
  private readonly refusals: QuotaRefusals;
  private readonly recent: LRUCache<string, Usage>;

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
    this.recent = new LRUCache<string, Usage>({
      max: CACHED_ORGANISATIONS,
      ttl: FRESH_MS,
      fetchMethod: (orgId) => this.usage(this.dataSource.manager, orgId),
    });
  }

  /** Whether more than {@link AMPLE_ROOM} was left a second ago, so that accepting needs no lock. */
  async hasAmpleRoom(orgId: string): Promise<boolean> {
    const { quota, used } = await this.recent.forceFetch(orgId);
    return quota - used > AMPLE_ROOM;
  }

  /** @throws ServiceError 429 where the organisation has used up its quota now */
  async check(orgId: string): Promise<void> {
    if (await this.hasAmpleRoom(orgId)) return;
    await this.requireRoom(this.dataSource.manager, orgId);
  }

  /**
   * Reserves room until the end of the transaction. Inserts of an organisation run one after the other, so none exceeds
   * the quota.
   * @throws ServiceError 429 where the organisation has used up its quota
   */
  async take(manager: EntityManager, orgId: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `unfunded-payments:${orgId}`,
    ]);
    await this.requireRoom(manager, orgId);
  }

  private async requireRoom(manager: EntityManager, orgId: string): Promise<void> {
    const { quota, used, waitSeconds } = await this.usage(manager, orgId);
    if (used >= quota) throw this.refusals.refuse(quota, waitSeconds);
  }

  private async usage(manager: EntityManager, orgId: string): Promise<Usage> {
    const parameters = [orgId, this.config.maxUnfundedPayments];
    const [usage]: Usage[] = await manager.query(USAGE, parameters);
    if (usage === undefined) throw new Error('expected one row of usage, got none');
    return usage;
  }
}

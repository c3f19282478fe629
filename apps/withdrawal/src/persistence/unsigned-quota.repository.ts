import { QuotaRefusals } from '@bascule/service-host';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { IS_UNSIGNED } from './withdrawal.entity.js';

interface Usage {
  quota: number;
  used: number;
  waitSeconds: number | null;
}

/** Reads index entries only, and no more of them than the quota. Expired ones do not count, although their end is recorded later. */
const USAGE = `
  WITH own AS (
    SELECT coalesce((SELECT max_unsigned_withdrawals FROM organisations WHERE id = $1::text::uuid), $2::int) AS quota
  )
  SELECT own.quota, count(expires_at)::int AS used,
    ceil(extract(epoch FROM min(expires_at) FILTER (WHERE expires_at > now()) - now()))::int AS "waitSeconds"
  FROM own LEFT JOIN LATERAL (
    SELECT expires_at FROM withdrawals WHERE org_id = $1 AND ${IS_UNSIGNED} AND expires_at > now()
    ORDER BY expires_at LIMIT own.quota
  ) AS counted ON true
  GROUP BY own.quota`;

/** Bounds the withdrawals of an organisation that wait for a signature, since each is compared with its chain. */
@Injectable()
export class UnsignedQuotaRepository {
  private readonly refusals: QuotaRefusals;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: WithdrawalSettings,
    { metrics }: ServiceContext,
  ) {
    this.refusals = new QuotaRefusals(
      {
        name: 'unsigned_withdrawals',
        what: 'unsigned withdrawals',
        until: 'one of them is signed or expires',
      },
      metrics,
    );
  }

  /** @throws ServiceError 429 where the organisation has used up its quota now */
  check(orgId: string): Promise<void> {
    return this.requireRoom(this.dataSource.manager, orgId);
  }

  /**
   * Reserves room until the end of the transaction. Inserts of an organisation run one after the other, so none exceeds
   * the quota.
   * @throws ServiceError 429 where the organisation has used up its quota
   */
  async take(manager: EntityManager, orgId: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `unsigned-withdrawals:${orgId}`,
    ]);
    await this.requireRoom(manager, orgId);
  }

  private async requireRoom(manager: EntityManager, orgId: string): Promise<void> {
    const [usage]: Usage[] = await manager.query(USAGE, [
      orgId,
      this.settings.maxUnsignedWithdrawals,
    ]);
    if (usage === undefined) throw new Error('expected one row of usage, got none');
    if (usage.used >= usage.quota) throw this.refusals.refuse(usage.quota, usage.waitSeconds);
  }
}

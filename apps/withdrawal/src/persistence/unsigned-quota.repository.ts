import { sharesOf } from '@bascule/contracts';
import { QuotaRefusals } from '@bascule/service-host';
import type { UsedShare } from '@bascule/service-host';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { IS_UNSIGNED } from './withdrawal.entity.js';

/** Open unsigned withdrawals of one payment that a visitor may request. Others' leave this room, however many there are. */
export const MAX_VISITOR_OF_PAYMENT = 10;
/** Open ones of a visitor once visitors use half of what they share, so that a few do not use up the rest. */
const MAX_VISITOR_OF_CROWD = 3;

/** Organisation, payment and visitor whose quota a withdrawal uses up. */
interface QuotaHolder {
  orgId: string;
  paymentId: string;
  /** Null for secret keys, which have no share. */
  visitor: string | null;
}

const COUNTED = {
  all: 'true',
  publishable: 'visitor IS NOT NULL',
  visitor: 'visitor = $3::text',
  visitorOfPayment: 'visitor = $3::text AND payment_id = $4::uuid',
} as const;
type Counted = keyof typeof COUNTED;

interface Usage {
  quota: number;
  counts: Record<Counted, { used: number; waitSeconds: number | null }>;
}

const counts = Object.entries(COUNTED).map(
  ([name, condition]) => `'${name}', json_build_object(
      'used', count(expires_at) FILTER (WHERE ${condition}),
      'waitSeconds', ceil(extract(epoch FROM min(expires_at) FILTER (WHERE ${condition}) - now()))::int)`,
);

/** Reads index entries only, and no more of them than the quota. Expired ones do not count, although their end is recorded later. */
const USAGE = `
  WITH own AS (
    SELECT coalesce((SELECT max_unsigned_withdrawals FROM organisations WHERE id = $1::text::uuid), $2::int) AS quota
  )
  SELECT own.quota, json_build_object(${counts.join(', ')}) AS counts
  FROM own LEFT JOIN LATERAL (
    SELECT expires_at, payment_id, visitor FROM withdrawals
    WHERE org_id = $1 AND ${IS_UNSIGNED} AND expires_at > now()
    ORDER BY expires_at LIMIT own.quota
  ) AS counted ON true
  GROUP BY own.quota`;

/** Bounds the withdrawals of an organisation that wait for a signature, since each is kept and checked at its expiry. */
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

  /** @throws ServiceError 429 where the organisation, its publishable keys or the visitor used up theirs */
  check(holder: QuotaHolder): Promise<void> {
    return this.requireRoom(this.dataSource.manager, holder);
  }

  /**
   * Reserves room until the end of the transaction. Inserts of an organisation run one after the other, so none exceeds
   * the quota.
   * @throws ServiceError 429 as {@link check}
   */
  async take(manager: EntityManager, holder: QuotaHolder): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `unsigned-withdrawals:${holder.orgId}`,
    ]);
    await this.requireRoom(manager, holder);
  }

  private async requireRoom(manager: EntityManager, holder: QuotaHolder): Promise<void> {
    const { orgId, visitor, paymentId } = holder;
    const [usage]: Usage[] = await manager.query(USAGE, [
      orgId,
      this.settings.maxUnsignedWithdrawals,
      visitor,
      paymentId,
    ]);
    if (usage === undefined) throw new Error('expected one row of usage, got none');
    for (const [counted, share] of limitsOf(usage, visitor !== null)) {
      const { used, waitSeconds } = usage.counts[counted];
      if (used >= share.limit) throw this.refusals.refuse(share, waitSeconds);
    }
  }
}

/** Limits in the order in which they are checked. */
function limitsOf({ quota, counts }: Usage, isPublishable: boolean): [Counted, UsedShare][] {
  const all: [Counted, UsedShare] = ['all', { holder: 'all', limit: quota, quota }];
  if (!isPublishable) return [all];
  const { publishable, visitor } = sharesOf(quota);
  const ofPayment = { limit: MAX_VISITOR_OF_PAYMENT, quota, isOfPayment: true };
  const isCrowded = counts.publishable.used >= Math.ceil(publishable / 2);
  const limit = isCrowded ? Math.min(visitor, MAX_VISITOR_OF_CROWD) : visitor;
  return [
    ['visitorOfPayment', { holder: 'visitor', ...ofPayment }],
    ['publishable', { holder: 'publishable_keys', limit: publishable, quota }],
    ['visitor', { holder: 'visitor', limit, quota }],
    all,
  ];
}

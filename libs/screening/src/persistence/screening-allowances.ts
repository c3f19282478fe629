import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Address } from 'viem';

/** A sum that could go on without a source's answer. */
export interface SmallSum {
  /** Organisation of the payment, so that the owner's payments to others do not count. */
  orgId: string;
  owner: Address;
  /** Payment or withdrawal; counts once, however often it is asked for. */
  reference: string;
  /** US dollars, as a decimal string. */
  usd: string;
}

/** Compares the sum of the owner's last hour in the organisation with the limit. */
const HAS_ROOM = `
  $3::numeric + (
    SELECT coalesce(sum(usd), 0) FROM screening_allowances
    WHERE org_id = $5 AND owner = $2 AND allowed_at > now() - interval '1 hour'
  ) <= $4::numeric`;

const CHECK = `
  SELECT ${HAS_ROOM} OR EXISTS (SELECT 1 FROM screening_allowances WHERE reference = $1) AS "hasRoom"`;

const TAKE = `
  INSERT INTO screening_allowances (reference, owner, usd, org_id)
  SELECT $1, $2, $3::numeric, $5
  WHERE ${HAS_ROOM}
  ON CONFLICT (reference) DO NOTHING
  RETURNING reference`;

@Injectable()
export class ScreeningAllowances {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether the sum could be taken now; counts nothing. */
  async hasRoom({ orgId, owner, reference, usd }: SmallSum, limitUsd: string): Promise<boolean> {
    const values = [reference, owner, usd, limitUsd, orgId];
    const rows: { hasRoom: boolean }[] = await this.dataSource.query(CHECK, values);
    return rows[0]?.hasRoom === true;
  }

  /** Returns `counted` for a sum that is counted now, `known` for one that was, and `refused` beyond the limit. */
  async take({ orgId, owner, reference, usd }: SmallSum, limitUsd: string) {
    return this.dataSource.transaction(async (manager) => {
      // One owner's sums are added one after the other.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        `screening:${orgId}:${owner}`,
      ]);
      const known: { usd: string }[] = await manager.query(
        'SELECT usd::text AS usd FROM screening_allowances WHERE reference = $1',
        [reference],
      );
      if (known.length > 0) return 'known';
      const taken: unknown[] = await manager.query(TAKE, [reference, owner, usd, limitUsd, orgId]);
      return taken.length > 0 ? 'counted' : 'refused';
    });
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { lockPayment } from '../persistence/payment-lock.repository.js';
import type { SenderVerdicts } from '../life-cycle/sanctions.js';
import { taintingParties } from './screened-parties.js';
import type { Party, TaintingAddresses } from './screened-parties.js';

interface SenderVerdict {
  /** Lower case. */
  address: string;
  sanctioned: boolean;
}

export interface ClaimedSender {
  id: string;
  /** Lower case. */
  address: string;
  /** End of the claim, with all digits of the database. */
  claimed_until: string;
}

/**
 * Revision of the rules by which verdicts change payments. Increase it with them: each payment with senders is judged again
 * after the upgrade.
 */
const JUDGEMENT_REVISION = 1;

/** Senders of deposits, and the verdicts about them. */
@Injectable()
export class SenderScreeningRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes senders due. Those that were clear for earlier deposits have no verdict until they are screened again. */
  async enqueue(
    manager: EntityManager,
    paymentId: string,
    addresses: readonly string[],
  ): Promise<void> {
    await manager.query(
      `INSERT INTO sender_screenings (id, payment_id, address, due_at)
       SELECT gen_random_uuid(), $1, address, now() FROM unnest($2::text[]) AS address ORDER BY address
       ON CONFLICT (payment_id, address)
       DO UPDATE SET due_at = now(), sanctioned = nullif(sender_screenings.sanctioned, false)`,
      [paymentId, addresses],
    );
  }

  /** Makes the sanctioned senders due, since a deposit of theirs may have become final. */
  async recheck(manager: EntityManager, paymentId: string): Promise<void> {
    await manager.query(
      'UPDATE sender_screenings SET due_at = now() WHERE payment_id = $1 AND sanctioned',
      [paymentId],
    );
  }

  /**
   * Verdicts about the senders of deposits that are told apart, and of others that are given. Sums are read with those
   * about theirs, of which there may be thousands.
   */
  async verdicts(
    paymentId: string,
    manager?: EntityManager,
    others: readonly string[] = [],
  ): Promise<SenderVerdicts> {
    const rows: SenderVerdict[] = await (manager ?? this.dataSource).query(
      `SELECT address, sanctioned FROM sender_screenings
       WHERE payment_id = $1 AND sanctioned IS NOT NULL AND address IN (
         SELECT lower(sender) FROM deposits WHERE payment_id = $1 AND NOT is_summed
         UNION SELECT unnest($2::text[]))`,
      [paymentId, others],
    );
    return new Map(rows.map(({ address, sanctioned }) => [address, sanctioned]));
  }

  /** Owner and destination of a payment. */
  async taintingParties(paymentId: string): Promise<Party[]> {
    const rows: TaintingAddresses[] = await this.dataSource.query(
      `SELECT owner_address AS "ownerAddress", destination_address AS "destinationAddress"
       FROM payments WHERE id = $1`,
      [paymentId],
    );
    return rows.flatMap(taintingParties);
  }

  /** Locks the payment, so that no other verdict is missed, and returns its {@link verdicts}. */
  async lock(manager: EntityManager, paymentId: string): Promise<SenderVerdicts> {
    await lockPayment(manager, paymentId);
    return this.verdicts(paymentId, manager);
  }

  /** Stores verdicts, and returns those of the payment, which it locks. */
  async record(
    manager: EntityManager,
    paymentId: string,
    verdicts: readonly SenderVerdict[],
  ): Promise<SenderVerdicts> {
    await lockPayment(manager, paymentId);
    await manager.query(
      `INSERT INTO sender_screenings (id, payment_id, address, sanctioned, judged_by)
       SELECT gen_random_uuid(), $1, v.address, v.sanctioned, $3
       FROM jsonb_to_recordset($2::jsonb) AS v(address text, sanctioned boolean) ORDER BY v.address
       ON CONFLICT (payment_id, address) DO UPDATE SET sanctioned = excluded.sanctioned`,
      [paymentId, JSON.stringify(verdicts), JUDGEMENT_REVISION],
    );
    return this.verdicts(paymentId, manager);
  }

  /** Claims due senders of a payment. */
  async claim(
    paymentId: string,
    { leaseMs, limit }: { leaseMs: number; limit: number },
  ): Promise<ClaimedSender[]> {
    // TypeORM answers an UPDATE with its rows and their number.
    const [rows]: [ClaimedSender[], number] = await this.dataSource.query(
      `WITH due AS MATERIALIZED (
         SELECT id FROM sender_screenings WHERE payment_id = $1 AND due_at <= now()
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
       )
       UPDATE sender_screenings SET due_at = now() + $2 * interval '1 millisecond'
       FROM due WHERE sender_screenings.id = due.id
       RETURNING sender_screenings.id, address, due_at::text AS claimed_until`,
      [paymentId, leaseMs, limit],
    );
    return rows;
  }

  /** Ends claims, but those of senders that became due again meanwhile. */
  async finish(claimed: readonly ClaimedSender[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE sender_screenings SET due_at = NULL, judged_by = $2
       FROM jsonb_to_recordset($1::jsonb) AS claim(id uuid, claimed_until timestamptz)
       WHERE sender_screenings.id = claim.id AND due_at = claim.claimed_until`,
      [JSON.stringify(claimed), JUDGEMENT_REVISION],
    );
  }

  /** Payments with verdicts that only other rules applied, after an id. Due senders are judged with their next verdict. */
  async unjudged(after: string, limit: number): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT DISTINCT payment_id AS id FROM sender_screenings
       WHERE judged_by < $1 AND due_at IS NULL AND payment_id > $2 ORDER BY payment_id LIMIT $3`,
      [JUDGEMENT_REVISION, after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Makes senders due that were seen before screening began, where it has begun for others of the payment. False for a
   * payment without any.
   */
  async enqueueMissing(manager: EntityManager, paymentId: string): Promise<boolean> {
    const known: unknown[] = await manager.query(
      'SELECT 1 FROM sender_screenings WHERE payment_id = $1 LIMIT 1',
      [paymentId],
    );
    if (known.length === 0) return false;
    await manager.query(
      `INSERT INTO sender_screenings (id, payment_id, address, due_at)
       SELECT gen_random_uuid(), $1, address, now()
       FROM (SELECT DISTINCT lower(sender) AS address FROM deposits
             WHERE payment_id = $1 AND sender IS NOT NULL) AS deposit ORDER BY address
       ON CONFLICT (payment_id, address) DO NOTHING`,
      [paymentId],
    );
    return true;
  }

  /** Marks the verdicts of a payment, which is locked and judged by them. */
  async judged(manager: EntityManager, paymentId: string): Promise<void> {
    await manager.query(
      'UPDATE sender_screenings SET judged_by = $2 WHERE payment_id = $1 AND due_at IS NULL',
      [paymentId, JUDGEMENT_REVISION],
    );
  }
}

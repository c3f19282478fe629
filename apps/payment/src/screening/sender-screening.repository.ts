import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';

export interface SenderVerdict {
  /** Lower case. */
  address: string;
  sanctioned: boolean;
}

/** Senders of deposits, and the verdicts about them. */
@Injectable()
export class SenderScreeningRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes senders due, also those that were screened for earlier deposits. */
  async enqueue(
    manager: EntityManager,
    paymentId: string,
    addresses: readonly string[],
  ): Promise<void> {
    await manager.query(
      `INSERT INTO sender_screenings (id, payment_id, address, due_at)
       SELECT gen_random_uuid(), $1, address, now() FROM unnest($2::text[]) AS address ORDER BY address
       ON CONFLICT (payment_id, address) DO UPDATE SET due_at = now()`,
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

  async verdicts(paymentId: string): Promise<SenderVerdict[]> {
    return this.dataSource.query(
      'SELECT address, sanctioned FROM sender_screenings WHERE payment_id = $1 AND sanctioned IS NOT NULL',
      [paymentId],
    );
  }

  /** Stores verdicts and returns every sanctioned sender. Locks the payment, so that no other verdict is missed. */
  async record(
    manager: EntityManager,
    paymentId: string,
    verdicts: readonly SenderVerdict[],
  ): Promise<ReadonlySet<string>> {
    await manager.query('SELECT 1 FROM payments WHERE id = $1 FOR UPDATE', [paymentId]);
    await manager.query(
      `INSERT INTO sender_screenings (id, payment_id, address, sanctioned)
       SELECT gen_random_uuid(), $1, v.address, v.sanctioned
       FROM jsonb_to_recordset($2::jsonb) AS v(address text, sanctioned boolean) ORDER BY v.address
       ON CONFLICT (payment_id, address) DO UPDATE SET sanctioned = excluded.sanctioned`,
      [paymentId, JSON.stringify(verdicts)],
    );
    const rows: { address: string }[] = await manager.query(
      'SELECT address FROM sender_screenings WHERE payment_id = $1 AND sanctioned',
      [paymentId],
    );
    return new Set(rows.map(({ address }) => address));
  }

  /** Ends a claim, unless the sender became due again meanwhile. */
  async finish(id: string, claimedUntil: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE sender_screenings SET due_at = NULL WHERE id = $1 AND due_at = $2::timestamptz',
      [id, claimedUntil],
    );
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const REMEMBER = `
INSERT INTO empty_wallets (payment_id, version, read_at)
SELECT id, version, now() FROM unnest($1::uuid[], $2::integer[]) AS read(id, version) ORDER BY id
ON CONFLICT (payment_id) DO UPDATE SET version = excluded.version, read_at = excluded.read_at`;

/** Wallets known to be empty, in a table of its own: `payments` is written under each row's lock only. */
@Injectable()
export class EmptyWalletRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order of the ids, so that concurrent calls do not deadlock. */
  async remember(payments: readonly { id: string; version: number }[]): Promise<void> {
    if (payments.length === 0) return;
    await this.dataSource.query(REMEMBER, [
      payments.map(({ id }) => id),
      payments.map(({ version }) => version),
    ]);
  }
}

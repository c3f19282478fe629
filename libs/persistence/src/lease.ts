import type { DataSource, EntityManager } from 'typeorm';

export interface LeaseOptions {
  dataSource: DataSource;
  name: string;
  /** Holder of the lease; unique per process. */
  holder: string;
  ttlMs: number;
}

export interface HeldLease {
  /** Fence: grows with every change of holder, so that writes with an older epoch are refused. */
  epoch: bigint;
}

const ACQUIRE = `
  INSERT INTO leases AS held (name, holder, epoch, expires_at)
  VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET
    holder = excluded.holder,
    epoch = CASE
      WHEN held.holder = excluded.holder AND held.expires_at > clock_timestamp() THEN held.epoch
      ELSE held.epoch + 1
    END,
    expires_at = excluded.expires_at
  WHERE held.holder = excluded.holder OR held.expires_at <= clock_timestamp()
  RETURNING epoch`;

const RENEW = `
  UPDATE leases SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
  WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > clock_timestamp()`;

const RELEASE = `
  UPDATE leases SET expires_at = clock_timestamp() WHERE name = $1 AND holder = $2 AND epoch = $3`;

/** Lease with one holder at a time, by the database's clock. */
export class Lease {
  private held: HeldLease | null = null;

  constructor(private readonly options: LeaseOptions) {}

  /** Acquires or renews the lease; null while another process holds it. */
  async acquire(): Promise<HeldLease | null> {
    const { dataSource, name, holder, ttlMs } = this.options;
    const rows: { epoch: string }[] = await dataSource.query(ACQUIRE, [name, holder, ttlMs]);
    const row = rows[0];
    this.held = row === undefined ? null : { epoch: BigInt(row.epoch) };
    return this.held;
  }

  /** Renews the lease; false when it expired or changed hands: stop at once. */
  async renew(): Promise<boolean> {
    if (this.held === null) return false;
    const { dataSource, name, holder, ttlMs } = this.options;
    const [, renewed]: [unknown, number] = await dataSource.query(RENEW, [
      name,
      holder,
      this.held.epoch.toString(),
      ttlMs,
    ]);
    if (renewed === 0) this.held = null;
    return renewed > 0;
  }

  async release(): Promise<void> {
    if (this.held === null) return;
    const { dataSource, name, holder } = this.options;
    const epoch = this.held.epoch.toString();
    this.held = null;
    await dataSource.query(RELEASE, [name, holder, epoch]);
  }

  /** Locks the lease within the transaction of a fenced write. */
  async assertHeld(manager: EntityManager, epoch: bigint): Promise<void> {
    const rows: unknown[] = await manager.query(
      'SELECT 1 FROM leases WHERE name = $1 AND epoch = $2 AND holder = $3 FOR SHARE',
      [this.options.name, epoch.toString(), this.options.holder],
    );
    if (rows.length === 0) throw new LeaseLostError(this.options.name);
  }
}

export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`the lease ${name} has another holder`);
    this.name = 'LeaseLostError';
  }
}

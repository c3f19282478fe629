import type pg from 'pg';
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

/** Lease under which a statement writes; see {@link lockingLease}. */
export interface LeaseFence extends HeldLease {
  name: string;
  holder: string;
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

/** Selects the renewed row, since the pool and a client report the count of an update differently. */
const RENEW = `
  WITH renewed AS (
    UPDATE leases SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
    WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > clock_timestamp()
    RETURNING 1
  )
  SELECT FROM renewed`;

const RELEASE = `
  UPDATE leases SET expires_at = clock_timestamp() WHERE name = $1 AND holder = $2 AND epoch = $3`;

/** Parameters of {@link lockingLease}. */
export const fenceParameters = ({ name, holder, epoch }: LeaseFence): string[] => [
  name,
  holder,
  epoch.toString(),
];

/**
 * Query that locks the lease of a fenced statement, and finds no row after another process acquired it. Its parameters
 * begin at `$first`.
 */
export const lockingLease = (first: number): string =>
  `SELECT 1 FROM leases
   WHERE name = $${first} AND holder = $${first + 1} AND epoch = $${first + 2}::bigint FOR SHARE`;

/** Lease with one holder at a time, by the database's clock. */
export class Lease {
  private held: HeldLease | null = null;
  /** Time by this process's monotonic clock; never after the end by the database's clock. */
  private heldUntil = 0;

  constructor(private readonly options: LeaseOptions) {}

  /** False from the end of the lease on, without a question to the database. */
  get isHeld(): boolean {
    return this.held !== null && performance.now() < this.heldUntil;
  }

  /** Acquires or renews the lease; null while another process holds it. */
  async acquire(): Promise<HeldLease | null> {
    const { dataSource, name, holder, ttlMs } = this.options;
    const askedAt = performance.now();
    const rows: { epoch: string }[] = await dataSource.query(ACQUIRE, [name, holder, ttlMs]);
    const row = rows[0];
    this.held = row === undefined ? null : { epoch: BigInt(row.epoch) };
    this.heldUntil = askedAt + ttlMs;
    return this.held;
  }

  /**
   * Renews the lease, by default on a connection of the pool; false when it expired or changed hands: stop at once.
   */
  async renew(client?: pg.ClientBase): Promise<boolean> {
    const { held } = this;
    if (held === null) return false;
    const { dataSource, name, holder, ttlMs } = this.options;
    const askedAt = performance.now();
    const parameters = [...fenceParameters({ name, holder, ...held }), ttlMs];
    const rows: unknown[] =
      client === undefined
        ? await dataSource.query(RENEW, parameters)
        : (await client.query(RENEW, parameters)).rows;
    if (this.held !== held) return false;
    if (rows.length === 0) this.held = null;
    else this.heldUntil = askedAt + ttlMs;
    return rows.length > 0;
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
    const { name, holder } = this.options;
    await assertLeaseHeld(manager, { name, holder, epoch });
  }
}

/** Locks the lease within the transaction of a fenced write, also of a lease that another object renews. */
export async function assertLeaseHeld(manager: EntityManager, fence: LeaseFence): Promise<void> {
  const rows: unknown[] = await manager.query(lockingLease(1), fenceParameters(fence));
  if (rows.length === 0) throw new LeaseLostError(fence.name);
}

export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`the lease ${name} has another holder`);
    this.name = 'LeaseLostError';
  }
}

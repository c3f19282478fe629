import {
  closeConnection,
  connectDirectly,
  type DatabaseConfig,
  Lease,
  LeaseLostError,
} from '@bascule/persistence';
import { settlesWithin } from '@bascule/process';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { relayChannel } from '../outbox/relay-waker.js';
import type { PublishFence } from '../transport/transport.js';
import { excludeOlderLeaders, leaderName } from './older-leaders.js';

export interface LeadershipOptions {
  database: DatabaseConfig;
  dataSource: DataSource;
  /** Time after which a leader that stopped renewing is replaced. */
  leaseMs?: number | undefined;
  /** Time without a statement after which a leader of the previous version counts as vanished. */
  olderLeaderIdleMs?: number | undefined;
  /** Called when other processes announce rows. */
  onRows: () => void;
  onResigned: () => void;
}

export interface Leader {
  client: pg.Client;
  fence: PublishFence;
}

/** Time from one lease to its loss, with a holder and so an epoch of its own. */
interface Term extends Leader {
  lease: Lease;
  isLeading: boolean;
  renewals: NodeJS.Timeout | undefined;
}

const LEASE = 'outbox';
const LEASE_MS = 5_000;
const RENEWALS_PER_LEASE = 3;
const RELEASE_MS = 1_000;
/** A leader of the previous version asks twice a second, and waits for a publish at most 30 s. */
const OLDER_LEADER_IDLE_MS = 60_000;

/**
 * Leadership of an outbox by a lease. A leader does all its work on one connection of its own, so that it renews the
 * lease only while it can work. A standby has no connection and asks through the pool.
 */
export class Leadership {
  private readonly leaseMs: number;
  private term: Term | null = null;

  constructor(private readonly options: LeadershipOptions) {
    this.leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /** Null from the end of the lease on, by this process's own clock. */
  get current(): Leader | null {
    const { term } = this;
    return term?.isLeading === true && term.lease.isHeld ? term : null;
  }

  /** Tries to become the leader; one whose lease ended resigns first. */
  async tryToLead(): Promise<Leader | null> {
    try {
      if (this.term?.isLeading === true) await this.resign();
      const term = this.term ?? (await this.beginTerm());
      if (term === null || !(await this.lead(term))) return null;
      return this.current;
    } catch (error) {
      await this.resign();
      throw error;
    }
  }

  /** Closes the connection and releases the lease, each within a second. */
  async resign(): Promise<void> {
    const { term } = this;
    if (term === null) return;
    this.term = null;
    clearInterval(term.renewals);
    if (term.isLeading) this.options.onResigned();
    await closeConnection(term.client);
    await settlesWithin(RELEASE_MS, term.lease.release());
  }

  /** Acquires the lease and opens the connection; null while another process holds the lease. */
  private async beginTerm(): Promise<Term | null> {
    const { database, dataSource } = this.options;
    const holder = randomUUID();
    const lease = new Lease({ dataSource, name: LEASE, holder, ttlMs: this.leaseMs });
    const held = await lease.acquire();
    if (held === null) return null;
    const client = await connectDirectly(database, leaderName(database.schema)).catch(
      async (error: unknown) => {
        await settlesWithin(RELEASE_MS, lease.release());
        throw error;
      },
    );
    const fence: PublishFence = {
      ...{ name: LEASE, holder, epoch: held.epoch },
      assertHeld: async () => {
        if (!(await lease.renew(client))) throw new LeaseLostError(LEASE);
      },
    };
    const term: Term = { lease, client, fence, isLeading: false, renewals: undefined };
    client.on('notification', () => {
      this.options.onRows();
    });
    client.on('end', () => {
      if (this.term === term) void this.resign();
    });
    this.term = term;
    return term;
  }

  /** Leads unless a leader of the previous version still does; the lease is kept meanwhile. */
  private async lead(term: Term): Promise<boolean> {
    const { database, olderLeaderIdleMs: idleMs = OLDER_LEADER_IDLE_MS } = this.options;
    const { schema } = database;
    const { client, fence } = term;
    await fence.assertHeld();
    if (!(await excludeOlderLeaders(client, { schema, fence, idleMs }))) return false;
    await client.query(`LISTEN "${relayChannel(schema)}"`);
    if (this.term !== term) throw new LeaseLostError(LEASE);
    term.isLeading = true;
    this.keepRenewing(term);
    return true;
  }

  private keepRenewing(term: Term): void {
    let isRenewing = false;
    const renew = async (): Promise<void> => {
      const isRenewed = await term.lease.renew(term.client);
      if (!isRenewed && this.term === term) await this.resign();
    };
    term.renewals = setInterval(() => {
      if (!term.lease.isHeld) {
        void this.resign();
        return;
      }
      if (isRenewing) return;
      isRenewing = true;
      renew()
        // The next renewal may succeed before the lease ends.
        .catch(() => undefined)
        .finally(() => (isRenewing = false));
    }, this.leaseMs / RENEWALS_PER_LEASE);
  }
}

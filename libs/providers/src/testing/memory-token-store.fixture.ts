import { randomUUID } from 'node:crypto';
import type { SharedToken, SharedTokens, SharedTokenStore } from '../port/shared-token-store.js';

interface Row {
  version: number;
  current: SharedToken | null;
  former: SharedToken[];
  claimId: string | null;
  claimableAt: number;
}

const EMPTY: Row = { version: 0, current: null, former: [], claimId: null, claimableAt: 0 };
const PAUSE_MS = 60_000;
const FORMER = { count: 3, keptMs: 24 * 60 * 60_000 };

/** Store of access tokens in memory: several adapters with one store play the replicas of a service. */
export class MemoryTokenStore implements SharedTokenStore {
  reads = 0;
  claims = 0;
  private readonly rows = new Map<string, Row>();

  read(provider: string): Promise<SharedTokens> {
    this.reads += 1;
    const { version, current, former, claimId, claimableAt } = this.row(provider);
    const isClaimed = claimId !== null && claimableAt > Date.now();
    return Promise.resolve({ version, current, former, isClaimed });
  }

  claim(provider: string, version: number): Promise<string | undefined> {
    this.claims += 1;
    const row = this.row(provider);
    if (row.version !== version || row.claimableAt > Date.now()) return Promise.resolve(undefined);
    const claimId = randomUUID();
    this.rows.set(provider, { ...row, claimId, claimableAt: Date.now() + PAUSE_MS });
    return Promise.resolve(claimId);
  }

  replace(provider: string, claimId: string, token: SharedToken): Promise<number | undefined> {
    const row = this.row(provider);
    if (row.claimId !== claimId) return Promise.resolve(undefined);
    const replaced = row.current && {
      ...row.current,
      expiresAt: new Date(Date.now() + FORMER.keptMs),
    };
    const version = row.version + 1;
    this.rows.set(provider, {
      ...row,
      version,
      current: token,
      former: [...(replaced ? [replaced] : []), ...row.former].slice(0, FORMER.count),
      claimId: null,
    });
    return Promise.resolve(version);
  }

  release(provider: string, claimId: string): Promise<void> {
    const row = this.row(provider);
    if (row.claimId === claimId) this.rows.set(provider, { ...row, claimId: null });
    return Promise.resolve();
  }

  /** Ends the pause after a claim, as time does. */
  endPause(provider: string): void {
    this.rows.set(provider, { ...this.row(provider), claimableAt: 0 });
  }

  private row(provider: string): Row {
    return this.rows.get(provider) ?? EMPTY;
  }
}

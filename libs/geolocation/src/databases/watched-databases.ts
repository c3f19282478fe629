import type { PublicAddress } from '../addresses/public-address.js';
import { DatabaseFile } from './database-file.js';

export interface DatabaseNews {
  path: string;
  /** Why it could not be used; absent when it is in use from now on. */
  problem?: Error;
  kind?: string;
  builtAt?: Date;
}

export interface DatabaseState {
  path: string;
  /** Absent when none is in use. */
  builtAt: Date | undefined;
  /** What is on the disk now cannot be used. */
  isRefused: boolean;
  failures: number;
}

interface Slot {
  path: string;
  database: DatabaseFile | undefined;
  /** The version that was tried last, good or bad: a bad one is not tried again. */
  tried: string | undefined;
  failures: number;
  /** What was told of it last, unless it was read since. */
  trouble: string | undefined;
}

/** Databases of a process, read again when their files change. What is broken is not taken: the one before stays. */
export class WatchedDatabases {
  private readonly slots: Slot[];
  private readonly listeners = new Set<(news: DatabaseNews) => void>();
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;

  constructor(paths: readonly string[]) {
    this.slots = paths.map((path) => ({
      path,
      database: undefined,
      tried: undefined,
      failures: 0,
      trouble: undefined,
    }));
  }

  /** Looks for new versions from now on. */
  watch(everyMs: number): void {
    this.timer = setInterval(() => void this.check(), everyMs);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** @returns what takes the listener away again */
  onNews(listener: (news: DatabaseNews) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads what is new. Never throws; one at a time. */
  check(): Promise<void> {
    this.checking ??= this.readAll().finally(() => (this.checking = undefined));
    return this.checking;
  }

  find(address: PublicAddress): unknown {
    for (const slot of this.slots) {
      const record = findIn(slot, address);
      if (record !== null) return record;
    }
    return null;
  }

  state(): readonly DatabaseState[] {
    return this.slots.map(({ path, database, failures, trouble }) => ({
      path,
      builtAt: database?.builtAt,
      isRefused: trouble !== undefined,
      failures,
    }));
  }

  private async readAll(): Promise<void> {
    for (const slot of this.slots) await this.readIfNew(slot);
  }

  private async readIfNew(slot: Slot): Promise<void> {
    const { path } = slot;
    const version = await DatabaseFile.versionAt(path).catch(() => undefined);
    if (version !== undefined && version === slot.tried) return;
    try {
      const database = await DatabaseFile.read(path);
      // Searches are synchronous: each sees the old one or the new one.
      slot.database = database;
      slot.tried = database.version;
      slot.trouble = undefined;
      this.tell({ path, kind: database.kind, builtAt: database.builtAt });
    } catch (error) {
      // A file that could not be read is tried again, one that is broken when it changes.
      slot.tried = isSystemError(error) ? undefined : version;
      const problem = error instanceof Error ? error : new Error(String(error));
      const trouble = `${version} ${problem.message}`;
      if (trouble === slot.trouble) return;
      slot.trouble = trouble;
      slot.failures += 1;
      this.tell({ path, problem });
    }
  }

  private tell(news: DatabaseNews): void {
    for (const listener of this.listeners) listener(news);
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'errno' in error;

/** What a damaged place in a file would say is unknown; nobody's request ends on it. */
function findIn(slot: Slot, address: PublicAddress): unknown {
  try {
    return slot.database?.find(address) ?? null;
  } catch {
    slot.failures += 1;
    return null;
  }
}

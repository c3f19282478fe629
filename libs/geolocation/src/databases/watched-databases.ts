import type { PublicAddress } from '../addresses/public-address.js';
import { DatabaseFile } from './database-file.js';

export interface DatabaseChange {
  path: string;
  /** Error of an unusable version; absent when the version is now in use. */
  problem?: Error;
  kind?: string;
  builtAt?: Date;
}

export interface DatabaseState {
  path: string;
  /** Absent while no version is in use. */
  builtAt: Date | undefined;
  /** The version on disk is unusable. */
  isRefused: boolean;
  failures: number;
}

interface Slot {
  path: string;
  database: DatabaseFile | undefined;
  /** Last version tried; a bad one is not tried again. */
  tried: string | undefined;
  failures: number;
  /** Last reported error since the last good read. */
  trouble: string | undefined;
}

/** Databases of a process, reloaded when their files change. A malformed version is skipped: the previous one stays. */
export class WatchedDatabases {
  private readonly slots: Slot[];
  private readonly listeners = new Set<(change: DatabaseChange) => void>();
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

  /** Starts watching for new versions. */
  watch(everyMs: number): void {
    this.timer = setInterval(() => void this.check(), everyMs);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** @returns a function that removes the listener */
  onChange(listener: (change: DatabaseChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Loads new versions, one refresh at a time. Never throws. */
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
      // An unreadable file is tried again; a malformed one only after a change.
      slot.tried = isSystemError(error) ? undefined : version;
      const problem = error instanceof Error ? error : new Error(String(error));
      const trouble = `${version} ${problem.message}`;
      if (trouble === slot.trouble) return;
      slot.trouble = trouble;
      slot.failures += 1;
      this.tell({ path, problem });
    }
  }

  private tell(change: DatabaseChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'errno' in error;

/** Looks a record up; damage in the file counts as unknown and fails no request. */
function findIn(slot: Slot, address: PublicAddress): unknown {
  try {
    return slot.database?.find(address) ?? null;
  } catch {
    slot.failures += 1;
    return null;
  }
}

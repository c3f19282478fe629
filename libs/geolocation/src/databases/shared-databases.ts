import { WatchedDatabases } from './watched-databases.js';

interface Shared {
  databases: WatchedDatabases;
  users: number;
}

export interface BorrowedDatabases {
  databases: WatchedDatabases;
  giveBack(): void;
}

const inUse = new Map<string, Shared>();

/** Databases shared by all services of the process, one copy in memory. */
export function borrowDatabases(files: readonly string[], checkEveryMs: number): BorrowedDatabases {
  const key = JSON.stringify([files, checkEveryMs]);
  const shared = inUse.get(key) ?? open(key, files, checkEveryMs);
  shared.users += 1;
  let isBorrowed = true;
  const giveBack = (): void => {
    if (!isBorrowed) return;
    isBorrowed = false;
    shared.users -= 1;
    if (shared.users > 0) return;
    inUse.delete(key);
    shared.databases.close();
  };
  return { databases: shared.databases, giveBack };
}

function open(key: string, files: readonly string[], checkEveryMs: number): Shared {
  const shared = { databases: new WatchedDatabases(files), users: 0 };
  shared.databases.watch(checkEveryMs);
  inUse.set(key, shared);
  return shared;
}

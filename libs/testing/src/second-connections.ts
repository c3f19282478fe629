import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';

/** Transaction in which the present call chain runs. */
interface RunningTransaction {
  dataSource: DataSource;
  isOpen: boolean;
  outer: RunningTransaction | undefined;
}

type Work<T> = (manager: EntityManager) => Promise<T>;
type IsolationLevel = Parameters<DataSource['transaction']>[0];

const running = new AsyncLocalStorage<RunningTransaction>();
const found = new Set<string>();
const { createQueryRunner } = DataSource.prototype;

/**
 * Records each call chain that asks a pool for a connection while its own transaction holds one of the same pool. As many
 * of them at a time as the pool has connections wait for each other.
 */
export function watchSecondConnections(): void {
  DataSource.prototype.transaction = function watched<T>(
    this: DataSource,
    first: IsolationLevel | Work<T>,
    second?: Work<T>,
  ): Promise<T> {
    const work = typeof first === 'string' ? second : first;
    if (work === undefined) throw new TypeError('expected the work of a transaction');
    const state = { dataSource: this, isOpen: true, outer: running.getStore() };
    const watchedWork: Work<T> = (manager) => running.run(state, () => work(manager));
    const ended =
      typeof first === 'string'
        ? this.manager.transaction(first, watchedWork)
        : this.manager.transaction(watchedWork);
    return ended.finally(() => {
      state.isOpen = false;
    });
  };
  DataSource.prototype.createQueryRunner = function watched(this: DataSource, mode) {
    if (holdsConnection(this)) {
      found.add(new Error('a transaction asks its pool for a second connection').stack ?? '');
    }
    return createQueryRunner.call(this, mode);
  };
}

/** Runs work of a test as if it were another process, while a transaction of the test is open. */
export const besideTransactions = <T>(work: () => T): T => running.exit(work);

/** Returns the stacks of those found, each once, and forgets them. */
export function takeSecondConnections(): string[] {
  const stacks = [...found];
  found.clear();
  return stacks;
}

function holdsConnection(dataSource: DataSource): boolean {
  for (let at = running.getStore(); at !== undefined; at = at.outer) {
    // Work that a transaction started may outlive it.
    if (at.isOpen && at.dataSource === dataSource) return true;
  }
  return false;
}

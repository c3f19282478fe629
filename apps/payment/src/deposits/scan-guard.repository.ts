import type { Lease } from '@bascule/persistence';
import type { DataSource, EntityManager } from 'typeorm';

/** Fences a scanner's writes: each asserts the lease in its own transaction. */
export class ScanGuardRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lease: Lease,
    readonly epoch: bigint,
  ) {}

  transaction<T>(write: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      await this.lease.assertHeld(manager, this.epoch);
      return write(manager);
    });
  }
}

import type { Lease } from '@bascule/persistence';
import type { DataSource, EntityManager } from 'typeorm';

/** Writes of a scanner: none of them happens once another replica has taken over. */
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

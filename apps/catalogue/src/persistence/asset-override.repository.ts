import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AssetOverrideEntity } from './asset-override.entity.js';

@Injectable()
export class AssetOverrideRepository {
  constructor(private readonly dataSource: DataSource) {}

  all(manager: EntityManager = this.dataSource.manager): Promise<AssetOverrideEntity[]> {
    return manager.find(AssetOverrideEntity, { order: { id: 'ASC' } });
  }

  async arePending(): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT FROM asset_overrides WHERE applied_version < version LIMIT 1',
    );
    return rows.length > 0;
  }

  /** Overrides that the listing has not applied yet. */
  pending(manager: EntityManager): Promise<AssetOverrideEntity[]> {
    return manager
      .createQueryBuilder(AssetOverrideEntity, 'override')
      .where('override.applied_version < override.version')
      .orderBy('override.id')
      .getMany();
  }

  /** Marks the versions that were read; later ones stay pending. */
  async markApplied(manager: EntityManager, overrides: readonly AssetOverrideEntity[]) {
    for (const { id, version } of overrides) {
      await manager.update(AssetOverrideEntity, { id }, { appliedVersion: version });
    }
  }
}

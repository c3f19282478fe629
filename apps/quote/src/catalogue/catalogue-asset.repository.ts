import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CatalogueAssetEntity } from './catalogue-asset.entity.js';

@Injectable()
export class CatalogueAssetRepository {
  constructor(private readonly dataSource: DataSource) {}

  listed(): Promise<CatalogueAssetEntity[]> {
    return this.dataSource.manager.find(CatalogueAssetEntity, {
      where: { listed: true },
      order: { id: 'ASC' },
    });
  }
}

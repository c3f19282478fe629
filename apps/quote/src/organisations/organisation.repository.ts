import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganisationEntity } from './organisation.entity.js';

@Injectable()
export class OrganisationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Settings of an organisation; null until an operator made some. */
  find(id: string): Promise<OrganisationEntity | null> {
    return this.dataSource.manager.findOneBy(OrganisationEntity, { id });
  }
}

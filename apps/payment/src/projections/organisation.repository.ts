import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganisationEntity } from '../persistence/organisation.entity.js';

/** Projected settings of organisations. */
@Injectable()
export class OrganisationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Origins (`https://host[:port]`) that an operator registered for the organisation. */
  async redirectOriginsOf(orgId: string): Promise<readonly string[]> {
    const found = await this.dataSource.manager.findOneBy(OrganisationEntity, { id: orgId });
    return found?.redirectOrigins ?? [];
  }
}

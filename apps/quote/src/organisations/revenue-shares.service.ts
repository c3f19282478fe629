import { Injectable } from '@nestjs/common';
import { OrganisationRepository } from './organisation.repository.js';
import { readRevenueShare, type ReadRevenueShare } from './read-revenue-share.js';

/** Revenue shares that requests name. */
@Injectable()
export class RevenueSharesService {
  constructor(private readonly organisations: OrganisationRepository) {}

  /** Null share when none is named; an `org_configuration` issue for one that the organisation cannot use. */
  async find(orgId: string, name: string | undefined): Promise<ReadRevenueShare> {
    if (name === undefined) return { share: null, issue: null };
    const organisation = await this.organisations.find(orgId);
    return readRevenueShare(name, organisation?.revenueShares ?? []);
  }
}

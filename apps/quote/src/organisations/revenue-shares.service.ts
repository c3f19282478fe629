import { invalidRequest } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { RevenueShare } from '../routes/revenue-share.js';
import { OrganisationRepository } from './organisation.repository.js';
import { readRevenueShare } from './read-revenue-share.js';

/** Revenue shares that requests name. */
@Injectable()
export class RevenueSharesService {
  constructor(private readonly organisations: OrganisationRepository) {}

  /**
   * Null when no share is named.
   * @throws ServiceError with an `org_configuration` issue for a share that the organisation cannot use
   */
  async require(orgId: string, name: string | undefined): Promise<RevenueShare | null> {
    if (name === undefined) return null;
    const organisation = await this.organisations.find(orgId);
    const read = readRevenueShare(name, organisation?.revenueShares ?? []);
    if ('issue' in read) throw invalidRequest(read.issue);
    return read.share;
  }
}

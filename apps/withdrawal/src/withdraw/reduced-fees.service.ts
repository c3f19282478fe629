import { invalidRequest } from '@bascule/contracts';
import type { Issue } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { RetryChainsRepository } from '../payments/retry-chains.repository.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';

/** Grants one reduced fee to a chain of retries, so that withdrawals cannot have their gas paid again and again. */
@Injectable()
export class ReducedFeesService {
  constructor(
    private readonly chains: RetryChainsRepository,
    private readonly withdrawals: WithdrawalRepository,
  ) {}

  /**
   * Returns the chain's root, whose unique index decides between concurrent submissions; null without a reduced fee.
   * @throws ServiceError with the issue when the chain has used its reduced fee
   */
  async rootFor(payment: ProjectedPayment, issue: Issue | null): Promise<string | null> {
    if (issue === null) return null;
    const root = await this.chains.rootOf(payment.id);
    if (root === null || (await this.withdrawals.hasReducedFee(root))) {
      throw invalidRequest(issue);
    }
    return root;
  }
}

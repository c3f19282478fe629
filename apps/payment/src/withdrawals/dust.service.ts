import { Chains } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { DecimalString } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ChainUnreadableError, readChain } from '@bascule/wallet-balances';
import { Inject, Injectable } from '@nestjs/common';
import { zeroAddress } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { withDustOf } from '../life-cycle/policy.js';
import type { PolicyOn } from '../life-cycle/policy.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { withdrawalCostUsd } from './withdrawal-cost.js';

/** Deadline of a read, which must not hold up the scanner or a leg for long. */
const CHAIN_TIMEOUT_MS = 2_000;

/** Says what money is too little for a withdrawal, by each chain's cost. Calls chains, so never in a transaction. */
@Injectable()
export class DustService {
  constructor(
    private readonly context: ServiceContext,
    private readonly chains: Chains,
    private readonly directory: AssetDirectoryRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** A chain that cannot be read is left out: the configured value counts there. */
  async policyOn(chains: Iterable<string>): Promise<PolicyOn> {
    const costs = await Promise.all([...new Set(chains)].map((chain) => this.costOn(chain)));
    return withDustOf(this.config.policy, new Map(costs.flat()));
  }

  private async costOn(chain: string): Promise<[string, DecimalString][]> {
    const found = this.chains.find(chain);
    if (!found) return [];
    try {
      const [gasPrice, nativeUsd] = await Promise.all([
        readChain(chain, CHAIN_TIMEOUT_MS, found.client.getGasPrice()),
        this.directory.usdPrice(tokenIdentifier(chain, zeroAddress)),
      ]);
      return nativeUsd === null ? [] : [[chain, withdrawalCostUsd(gasPrice, nativeUsd)]];
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      this.context.logger.warn({ err: error, chain }, 'gas price could not be read');
      return [];
    }
  }
}

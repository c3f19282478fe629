import { Chains, gasPriceOf, ZERO_ADDRESS } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { DecimalString } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ChainUnreadableError, readChain, withdrawalDataFee } from '@bascule/wallet-balances';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { withCost, withDustOf } from '../life-cycle/policy.js';
import type { PaymentPolicy, PolicyOn } from '../life-cycle/policy.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { withdrawalCostUsd } from './withdrawal-cost.js';

/** Deadline of a read, which must not hold up the scanner or a leg for long. */
const CHAIN_TIMEOUT_MS = 2_000;
/** Age from which a cost is read again in the background. */
const FRESH_MS = 15_000;
const UNKNOWN_RETRY_MS = 1_000;

/** Says what money is too little for a withdrawal, by each chain's cost. */
@Injectable()
export class DustService implements OnApplicationBootstrap {
  /** By chain; null where it could not be read. */
  private readonly costs = new Map<string, DecimalString | null>();
  private readonly askedAt = new Map<string, number>();

  constructor(
    private readonly context: ServiceContext,
    private readonly chains: Chains,
    private readonly directory: AssetDirectoryRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name } of this.chains.all()) this.known(name);
  }

  /**
   * Reads what another withdrawal costs now, so never within a transaction. The configured value counts on a chain that
   * cannot be read.
   */
  async policyOn(chains: Iterable<string>): Promise<PolicyOn> {
    const names = [...new Set(chains)];
    const costs = await Promise.all(names.map((chain) => this.costOn(chain)));
    const found = names.flatMap((chain, index): [string, DecimalString][] => {
      const cost = costs[index];
      return cost == null ? [] : [[chain, cost]];
    });
    return withDustOf(this.config.policy, new Map(found));
  }

  /**
   * Waits for nothing: dust is below the configured value, or below the cost of a withdrawal as it was known last, for
   * answers.
   */
  readonly known: PolicyOn = (chain): PaymentPolicy => {
    this.refresh(chain);
    return withCost(this.config.policy, this.costs.get(chain) ?? null);
  };

  private refresh(chain: string): void {
    const now = performance.now();
    const last = this.askedAt.get(chain);
    const freshMs = this.costs.get(chain) == null ? UNKNOWN_RETRY_MS : FRESH_MS;
    if (last !== undefined && now - last < freshMs) return;
    this.askedAt.set(chain, now);
    this.costOn(chain).catch((error: unknown) => {
      this.context.logger.warn({ err: error, chain }, 'cost of a withdrawal is unknown');
    });
  }

  private async costOn(chain: string): Promise<DecimalString | null> {
    const found = this.chains.find(chain);
    if (!found) return null;
    try {
      const [gasPrice, dataFee, nativeUsd] = await Promise.all([
        readChain(chain, CHAIN_TIMEOUT_MS, gasPriceOf(found)),
        readChain(chain, CHAIN_TIMEOUT_MS, withdrawalDataFee(found)),
        this.directory.usdPrice(tokenIdentifier(chain, ZERO_ADDRESS)),
      ]);
      const cost = nativeUsd === null ? null : withdrawalCostUsd(gasPrice, nativeUsd, dataFee);
      this.costs.set(chain, cost);
      return cost;
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      this.context.logger.warn({ err: error, chain }, 'gas price could not be read');
      return null;
    }
  }
}

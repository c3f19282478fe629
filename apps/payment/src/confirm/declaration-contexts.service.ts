import { Chains } from '@bascule/chain';
import { unavailable } from '@bascule/contracts';
import type { PaymentPlan, PlannedLeg } from '@bascule/contracts';
import type { Bridge } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { BRIDGES, PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { isSame } from './address-problems.js';
import { tokensOf } from './payment-terms.js';
import type { DeclarationContext } from './payment-terms.js';

/** Adds the deployment's contracts, windows and decimals to a plan. */
@Injectable()
export class DeclarationContextsService {
  constructor(
    private readonly chains: Chains,
    private readonly directory: AssetDirectoryRepository,
    @Inject(BRIDGES) private readonly bridges: ReadonlyMap<string, Bridge>,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** @throws ServiceError when the deployment cannot execute the plan */
  async of(plan: PaymentPlan): Promise<DeclarationContext> {
    const { factory, executor } = this.contractsFor(plan);
    if (!plan.legs.every((leg) => this.isBridgeKnown(leg))) {
      throw unavailable('A bridge of the payment is unavailable.');
    }
    const decimals = await this.directory.decimalsOf(tokensOf(plan));
    if (decimals === null)
      throw unavailable('A token of the payment is not listed yet. Try again.');
    const { onrampExecutionWindowMs, tokenExecutionWindowMs } = this.config;
    return {
      factory,
      executor,
      decimals,
      chainIdOf: (chain) => this.chains.get(chain).chainId,
      executionWindowMs: (funding) =>
        funding === 'onramp' ? onrampExecutionWindowMs : tokenExecutionWindowMs,
    };
  }

  private contractsFor(plan: PaymentPlan) {
    const contracts = plan.legs.map(({ chain }) => this.chains.find(chain)?.definition.contracts);
    const [first] = contracts;
    const isSupported = contracts.every(
      (each) =>
        each?.executor === first?.executor &&
        each?.oneTimeWalletFactory === first?.oneTimeWalletFactory,
    );
    if (first?.executor === undefined || !isSupported) {
      throw unavailable('A chain of the payment is unavailable.');
    }
    return { factory: first.oneTimeWalletFactory, executor: first.executor };
  }

  /** The declared adapter must be the one whose transfers are followed. */
  private isBridgeKnown({ chain, bridge }: PlannedLeg): boolean {
    if (bridge === undefined) return true;
    const adapter = this.bridges.get(bridge.name)?.adapterOn(this.chains.get(chain));
    return adapter !== undefined && isSame(adapter, bridge.adapter);
  }
}

import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest, parseTokenIdentifier, unavailable } from '@bascule/contracts';
import { TokenBalancesClient, WithdrawalFeesService } from '@bascule/wallet-balances';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { CatalogueCacheService } from '../catalogue/catalogue-cache.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import type { KnownAsset } from '../routes/known-asset.js';
import type { ParkedBalance } from './parked-balance.js';
import type { ProjectedPayment } from './projected-payment.entity.js';

/** Reads from the chain what a payment's wallet holds of its deposit token, and the fee of withdrawing it. */
@Injectable()
export class ParkedBalancesService {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: CatalogueCacheService,
    private readonly balances: TokenBalancesClient,
    private readonly fees: WithdrawalFeesService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** @throws ServiceError 503 while the chain cannot be read */
  async read({ walletAddress, depositToken }: ProjectedPayment): Promise<ParkedBalance> {
    const { chain, token } = await this.find(depositToken);
    const wallet = walletAddress as Address;
    const { address } = parseTokenIdentifier(depositToken);
    const [[held], fees] = await Promise.all([
      this.balances.readNewest(
        chain,
        [{ owner: wallet, token: address }],
        this.config.chainTimeoutMs,
      ),
      this.fees.quoteEach(chain, wallet, [{ id: depositToken, decimals: token.decimals }]),
    ]);
    const fee = fees.get(depositToken);
    if (held === undefined || held === null || fee === undefined) {
      throw unavailable(`Could not read the balance of ${depositToken}. Try again later.`);
    }
    const { symbol, decimals } = token;
    return { token: depositToken, symbol, decimals, held, fee };
  }

  private async find(id: ProjectedPayment['depositToken']): Promise<{
    chain: Chain;
    token: KnownAsset;
  }> {
    const chain = this.chains.find(parseTokenIdentifier(id).chain);
    const token = (await this.catalogue.listedAssets()).assets.get(id);
    if (chain === undefined || token === undefined) {
      throw invalidRequest({ kind: 'other', message: `The token ${id} is not listed any more.` });
    }
    return { chain, token };
  }
}

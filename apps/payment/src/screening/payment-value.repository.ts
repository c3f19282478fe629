import { formatDecimal } from '@bascule/amounts';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { outputValueUsd } from '../life-cycle/output-value.js';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';

/** Values payments for the allowance of small sums. */
@Injectable()
export class PaymentValueRepository {
  constructor(
    private readonly directory: AssetDirectoryRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Organisation, owner and quoted output value in dollars; null without a fresh price. */
  async smallSumOf(
    terms: PaymentTerms,
  ): Promise<{ orgId: string; owner: Address; usd: string } | null> {
    const usdPerUnit =
      terms.priceCurrency === 'usd'
        ? '1'
        : await this.directory.freshUsdPrice(terms.priceCurrency, this.config.priceMaxAgeMs);
    if (usdPerUnit === null) return null;
    const prices = { current_prices: terms.currentPrices };
    const value = outputValueUsd(terms.quoted, prices, usdPerUnit);
    if (value === undefined) return null;
    const { orgId, ownerAddress } = terms;
    return { orgId, owner: ownerAddress.toLowerCase() as Address, usd: formatDecimal(value) };
  }
}

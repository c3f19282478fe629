import { isZero, parseDecimal } from '@bascule/amounts';
import { PriceRepository } from '@bascule/catalogue-projection';
import { unavailable, unpricedCurrency } from '@bascule/contracts';
import type { Payment } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { inPriceCurrency } from '../view/price-currency.js';

const DOLLAR = ['usd', parseDecimal('1')] as const;

/** Shows payments in another price currency, at current exchange rates. */
@Injectable()
export class PriceConversionService {
  constructor(
    private readonly prices: PriceRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** @throws ServiceError as {@link convertAll} */
  async convert(payment: Payment, currency: string | undefined): Promise<Payment> {
    const [converted = payment] = await this.convertAll([payment], currency);
    return converted;
  }

  /** @throws ServiceError: 400 where the currency has no current price, 503 where that of a payment has none */
  async convertAll(payments: Payment[], currency: string | undefined): Promise<Payment[]> {
    if (currency === undefined) return payments;
    const currencies = new Set([currency, ...payments.map((payment) => payment.price_currency)]);
    const fresh = await this.prices.fresh(currencies, this.config.priceMaxAgeMs);
    const rates = new Map([...fresh, DOLLAR].filter(([, usd]) => !isZero(usd)));
    const to = rates.get(currency);
    if (to === undefined) throw unpricedCurrency(currency);
    return payments.map((payment) => {
      if (payment.price_currency === currency) return payment;
      const from = rates.get(payment.price_currency);
      if (from === undefined) throw unavailable('Could not convert the prices. Try again.');
      return inPriceCurrency(payment, currency, { from, to });
    });
  }
}

import { isZero, parseDecimal } from '@bascule/amounts';
import { PriceRepository } from '@bascule/catalogue-projection';
import { unpricedCurrency } from '@bascule/contracts';
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

  /**
   * Converts payments; one whose own currency has no current price stays in it, so that it hides no other one.
   * @throws ServiceError 400 where the wanted currency has no current price
   */
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
      return from === undefined ? payment : inPriceCurrency(payment, currency, { from, to });
    });
  }
}

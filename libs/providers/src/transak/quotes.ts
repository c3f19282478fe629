import type { OnrampQuoteRequest } from '../port/onramp-provider.js';
import type { JsonObject } from '../wire/json-object.js';
import { isWithinACent } from '../wire/money.js';
import type { PaymentOption, SoldCurrency } from './catalogue.js';
import { countryOf } from './customer-country.js';

/** A token, and a way to pay for it. */
export interface Offer {
  sold: SoldCurrency;
  option: PaymentOption;
}

export function quoteQuery(
  { fiat, fiatAmount, customer }: OnrampQuoteRequest,
  { sold, option }: Offer,
  apiKey: string,
): string {
  const country = countryOf(customer);
  return new URLSearchParams({
    partnerApiKey: apiKey,
    fiatCurrency: fiat.toUpperCase(),
    cryptoCurrency: sold.symbol,
    network: sold.network,
    isBuyOrSell: 'BUY',
    paymentMethod: option.id,
    fiatAmount,
    ...(country !== undefined && { quoteCountryCode: country }),
  }).toString();
}

/** Whether a quote is for what was asked. @throws UnreadableAnswer */
export const isAnswerTo = (
  quote: JsonObject,
  { fiat, fiatAmount }: OnrampQuoteRequest,
  { sold, option }: Offer,
): boolean =>
  quote.string('fiatCurrency').toLowerCase() === fiat.toLowerCase() &&
  quote.string('cryptoCurrency') === sold.symbol &&
  quote.string('network') === sold.network &&
  quote.string('paymentMethod') === option.id &&
  quote.string('isBuyOrSell') === 'BUY' &&
  isWithinACent(quote.decimal('fiatAmount'), fiatAmount);

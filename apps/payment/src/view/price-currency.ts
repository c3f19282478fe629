import {
  addDecimals,
  divDecimals,
  formatDecimal,
  mulDecimals,
  parseDecimal,
  roundDecimal,
  roundPrice,
  subDecimals,
  UNIT_PRICE,
  ZERO,
} from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { DecimalString, Fees, Payment } from '@bascule/contracts';

/** Enough for the cheapest token in the strongest currency. */
const PRICE_DECIMALS = 18;
const FEE_DECIMALS = 8;

/** Prices of one unit of two currencies in a third one. */
export interface ExchangeRate {
  from: Decimal;
  to: Decimal;
}

/**
 * Shows a payment's prices and fees in another currency. All are multiplied by one rate, so the value of the input
 * less the fees remains the value of the output.
 */
export function inPriceCurrency(payment: Payment, currency: string, rate: ExchangeRate): Payment {
  const { current_prices, quoted, fulfilled } = payment;
  return {
    ...payment,
    price_currency: currency,
    current_prices: {
      ...Object.fromEntries(
        Object.entries(current_prices).map(([asset, price]) => [
          asset,
          formatDecimal(roundPrice(converted(price, rate))),
        ]),
      ),
      [currency]: UNIT_PRICE,
    },
    quoted: { ...quoted, fees: feesIn(quoted.fees, currency, rate) },
    fulfilled: { ...fulfilled, fees: feesIn(fulfilled.fees, currency, rate) },
  };
}

function feesIn(fees: Fees, currency: string, rate: ExchangeRate): Fees {
  const part = (fee: DecimalString): Decimal =>
    roundDecimal(converted(fee, rate), FEE_DECIMALS, 'down');
  const [conversion, network, business] = [
    part(fees.conversion_fees),
    part(fees.network_fees),
    part(fees.business_fees),
  ];
  return {
    total_fees: formatDecimal(addDecimals(conversion, network, business)),
    conversion_fees: formatDecimal(conversion),
    network_fees: formatDecimal(network),
    business_fees: formatDecimal(business),
    currency_symbol: currency,
  };
}

/** A conversion fee is negative where the payment gained by a change of prices. */
function converted(text: DecimalString, { from, to }: ExchangeRate): Decimal {
  const isNegative = text.startsWith('-');
  const amount = parseDecimal(isNegative ? text.slice(1) : text);
  const value = divDecimals(mulDecimals(amount, from), to, PRICE_DECIMALS, 'down');
  return isNegative ? subDecimals(ZERO, value) : value;
}

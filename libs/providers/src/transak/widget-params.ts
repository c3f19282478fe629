import type { OnrampCheckoutRequest } from '../port/onramp-provider.js';
import type { LockedTerms } from '../wire/locked-terms.js';
import { countryOf } from './customer-country.js';

interface OperatorParams {
  apiKey: string;
  referrerDomain: string;
  paymentMethod: string;
}

/** Parameters of the page at which a customer pays, named as Transak's query parameters. */
export function widgetParams(
  { depositAddress, fiat, fiatAmount, paymentId, redirectUrl, customer }: OnrampCheckoutRequest,
  { code, network }: LockedTerms,
  operator: OperatorParams,
): Record<string, string | boolean> {
  const country = countryOf(customer);
  return {
    ...operator,
    productsAvailed: 'BUY',
    cryptoCurrencyCode: code,
    network,
    walletAddress: depositAddress,
    disableWalletAddressForm: true,
    fiatCurrency: fiat.toUpperCase(),
    // The total is fixed, not the tokens: for a purchase Transak documents no more.
    fiatAmount,
    partnerOrderId: paymentId,
    ...(customer?.id !== undefined && { partnerCustomerId: customer.id }),
    ...(redirectUrl !== undefined && { redirectURL: redirectUrl }),
    ...(country !== undefined && { countryCode: country }),
  };
}

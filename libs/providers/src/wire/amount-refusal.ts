import { compareDecimals } from '@bascule/amounts';
import type { OnrampLimits, OnrampQuoteRequest } from '../port/onramp-provider.js';
import { ProviderError } from '../port/provider-error.js';

/** Refusal of an amount outside the limits; undefined within them. */
export function amountRefusal(
  provider: string,
  { fiat, fiatAmount }: OnrampQuoteRequest,
  limits: OnrampLimits,
): ProviderError | undefined {
  const isLow = compareDecimals(fiatAmount, limits.min) < 0;
  if (!isLow && compareDecimals(fiatAmount, limits.max) <= 0) return undefined;
  const bound = isLow ? `at least ${limits.min}` : `at most ${limits.max}`;
  return new ProviderError(provider, 'amount', [
    {
      kind: 'amount',
      asset: fiat,
      given: fiatAmount,
      limits,
      source: provider,
      message: `${provider}: The amount must be ${bound} ${fiat}.`,
      reason: isLow ? 'TOO_LOW' : 'TOO_HIGH',
    },
  ]);
}

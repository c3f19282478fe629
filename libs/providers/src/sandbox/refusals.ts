import type { AmountIssueReason, DecimalString } from '@bascule/contracts';
import { JsonObject } from '../wire/json-object.js';
import { ProviderError, providerError } from '../port/provider-error.js';
import { readLimits } from './read-answers.js';

const AMOUNT_REASONS: ReadonlyMap<string, AmountIssueReason> = new Map([
  ['amount_too_low', 'TOO_LOW'],
  ['amount_too_high', 'TOO_HIGH'],
]);
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'unsupported_asset',
  'unsupported_fiat',
  'unsupported_payment_method',
]);

/** Maps a 4xx response (`{error: {code, message, limits?}}`) to an error. */
export function refusal(
  provider: string,
  body: unknown,
  asked: { fiat: string; fiatAmount: DecimalString },
): ProviderError {
  const error = JsonObject.of(body).object('error');
  const code = error.string('code');
  const message = error.string('message');
  const reason = AMOUNT_REASONS.get(code);
  if (reason !== undefined) {
    return new ProviderError(provider, 'amount', [
      {
        kind: 'amount',
        asset: asked.fiat,
        given: asked.fiatAmount,
        limits: readLimits(error.object('limits')),
        source: provider,
        message: `${provider}: ${message}`,
        reason,
      },
    ]);
  }
  return providerError(provider, UNSUPPORTED.has(code) ? 'unsupported' : 'rejected', message);
}

import type { AmountIssueReason, DecimalString, Issue } from '@bascule/contracts';
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
/** Kind of issue of a refusal that has its own; others are about the provider. */
const KINDS: ReadonlyMap<string, 'kyc' | 'geolocation' | 'destination' | 'payin_method'> = new Map([
  ['kyc_required', 'kyc'],
  ['location_refused', 'geolocation'],
  ['destination_refused', 'destination'],
  ['unsupported_payment_method', 'payin_method'],
]);

/** Maps a 4xx response (`{error: {code, message, limits?}}`) to an error. */
export function refusal(
  provider: string,
  body: unknown,
  asked: { fiat: string; fiatAmount: DecimalString },
): ProviderError {
  const error = JsonObject.of(body).object('error');
  const code = error.string('code');
  const message = error.message('message');
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
  const refused = UNSUPPORTED.has(code) ? 'unsupported' : 'rejected';
  const kind = KINDS.get(code);
  if (kind === undefined) return providerError(provider, refused, message);
  const issue: Issue = {
    ...{ kind, message: `${provider}: ${message}` },
    ...(kind === 'kyc' && { provider_id: provider }),
  };
  return new ProviderError(provider, refused, [issue]);
}

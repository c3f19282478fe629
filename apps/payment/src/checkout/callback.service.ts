import { invalidRequest, notFound, unauthenticated } from '@bascule/contracts';
import { ProviderError } from '@bascule/providers';
import type { CallbackHeaders, OnrampCallback, OnrampProvider } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CheckoutWorker } from './checkout.worker.js';
import { ONRAMP_PROVIDERS } from './onramp-providers.config.js';
import type { OnrampProviders } from './onramp-providers.config.js';

/** A callback is a reason to ask the provider now; what it says is never believed. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly worker: CheckoutWorker,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
  ) {}

  async receive(name: string, headers: CallbackHeaders, rawBody: Buffer): Promise<void> {
    const provider = this.providers.get(name);
    if (provider === undefined) throw notFound('There is no such provider.');
    const callback = verified(provider, headers, rawBody);
    if (await this.record(name, callback)) this.worker.wake();
  }

  /** A redelivered callback is recorded already and makes nothing due. */
  private async record(provider: string, callback: OnrampCallback): Promise<boolean> {
    const made: unknown[] = await this.dataSource.query(
      `WITH callback AS (
         INSERT INTO provider_callbacks (provider, callback_id, payment_id) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING payment_id
       )
       UPDATE checkouts SET due_at = now() FROM callback
       WHERE checkouts.payment_id::text = callback.payment_id AND checkouts.provider = $1
         AND checkouts.due_at IS NOT NULL
       RETURNING 1`,
      [provider, callback.callbackId, callback.paymentId],
    );
    return made.length > 0;
  }
}

function verified(
  provider: OnrampProvider,
  headers: CallbackHeaders,
  rawBody: Buffer,
): OnrampCallback {
  try {
    return provider.parseCallback(headers, rawBody);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const refusal =
      error.code === 'bad_signature'
        ? unauthenticated('The signature of the callback is not valid.')
        : invalidRequest({ kind: 'other', message: 'The callback cannot be read.' });
    throw Object.assign(refusal, { cause: error });
  }
}

import { invalidRequest, notFound, unauthenticated } from '@bascule/contracts';
import { ProviderError } from '@bascule/providers';
import type { CallbackHeaders, OnrampCallback, OnrampProvider } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import { CheckoutScheduleRepository } from './checkout-schedule.repository.js';
import { CheckoutWorker } from './checkout.worker.js';
import { ONRAMP_PROVIDERS } from '../config/payment.config.js';
import type { OnrampProviders } from '../config/payment.config.js';

/** Makes an order due for polling; the content of a callback is never trusted. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly schedule: CheckoutScheduleRepository,
    private readonly worker: CheckoutWorker,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
  ) {}

  async receive(name: string, headers: CallbackHeaders, rawBody: Buffer): Promise<void> {
    const provider = this.providers.get(name);
    if (provider === undefined) throw notFound('Provider not found.');
    const callback = verified(provider, headers, rawBody);
    const { callbackId, paymentId } = callback;
    if (await this.schedule.callBack(name, callbackId, paymentId)) this.worker.wake();
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
        : invalidRequest({ kind: 'other', message: 'Malformed callback.' });
    throw Object.assign(refusal, { cause: error });
  }
}

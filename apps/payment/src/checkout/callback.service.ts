import { invalidRequest, notFound, unauthenticated, unavailable } from '@bascule/contracts';
import { ProviderError } from '@bascule/providers';
import type { CallbackHeaders, OnrampCallback, OnrampProvider } from '@bascule/providers';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import type { BulkheadPolicy } from 'cockatiel';
import { validate as isUuid } from 'uuid';
import { Inject, Injectable } from '@nestjs/common';
import { CheckoutScheduleRepository } from './checkout-schedule.repository.js';
import { CheckoutWorker } from './checkout.worker.js';
import { ONRAMP_PROVIDERS } from '../config/payment.config.js';
import type { OnrampProviders } from '../config/payment.config.js';

/** Callbacks of one provider at once and in its queue; those beyond are sent again, or a poll notices the change. */
const BULKHEAD = { atOnce: 2, queued: 100 };
const MAX_ID_LENGTH = 200;

/** Makes an order due for polling; the content of a callback is never trusted. */
@Injectable()
export class CallbackService {
  private readonly bulkheads: ReadonlyMap<string, BulkheadPolicy>;

  constructor(
    private readonly schedule: CheckoutScheduleRepository,
    private readonly worker: CheckoutWorker,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
  ) {
    const { atOnce, queued } = BULKHEAD;
    this.bulkheads = new Map([...providers.keys()].map((name) => [name, bulkhead(atOnce, queued)]));
  }

  async receive(name: string, headers: CallbackHeaders, rawBody: Buffer): Promise<void> {
    const provider = this.providers.get(name);
    const limit = this.bulkheads.get(name);
    if (provider === undefined || limit === undefined) throw notFound('Provider not found.');
    const callback = await verified(provider, headers, rawBody);
    const { callbackId, paymentId } = callback;
    if (callbackId.length > MAX_ID_LENGTH) throw malformed();
    if (paymentId === null || !isUuid(paymentId)) return;
    const call = () => this.schedule.callBack(name, callbackId, paymentId);
    if (await within(limit, call)) this.worker.wake(name);
  }
}

async function verified(
  provider: OnrampProvider,
  headers: CallbackHeaders,
  rawBody: Buffer,
): Promise<OnrampCallback> {
  try {
    return await provider.parseCallback(headers, rawBody);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const refusal =
      error.code === 'bad_signature'
        ? unauthenticated('The signature of the callback is not valid.')
        : malformed();
    throw Object.assign(refusal, { cause: error });
  }
}

const malformed = () => invalidRequest({ kind: 'other', message: 'Malformed callback.' });

async function within(limit: BulkheadPolicy, call: () => Promise<boolean>): Promise<boolean> {
  try {
    return await limit.execute(call);
  } catch (error) {
    if (!(error instanceof BulkheadRejectedError)) throw error;
    throw unavailable('Too many callbacks at once. Try again.');
  }
}

import { invalidRequest, notFound, unavailable } from '@bascule/contracts';
import type { DepositInfo } from '@bascule/contracts';
import { ProviderError } from '@bascule/providers';
import type { OnrampCheckout, OnrampProvider } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import { decimalsOf } from '../life-cycle/payment-record.js';
import { checkoutOpened, checkoutRequested } from '../life-cycle/checkouts.js';
import type { PlannedOnramp } from '../life-cycle/checkouts.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { ONRAMP_PROVIDERS, PAYMENT_CONFIG } from '../config/payment.config.js';
import type { OnrampProviders, PaymentConfig } from '../config/payment.config.js';
import { PausesService } from '../pauses/pauses.service.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { PaymentLinksService } from '../reading/payment-links.service.js';
import { depositInfo, nextInstruction } from '../view/payment-view.js';
import { CheckoutWorker } from './checkout.worker.js';
import { customerId } from './customer-id.js';

export type Funding =
  { kind: 'onramp'; url: string } | { kind: 'token'; deposit: DepositInfo; initiateFundBy: Date };

interface Visit {
  now: Date;
  visitorAddress: string | undefined;
}

/** Returns where the holder of a payment's link pays. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly reader: PaymentReaderRepository,
    private readonly payments: PaymentStoreRepository,
    private readonly worker: CheckoutWorker,
    private readonly links: PaymentLinksService,
    private readonly pauses: PausesService,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** @param visitorAddress IP address from which the link was opened, where it is known */
  async fund(paymentId: string, visitorAddress?: string): Promise<Funding> {
    const found = await this.reader.find(paymentId);
    if (found === null) throw notFound('Payment not found.');
    const { payment, now } = found;
    if (nextInstruction(payment, now) === undefined) {
      throw notFound('The payment can no longer be funded.');
    }
    const { funding } = payment.plan;
    if (funding.kind === 'token') {
      const { initiateFundBy } = payment;
      return { kind: 'token', deposit: depositInfo(payment), initiateFundBy };
    }
    const visit = { now, visitorAddress };
    return { kind: 'onramp', url: await this.checkoutUrl(payment, funding, visit) };
  }

  /** Opens one order per payment: recorded first, and idempotent at the provider. */
  private async checkoutUrl(
    payment: PaymentRecord,
    onramp: PlannedOnramp,
    { now, visitorAddress }: Visit,
  ): Promise<string> {
    const { checkout } = payment;
    if (checkout?.url != null && (checkout.urlExpiresAt ?? now) > now) return checkout.url;
    const provider = this.providers.get(onramp.provider);
    if (provider === undefined) throw unavailable('The provider of the payment is not available.');
    // A checkout that the provider has begun is followed and opened again, whatever is paused since.
    if (checkout?.checkoutId == null) await this.pauses.requireCheckout(payment, onramp);
    await this.payments.changeNow(payment.id, (current) => checkoutRequested(current, onramp));
    const opened = await this.open(provider, payment, { onramp, visitorAddress });
    await this.payments.changeNow(payment.id, (current, time) =>
      checkoutOpened(current, {
        ...opened,
        pollAt: new Date(time.getTime() + this.config.checkoutPollMs),
      }),
    );
    this.worker.wake(onramp.provider);
    return opened.url;
  }

  /** Leads to our own return page, which waits until the payment may go on to the client's URL. */
  private async returnUrl(payment: PaymentRecord): Promise<{ redirectUrl?: string }> {
    if (payment.clientRedirectUrl === null) return {};
    return { redirectUrl: await this.links.returnUrl(payment) };
  }

  private async open(
    provider: OnrampProvider,
    payment: PaymentRecord,
    { onramp, visitorAddress }: { onramp: PlannedOnramp; visitorAddress: string | undefined },
  ): Promise<OnrampCheckout> {
    const { token } = payment.plan.deposit;
    const { customer_ip_address } = payment.quoteRequest;
    const id = customerId(payment, this.config.providers);
    const customer = {
      ...(id === undefined ? {} : { id }),
      destinationAddress: payment.destinationAddress,
      ...(customer_ip_address === undefined ? {} : { ipAddress: customer_ip_address }),
      ...(payment.geolocation === null ? {} : { geolocation: payment.geolocation }),
    };
    try {
      return await provider.createCheckout({
        paymentId: payment.id,
        providerQuoteId: onramp.provider_quote_id,
        fiat: onramp.fiat,
        fiatAmount: onramp.fiat_amount,
        token,
        tokenDecimals: decimalsOf(payment, token),
        method: onramp.method,
        depositAddress: payment.walletAddress,
        ...(await this.returnUrl(payment)),
        customer,
        ...(visitorAddress === undefined ? {} : { visitorAddress }),
      });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.retryable) throw unavailable('The provider is unavailable. Try again.');
      throw invalidRequest(...error.issues);
    }
  }
}

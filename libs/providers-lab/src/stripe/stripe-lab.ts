import { randomBytes } from 'node:crypto';
import { ALL_BPS, tokenText } from '../server/amounts.js';
import { Callbacks } from '../server/callbacks.js';
import type { LabAnswer, LabRequest, Route } from '../server/lab-server.js';
import type { OrderFault } from '../server/order-fault.js';
import { startParty, type PartyLab, type PartyOptions } from '../server/party.js';
import { timestampedSignature, unixSeconds } from '../server/signatures.js';
import { hasSecretKey } from './access.js';
import { refused } from './errors.js';
import { sessionPage } from './page.js';
import { priceOf } from './pricing.js';
import { PER_USD, quotes } from './quotes.js';
import { openSession, publicSession, type Session, type StripeToken } from './sessions.js';

const QUOTE_PATHS = ['/v1/crypto/onramp/quotes', '/v1/crypto/onramp_quotes'] as const;

export interface StripeLabOptions extends PartyOptions {
  secretKey: string;
  webhookSecret: string;
  tokens: readonly StripeToken[];
  /** Path of quotes that exists; Stripe's documentation has both. */
  quotePath?: (typeof QUOTE_PATHS)[number];
  /** Name of Base in maps by network; `base_network` by default. */
  baseKey?: string;
  /** Share of the source amount that is the transaction fee. */
  feeShare?: number;
}

export interface StripeLab extends PartyLab {
  /** Refused addresses of customers, and the code without `crypto_onramp_`. */
  refusedIps: Map<string, string>;
  /** Path of each request for quotes so far. */
  quoteRequests: string[];
}

const FEE_SHARE = 0.04;
const FORM = 'application/x-www-form-urlencoded';
const UNPAID: ReadonlySet<string> = new Set(['initialized', 'requires_payment']);

/** Plays Stripe's crypto onramp API, its hosted page and its webhooks. */
export async function startStripe(options: StripeLabOptions): Promise<StripeLab> {
  const provider = new Stripe(options);
  const { refusedIps, quoteRequests } = provider;
  return Object.assign(await startParty(provider, options), { refusedIps, quoteRequests });
}

class Stripe {
  readonly faults = new Map<string, OrderFault>();
  readonly refusedIps = new Map<string, string>();
  readonly quoteRequests: string[] = [];
  private readonly sessions: Session[] = [];
  private readonly requests = new Map<string, { form: string; answer: LabAnswer }>();
  private readonly callbacks = new Callbacks();

  constructor(private readonly options: StripeLabOptions) {}

  readonly routes: readonly Route[] = [
    ...QUOTE_PATHS.map((path) => this.api('GET', path, (request) => this.quotes(path, request))),
    this.api('POST', '/v1/crypto/onramp_sessions', (request) => this.create(request)),
    this.api('GET', '/v1/crypto/onramp_sessions/:id', ({ params }) => this.retrieve(params['id'])),
    this.page('GET', '/', (session) => ({ html: sessionPage(session) })),
    this.page('POST', '/begin', (session) => this.receipt(this.begin(session))),
    this.page('POST', '/pay', (session) => this.receipt(this.pay(session))),
    this.page('POST', '/reject', (session) => this.receipt(this.reject(session))),
  ];

  stop(): void {
    this.callbacks.stop();
  }

  private api(
    method: Route['method'],
    path: string,
    handle: (request: LabRequest) => LabAnswer,
  ): Route {
    return {
      method,
      path,
      hasFaults: true,
      handle: (request) =>
        hasSecretKey(request, this.options.secretKey)
          ? handle(request)
          : refused('Invalid API Key provided', { status: 401 }),
    };
  }

  private page(
    method: Route['method'],
    path: string,
    handle: (session: Session) => LabAnswer,
  ): Route {
    return {
      method,
      path,
      hasFaults: false,
      handle: ({ url }) => {
        const hash = url.searchParams.get('session_hash');
        const session = this.sessions.find((each) => each.hash === hash);
        return session
          ? handle(session)
          : { status: 404, html: '<h1>This session does not exist.</h1>' };
      },
    };
  }

  private quotes(path: string, { url }: LabRequest): LabAnswer {
    const { tokens, quotePath = QUOTE_PATHS[0] } = this.options;
    this.quoteRequests.push(path);
    if (path !== quotePath) {
      return refused(`Unrecognized request URL (GET: ${path}).`, { status: 404 });
    }
    return quotes(url.searchParams, { tokens, baseKey: this.baseKey, feeShare: this.feeShare });
  }

  /** Repeats the answer to a request with the same idempotency key and parameters. */
  private create({ headers, body }: LabRequest): LabAnswer {
    if (headers['content-type'] !== FORM) return refused(`Send the parameters as ${FORM}.`);
    const form = body.toString('utf8');
    const key = [headers['idempotency-key']].flat()[0];
    const previous = key === undefined ? undefined : this.requests.get(key);
    if (previous) {
      return previous.form === form
        ? previous.answer
        : refused('Keys can only be used with the parameters that they were first used with.', {
            type: 'idempotency_error',
          });
    }
    const answer = this.open(new URLSearchParams(form), headers.host ?? '');
    if (key !== undefined) this.requests.set(key, { form, answer });
    return answer;
  }

  private open(form: URLSearchParams, host: string): LabAnswer {
    const code = this.refusedIps.get(form.get('customer_ip_address') ?? '');
    if (code !== undefined) return refused('The customer is not supported.', { code });
    const opened = openSession(form, {
      tokens: this.options.tokens,
      baseKey: this.baseKey,
      host,
    });
    if ('refusal' in opened) return opened.refusal;
    this.sessions.push(opened.session);
    // As it is now: a repeated request has the same answer.
    return { json: structuredClone(publicSession(opened.session)) };
  }

  private retrieve(id: string | undefined): LabAnswer {
    const session = this.sessions.find((each) => each.id === id);
    return session
      ? { json: publicSession(session) }
      : refused(`No such crypto onramp session: ${id}`, { status: 404 });
  }

  private begin(session: Session): Session {
    const { transaction_details: details, status } = session;
    const token = this.tokenOf(session);
    if (status !== 'initialized' || !token) return session;
    const perUsd = PER_USD[details.source_currency] ?? 1;
    const amount = Number(details.destination_amount) * token.usdPrice * perUsd;
    const price = priceOf(amount, this.feeShare);
    this.update(session, 'requires_payment', {
      source_amount: price.sourceAmount.toFixed(2),
      fees: {
        network_fee_amount: price.networkFee.toFixed(2),
        transaction_fee_amount: price.transactionFee.toFixed(2),
      },
      wallet_address: Object.values(details.wallet_addresses).find((address) => address) ?? null,
    });
    return session;
  }

  private reject(session: Session): Session {
    if (UNPAID.has(session.status)) this.update(session, 'rejected');
    return session;
  }

  private pay(session: Session): Session {
    this.begin(session);
    if (session.status !== 'requires_payment') return session;
    this.update(session, 'fulfillment_processing');
    const { endsAs } = this.faultOf(session);
    if (endsAs !== undefined) this.update(session, endsAs);
    else void this.deliver(session).catch(() => undefined);
    return session;
  }

  private async deliver(session: Session): Promise<void> {
    const { transaction_details: details } = session;
    const token = this.tokenOf(session);
    if (!token) return;
    const { deliverBps = ALL_BPS, toldAmount = details.destination_amount } = this.faultOf(session);
    const amount = (Number(details.destination_amount) * deliverBps) / ALL_BPS;
    const hash = await this.options.deliver({
      contract: token.contract,
      decimals: token.decimals,
      to: details.wallet_address ?? '',
      amount: tokenText(amount, token.decimals),
    });
    this.update(session, 'fulfillment_complete', {
      transaction_id: hash,
      destination_amount: String(toldAmount),
    });
  }

  private update(
    session: Session,
    status: string,
    details: Partial<Session['transaction_details']> = {},
  ): void {
    session.status = status;
    Object.assign(session.transaction_details, details);
    this.notify(session);
  }

  private notify(session: Session): void {
    const { callbackUrl, webhookSecret } = this.options;
    const body = JSON.stringify({
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type: 'crypto.onramp_session.updated',
      created: unixSeconds(new Date()),
      livemode: false,
      data: { object: publicSession(session) },
    });
    this.callbacks.send(
      {
        url: callbackUrl,
        body,
        sign: (key) => ({ 'Stripe-Signature': timestampedSignature('v1', body, key) }),
        key: webhookSecret,
        isFirst: session.status === 'requires_payment',
      },
      this.faultOf(session).callbacks,
    );
  }

  private receipt({ hash }: Session): LabAnswer {
    return { redirect: `/?session_hash=${hash}` };
  }

  private faultOf({ metadata }: Session): OrderFault {
    return this.faults.get(metadata['payment_id'] ?? '') ?? {};
  }

  private tokenOf({ transaction_details: details }: Session): StripeToken | undefined {
    return this.options.tokens.find(
      ({ currency, network }) =>
        currency === details.destination_currency && network === details.destination_network,
    );
  }

  private get baseKey(): string {
    return this.options.baseKey ?? 'base_network';
  }

  private get feeShare(): number {
    return this.options.feeShare ?? FEE_SHARE;
  }
}

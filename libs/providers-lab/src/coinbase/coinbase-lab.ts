import { randomUUID, type KeyObject } from 'node:crypto';
import { ALL_BPS, tokenText } from '../server/amounts.js';
import { Callbacks } from '../server/callbacks.js';
import type { LabAnswer, LabRequest, Route } from '../server/lab-server.js';
import type { OrderFault } from '../server/order-fault.js';
import { startParty, type PartyLab, type PartyOptions } from '../server/party.js';
import {
  configAnswer,
  FIATS,
  isSoldIn,
  optionsAnswer,
  placeOf,
  V1_METHODS,
  type CoinbaseToken,
} from './lists.js';
import { sessionPage } from './page.js';
import { priceOfTokens, priceOfTotal, type Purchase } from './pricing.js';
import { isAuthorised } from './request-tokens.js';
import { webhookSignature } from './signatures.js';
import { camelCased } from './spelling.js';

export interface CoinbaseLabOptions extends PartyOptions {
  /** Public keys by the id of the API key: Ed25519 or P-256. */
  publicKeys: ReadonlyMap<string, KeyObject>;
  /** Secret of the webhook subscription. */
  webhookSecret: string;
  tokens: readonly CoinbaseToken[];
  /** Spelling of field names in the v1 API. */
  spelling?: 'snake' | 'camel';
  /** Signatures of webhooks; both by default. */
  signatures?: 'v0 and v1' | 'v1';
}

interface Terms {
  token: CoinbaseToken;
  fiat: string;
  /** Name of the v1 API. */
  method: string;
  country: string;
  purchase: Purchase;
}

interface Session extends Terms {
  createdAt: number;
  isOpened: boolean;
  wallet: string;
  partnerUserRef: string;
  redirectUrl: string | null;
}

interface Transaction {
  session: Session;
  id: string;
  status: string;
  createdAt: string;
  updatedAt: string;
  /** Whole tokens that are told. */
  bought: string;
  txHash: string;
  failureReason: string;
}

type Fields = Readonly<Record<string, unknown>>;

const SESSION_MS = 5 * 60_000;
const MAX_REF_LENGTH = 49;
const STATUS = 'ONRAMP_TRANSACTION_STATUS_';
const AMOUNT = /^[0-9]+(\.[0-9]+)?$/;

const v1Error = (status: number, message: string): LabAnswer => ({
  status,
  json: { code: 3, message, details: [] },
});

const v2Error = (status: number, errorMessage: string): LabAnswer => ({
  status,
  json: { errorType: 'invalid_request', errorMessage, correlationId: randomUUID() },
});

const fiatText = (amount: number): string => amount.toFixed(2);

const jsonOf = ({ body }: LabRequest): Fields => JSON.parse(body.toString('utf8')) as Fields;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Plays the APIs of Coinbase Onramp (v1 and v2), its page and its webhooks. */
export const startCoinbase = (options: CoinbaseLabOptions): Promise<PartyLab> =>
  startParty(new Coinbase(options), options);

class Coinbase {
  readonly faults = new Map<string, OrderFault>();
  private readonly sessions = new Map<string, Session>();
  /** Newest first, as the API lists them. */
  private readonly transactions: Transaction[] = [];
  private readonly callbacks = new Callbacks();

  constructor(private readonly options: CoinbaseLabOptions) {}

  readonly routes: readonly Route[] = [
    this.api('GET', '/onramp/v1/buy/config', () => ({ json: configAnswer() })),
    this.api('GET', '/onramp/v1/buy/options', (request) => this.buyOptions(request)),
    this.api('POST', '/onramp/v1/buy/quote', (request) => this.quote(request)),
    this.api('GET', '/onramp/v1/buy/user/:ref/transactions', (request) => this.list(request)),
    this.api('POST', '/platform/v2/onramp/sessions', (request) => this.createSession(request)),
    this.page('GET', '/buy/select-asset', (session, token) => this.open(session, token)),
    this.page('POST', '/begin', (session) => this.receipt(session, this.current(session))),
    this.page('POST', '/pay', (session) => this.receipt(session, this.pay(session))),
    this.page('POST', '/decline', (session) => this.receipt(session, this.decline(session))),
    {
      method: 'GET',
      path: '/receipt',
      hasFaults: false,
      handle: () => ({ html: '<h1>Thank you</h1>' }),
    },
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
      handle: (request) => {
        const isKnown = isAuthorised({
          authorization: request.headers.authorization,
          method,
          path: request.url.pathname,
          publicKeys: this.options.publicKeys,
          now: new Date(),
        });
        if (!isKnown) return v1Error(401, 'Unauthorized');
        const answer = handle(request);
        const isCamel = this.options.spelling === 'camel' && path.startsWith('/onramp/v1/');
        return isCamel ? { ...answer, json: camelCased(answer.json) } : answer;
      },
    };
  }

  private page(
    method: Route['method'],
    path: string,
    handle: (session: Session, sessionToken: string) => LabAnswer,
  ): Route {
    return {
      method,
      path,
      hasFaults: false,
      handle: ({ url }) => {
        const sessionToken = url.searchParams.get('sessionToken') ?? '';
        const session = this.sessions.get(sessionToken);
        // The URL opens the page once; the page's buttons may be used again.
        const isUsable = session && (method === 'POST' || !session.isOpened);
        return isUsable && Date.now() < session.createdAt + SESSION_MS
          ? handle(session, sessionToken)
          : { status: 410, html: '<h1>This link is not valid any more.</h1>' };
      },
    };
  }

  private buyOptions({ url }: LabRequest): LabAnswer {
    const query = url.searchParams;
    const place = placeOf(query.get('country'), query.get('subdivision'));
    if (place === undefined) return v1Error(400, 'country or subdivision is not supported');
    return { json: optionsAnswer(this.options.tokens, place) };
  }

  private quote(request: LabRequest): LabAnswer {
    const asked = jsonOf(request);
    const total = textOf(asked['payment_amount']);
    if (!/^[0-9]+\.[0-9]{2}$/.test(total)) return v1Error(400, 'payment_amount is invalid');
    const terms = this.termsOf({
      place: placeOf(textOf(asked['country']), textOf(asked['subdivision'])),
      symbol: asked['purchase_currency'],
      network: asked['purchase_network'],
      fiat: asked['payment_currency'],
      method: asked['payment_method'],
      price: (perToken) => priceOfTotal(Number(total), perToken),
    });
    if (typeof terms === 'string') return v1Error(400, terms);
    const { token, fiat, purchase } = terms;
    return {
      json: {
        payment_total: { value: fiatText(purchase.total), currency: fiat },
        payment_subtotal: { value: fiatText(purchase.subtotal), currency: fiat },
        purchase_amount: {
          value: tokenText(purchase.bought, token.decimals),
          currency: token.symbol,
        },
        coinbase_fee: { value: fiatText(purchase.fee), currency: fiat },
        network_fee: { value: fiatText(purchase.networkFee), currency: fiat },
        quote_id: randomUUID(),
      },
    };
  }

  /** Checks what is bought; a text is the reason of a refusal. */
  private termsOf(asked: {
    place: string | undefined;
    symbol: unknown;
    network: unknown;
    fiat: unknown;
    method: unknown;
    price: (perToken: number) => Purchase;
  }): Terms | string {
    const fiat = textOf(asked.fiat);
    const method = textOf(asked.method);
    const currency = FIATS[fiat];
    const limits = currency?.limits[method];
    const token = this.options.tokens.find(
      ({ symbol, network }) => symbol === asked.symbol && network === asked.network,
    );
    if (asked.place === undefined) return 'country or subdivision is not supported';
    if (!token || !isSoldIn(token, asked.place)) return 'asset is not supported';
    if (!currency || !limits) return 'payment method is not supported';
    const purchase = asked.price(token.usdPrice * currency.perUsd);
    if (!(purchase.total >= limits.min && purchase.total <= limits.max)) {
      return 'payment amount is outside the limits';
    }
    return { token, fiat, method, country: asked.place.slice(0, 2), purchase };
  }

  private createSession(request: LabRequest): LabAnswer {
    const asked = jsonOf(request);
    const wallet = textOf(asked['destinationAddress']);
    const bought = textOf(asked['purchaseAmount']);
    const paid = textOf(asked['paymentAmount']);
    const partnerUserRef = textOf(asked['partnerUserRef']);
    if (!wallet || partnerUserRef.length > MAX_REF_LENGTH) return v2Error(400, 'invalid request');
    if (!AMOUNT.test(bought || paid) || (bought !== '' && paid !== '')) {
      return v2Error(400, 'expected either paymentAmount or purchaseAmount');
    }
    const hasPlace = asked['country'] !== undefined;
    const terms = this.termsOf({
      place: hasPlace ? placeOf(textOf(asked['country']), textOf(asked['subdivision'])) : 'GB',
      symbol: asked['purchaseCurrency'],
      network: asked['destinationNetwork'],
      fiat: asked['paymentCurrency'],
      method: V1_METHODS[textOf(asked['paymentMethod'])],
      price: (perToken) =>
        bought === ''
          ? priceOfTotal(Number(paid), perToken)
          : priceOfTokens(Number(bought), perToken),
    });
    if (typeof terms === 'string') return v2Error(400, terms);
    const sessionToken = randomUUID();
    this.sessions.set(sessionToken, {
      ...terms,
      createdAt: Date.now(),
      isOpened: false,
      wallet,
      partnerUserRef,
      redirectUrl: textOf(asked['redirectUrl']) || null,
    });
    const origin = `http://${request.headers.host ?? ''}`;
    const onrampUrl = `${origin}/buy/select-asset?sessionToken=${sessionToken}`;
    const { token, fiat, purchase } = terms;
    const quote = {
      paymentTotal: fiatText(purchase.total),
      paymentSubtotal: fiatText(purchase.subtotal),
      paymentCurrency: fiat,
      purchaseAmount: tokenText(purchase.bought, token.decimals),
      purchaseCurrency: token.symbol,
      destinationNetwork: token.network,
      fees: [
        { type: 'FEE_TYPE_EXCHANGE', amount: fiatText(purchase.fee), currency: fiat },
        { type: 'FEE_TYPE_NETWORK', amount: fiatText(purchase.networkFee), currency: fiat },
      ],
      exchangeRate: String(token.usdPrice),
    };
    // Coinbase quotes only for a known place.
    return { status: 201, json: { session: { onrampUrl }, ...(hasPlace && { quote }) } };
  }

  private list({ params, url }: LabRequest): LabAnswer {
    const query = url.searchParams;
    const size = Number(query.get('page_size') ?? query.get('pageSize') ?? 1);
    const from = Number(query.get('page_key') ?? query.get('pageKey') ?? 0);
    const all = this.transactions.filter(({ session }) => session.partnerUserRef === params['ref']);
    return {
      json: {
        transactions: all.slice(from, from + size).map((each) => this.item(each)),
        next_page_key: from + size < all.length ? String(from + size) : '',
        total_count: String(all.length),
      },
    };
  }

  private item(transaction: Transaction) {
    const { session, bought } = transaction;
    const { token, fiat, purchase } = session;
    const inFiat = (amount: number) => ({ value: fiatText(amount), currency: fiat });
    return {
      status: transaction.status,
      purchase_currency: token.symbol,
      purchase_network: token.network,
      purchase_amount: { value: bought, currency: token.symbol },
      payment_total: inFiat(purchase.total),
      payment_subtotal: inFiat(purchase.subtotal),
      coinbase_fee: inFiat(purchase.fee),
      network_fee: inFiat(purchase.networkFee),
      exchange_rate: { value: String(token.usdPrice), currency: fiat },
      tx_hash: transaction.txHash,
      created_at: transaction.createdAt,
      country: session.country,
      user_id: 'user-of-the-lab',
      payment_method: session.method,
      wallet_address: session.wallet,
      transaction_id: transaction.id,
      failure_reason: transaction.failureReason,
    };
  }

  private open(session: Session, sessionToken: string): LabAnswer {
    session.isOpened = true;
    const { token, purchase, wallet, fiat } = session;
    return {
      html: sessionPage(sessionToken, {
        buys: `${tokenText(purchase.bought, token.decimals)} ${token.symbol} on ${token.network}`,
        pays: `${fiatText(purchase.total)} ${fiat}`,
        receives: wallet,
      }),
    };
  }

  /** Transaction that waits for the customer, or a new one. */
  private current(session: Session): Transaction {
    const open = this.transactions.find(
      (each) => each.session === session && each.status === `${STATUS}AWAITING_PAYMENT`,
    );
    if (open) return open;
    const now = new Date().toISOString();
    const { toldAmount } = this.faultOf(session);
    const transaction: Transaction = {
      session,
      id: randomUUID(),
      status: `${STATUS}AWAITING_PAYMENT`,
      createdAt: now,
      updatedAt: now,
      bought:
        toldAmount === undefined
          ? tokenText(session.purchase.bought, session.token.decimals)
          : String(toldAmount),
      txHash: '',
      failureReason: '',
    };
    this.transactions.unshift(transaction);
    this.notify(transaction, 'created');
    return transaction;
  }

  private decline(session: Session): Transaction {
    const transaction = this.current(session);
    this.update(transaction, {
      status: `${STATUS}FAILED`,
      failureReason: 'FAILURE_REASON_BUY_FAILED',
    });
    return transaction;
  }

  private pay(session: Session): Transaction {
    const transaction = this.current(session);
    this.update(transaction, { status: `${STATUS}IN_PROGRESS` });
    const { endsAs } = this.faultOf(session);
    if (endsAs === undefined) void this.deliver(transaction).catch(() => undefined);
    else this.update(transaction, { status: endsAs });
    return transaction;
  }

  private async deliver(transaction: Transaction): Promise<void> {
    const { session } = transaction;
    const { token, wallet, purchase } = session;
    const { deliverBps = ALL_BPS } = this.faultOf(session);
    const txHash = await this.options.deliver({
      contract: token.contract,
      decimals: token.decimals,
      to: wallet,
      amount: tokenText((purchase.bought * deliverBps) / ALL_BPS, token.decimals),
    });
    this.update(transaction, { status: `${STATUS}SUCCESS`, txHash });
  }

  private update(transaction: Transaction, change: Partial<Transaction>): void {
    Object.assign(transaction, change, { updatedAt: new Date().toISOString() });
    const events = new Map([
      [`${STATUS}SUCCESS`, 'success'],
      [`${STATUS}FAILED`, 'failed'],
    ]);
    this.notify(transaction, events.get(transaction.status) ?? 'updated');
  }

  private notify(transaction: Transaction, event: string): void {
    const { session } = transaction;
    const { callbackUrl, webhookSecret, signatures = 'v0 and v1' } = this.options;
    const { user_id: _, ...told } = this.item(transaction);
    const body = JSON.stringify(
      camelCased({
        event_type: `onramp.transaction.${event}`,
        ...told,
        partner_user_ref: session.partnerUserRef,
        contract_address: session.token.contract ?? '',
        updated_at: transaction.updatedAt,
      }),
    );
    const headers = { 'content-type': 'application/json', 'x-event-id': randomUUID() };
    const signed = { body, headers, schemes: signatures, now: new Date() };
    this.callbacks.send(
      {
        url: callbackUrl,
        body,
        sign: (secret) => ({
          ...headers,
          'X-Hook0-Signature': webhookSignature({ ...signed, secret }),
        }),
        key: webhookSecret,
        isFirst: event === 'created',
      },
      this.faultOf(session).callbacks,
    );
  }

  private receipt({ redirectUrl }: Session, { id }: Transaction): LabAnswer {
    return { redirect: redirectUrl ?? `/receipt?transactionId=${id}` };
  }

  private faultOf({ partnerUserRef }: Session): OrderFault {
    return this.faults.get(partnerUserRef.replace(/^sandbox-/, '')) ?? {};
  }
}

import { randomUUID } from 'node:crypto';
import { ALL_BPS, tokenText } from '../server/amounts.js';
import { Callbacks } from '../server/callbacks.js';
import type { LabAnswer, LabRequest, Route } from '../server/lab-server.js';
import type { OrderFault } from '../server/order-fault.js';
import { startParty, type PartyLab, type PartyOptions } from '../server/party.js';
import { timestampedSignature } from '../server/signatures.js';
import { COUNTRIES, currencyItem, fiatItem, FIATS, METHODS, type SoldToken } from './lists.js';
import { widgetPage } from './page.js';
import { priceOfBase, priceOfTokens, priceOfTotal, type Purchase } from './pricing.js';
import { isSignedQuery } from './signatures.js';

export interface MoonPayLabOptions extends PartyOptions {
  publishableKey: string;
  secretKey: string;
  webhookKey: string;
  tokens: readonly SoldToken[];
}

interface Transaction extends Purchase {
  id: string;
  createdAt: string;
  updatedAt: string;
  status: string;
  areFeesIncluded: boolean;
  walletAddress: string;
  walletAddressTag: null;
  cryptoTransactionId: string | null;
  failureReason: string | null;
  externalTransactionId: string | null;
  externalCustomerId: string | null;
  paymentMethod: string;
  country: string;
  stages: object[];
  currency: object & { code: string };
  baseCurrency: object & { code: string };
}

const error = (status: number, message: string, type: string): LabAnswer => ({
  status,
  json: { moonPayErrorCode: '4_SYS_BAD_REQUEST', message, type, errors: [] },
});

/** Plays MoonPay's widget API, its page and its webhooks. */
export const startMoonPay = (options: MoonPayLabOptions): Promise<PartyLab> =>
  startParty(new MoonPay(options), options);

class MoonPay {
  readonly faults = new Map<string, OrderFault>();
  private readonly transactions: Transaction[] = [];
  private readonly callbacks = new Callbacks();

  constructor(private readonly options: MoonPayLabOptions) {}

  readonly routes: readonly Route[] = [
    this.api('/v3/currencies', () => ({ json: this.currencies() })),
    {
      method: 'GET',
      path: '/v3/countries',
      hasFaults: true,
      handle: () => ({ json: COUNTRIES }),
    },
    this.api('/v3/currencies/:code/limits', (request) => this.limits(request)),
    this.api('/v3/currencies/:code/buy_quote', (request) => this.quote(request)),
    this.api('/v1/transactions/ext/:id', ({ params }) =>
      this.found(this.transactions.filter((each) => each.externalTransactionId === params['id'])),
    ),
    this.page('GET', '/', (query) => ({ html: widgetPage(query) })),
    this.page('POST', '/begin', (query) => this.receipt(this.begin(query))),
    this.page('POST', '/pay', (query) => this.receipt(this.pay(query))),
    this.page('POST', '/decline', (query) => this.receipt(this.decline(query))),
    {
      method: 'GET',
      path: '/transaction_receipt',
      hasFaults: false,
      handle: () => ({ html: '<h1>Thank you</h1>' }),
    },
  ];

  stop(): void {
    this.callbacks.stop();
  }

  private api(path: string, handle: (request: LabRequest) => LabAnswer): Route {
    return {
      method: 'GET',
      path,
      hasFaults: true,
      handle: (request) =>
        request.url.searchParams.get('apiKey') === this.options.publishableKey
          ? handle(request)
          : error(401, 'Invalid API key', 'UnauthorizedError'),
    };
  }

  /** Pages for the customer: without a valid signature the widget does not load. */
  private page(
    method: Route['method'],
    path: string,
    handle: (query: URLSearchParams) => LabAnswer,
  ): Route {
    return {
      method,
      path,
      hasFaults: false,
      handle: ({ url }) =>
        isSignedQuery(url.search, this.options.secretKey) && this.tokenOf(url.searchParams)
          ? handle(url.searchParams)
          : { status: 400, html: '<h1>This link is not valid.</h1>' },
    };
  }

  private currencies(): object[] {
    return [
      ...Object.entries(FIATS).map(([code, limits]) => fiatItem(code, limits)),
      ...this.options.tokens.map(currencyItem),
    ];
  }

  private limits({ url, params }: LabRequest): LabAnswer {
    const token = this.tokenNamed(params['code']);
    const fiat = url.searchParams.get('baseCurrencyCode') ?? '';
    const limits = FIATS[fiat];
    if (!token || !limits) return error(404, 'Currency not found', 'NotFoundError');
    const priceIn = token.usdPrice * limits.perUsd;
    return {
      json: {
        paymentMethod: url.searchParams.get('paymentMethod'),
        areFeesIncluded: url.searchParams.get('areFeesIncluded') === 'true',
        quoteCurrency: {
          code: token.code,
          minBuyAmount: limits.min / priceIn,
          maxBuyAmount: limits.max / priceIn,
        },
        baseCurrency: { code: fiat, minBuyAmount: limits.min, maxBuyAmount: limits.max },
      },
    };
  }

  private quote({ url, params }: LabRequest): LabAnswer {
    const query = url.searchParams;
    const token = this.tokenNamed(params['code']);
    const fiat = query.get('baseCurrencyCode') ?? '';
    const limits = FIATS[fiat];
    const method = query.get('paymentMethod') ?? '';
    if (!token || token.isSuspended || !limits) {
      return error(404, 'Currency not found', 'NotFoundError');
    }
    if (!METHODS.has(method)) return error(400, 'Invalid payment method', 'BadRequestError');
    const price = query.get('areFeesIncluded') === 'true' ? priceOfTotal : priceOfBase;
    // MoonPay answers for the least amount instead of refusing a lower one.
    const total = Math.max(Number(query.get('baseCurrencyAmount')), limits.min);
    if (!(total <= limits.max)) {
      return error(400, `Amount must be at most ${limits.max}`, 'BadRequestError');
    }
    return {
      json: {
        accountId: 'account-of-the-lab',
        baseCurrencyCode: fiat,
        quoteCurrencyCode: token.code,
        quoteCurrencyPrice: token.usdPrice * limits.perUsd,
        paymentMethod: method,
        extraFeePercentage: 0,
        networkFeeAmountNonRefundable: false,
        ...price(total, token.usdPrice * limits.perUsd, token.decimals),
        baseCurrency: fiatItem(fiat, limits),
        quoteCurrency: currencyItem(token),
        expiresIn: 30,
      },
    };
  }

  private found(transactions: readonly Transaction[]): LabAnswer {
    return transactions.length === 0
      ? error(404, 'Transaction not found', 'NotFoundError')
      : { json: transactions };
  }

  private begin(query: URLSearchParams): Transaction {
    const token = this.tokenOf(query);
    const fiat = query.get('baseCurrencyCode') ?? '';
    if (!token) throw new Error('the query was checked');
    const now = new Date().toISOString();
    const purchase = priceOfTokens(
      Number(query.get('quoteCurrencyAmount')),
      token.usdPrice * (FIATS[fiat]?.perUsd ?? 1),
    );
    const transaction: Transaction = {
      id: randomUUID(),
      createdAt: now,
      updatedAt: now,
      ...purchase,
      status: 'waitingPayment',
      areFeesIncluded: true,
      walletAddress: query.get('walletAddress') ?? '',
      walletAddressTag: null,
      cryptoTransactionId: null,
      failureReason: null,
      externalTransactionId: query.get('externalTransactionId'),
      externalCustomerId: query.get('externalCustomerId'),
      paymentMethod: query.get('paymentMethod') ?? '',
      country: 'USA',
      stages: [],
      currency: currencyItem(token),
      baseCurrency: { code: fiat },
    };
    const { toldAmount } = this.faultOf(transaction);
    if (toldAmount !== undefined) transaction.quoteCurrencyAmount = toldAmount;
    this.transactions.push(transaction);
    this.notify(transaction, 'transaction_created');
    return transaction;
  }

  private decline(query: URLSearchParams): Transaction {
    const transaction = this.begin(query);
    this.update(transaction, { status: 'pending' });
    this.update(transaction, { status: 'failed', failureReason: 'The card was declined.' });
    return transaction;
  }

  private pay(query: URLSearchParams): Transaction {
    const transaction = this.begin(query);
    this.update(transaction, { status: 'pending' });
    const { endsAs, deliverBps = ALL_BPS } = this.faultOf(transaction);
    if (endsAs !== undefined) this.update(transaction, { status: endsAs });
    else void this.deliver(transaction, query, deliverBps).catch(() => undefined);
    return transaction;
  }

  private async deliver(
    transaction: Transaction,
    query: URLSearchParams,
    deliverBps: number,
  ): Promise<void> {
    const token = this.tokenOf(query);
    if (!token) return;
    const bought = Number(query.get('quoteCurrencyAmount'));
    const hash = await this.options.deliver({
      contract: token.contract,
      decimals: token.decimals,
      to: transaction.walletAddress,
      amount: tokenText((bought * deliverBps) / ALL_BPS, token.decimals),
    });
    this.update(transaction, { status: 'completed', cryptoTransactionId: hash });
  }

  private update(transaction: Transaction, change: Partial<Transaction>): void {
    Object.assign(transaction, change, { updatedAt: new Date().toISOString() });
    const failed = change.status === 'failed';
    this.notify(transaction, failed ? 'transaction_failed' : 'transaction_updated');
  }

  private notify(transaction: Transaction, type: string): void {
    const { callbackUrl, webhookKey } = this.options;
    const { externalCustomerId } = transaction;
    const body = JSON.stringify({ type, data: transaction, externalCustomerId });
    this.callbacks.send(
      {
        url: callbackUrl,
        body,
        sign: (key) => ({ 'Moonpay-Signature-V2': timestampedSignature('s', body, key) }),
        key: webhookKey,
        isFirst: type === 'transaction_created',
      },
      this.faultOf(transaction).callbacks,
    );
  }

  private receipt({ id, status }: Transaction): LabAnswer {
    return { redirect: `/transaction_receipt?transactionId=${id}&transactionStatus=${status}` };
  }

  private faultOf({ externalTransactionId }: Transaction): OrderFault {
    return this.faults.get(externalTransactionId ?? '') ?? {};
  }

  private readonly tokenNamed = (code: string | null | undefined): SoldToken | undefined =>
    this.options.tokens.find((token) => token.code === code);

  private tokenOf(query: URLSearchParams): SoldToken | undefined {
    return this.tokenNamed(query.get('currencyCode'));
  }
}

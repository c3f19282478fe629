import { randomUUID } from 'node:crypto';
import { ALL_BPS, tokenText } from '../server/amounts.js';
import { Callbacks } from '../server/callbacks.js';
import type { LabAnswer, LabRequest, Route } from '../server/lab-server.js';
import type { OrderFault } from '../server/order-fault.js';
import { startParty, type PartyLab, type PartyOptions } from '../server/party.js';
import { AccessTokens } from './access-tokens.js';
import { signedJwt } from './jwt.js';
import { fiatItems, tokenItem, type TransakToken } from './lists.js';
import { sessionPage } from './page.js';
import { purchaseOf, quoteOf } from './pricing.js';
import { refused } from './refused.js';
import { readSession, type Session } from './sessions.js';

export interface TransakLabOptions extends PartyOptions {
  apiKey: string;
  apiSecret: string;
  tokens: readonly TransakToken[];
}

export interface TransakLab extends PartyLab {
  accessTokens: AccessTokens;
  /** Addresses of customers, by payment id. */
  userIps: ReadonlyMap<string, string>;
}

interface Order {
  session: Session;
  id: string;
  status: string;
  createdAt: string;
  cryptoAmount: number;
  transactionHash: string | null;
  statusReason: string | null;
}

const SESSION_MS = 5 * 60_000;

/** Event of each state; a state without one is of no webhook. */
const EVENTS: Readonly<Record<string, string>> = {
  AWAITING_PAYMENT_FROM_USER: 'ORDER_CREATED',
  PAYMENT_DONE_MARKED_BY_USER: 'ORDER_PAYMENT_VERIFYING',
  PROCESSING: 'ORDER_PROCESSING',
  COMPLETED: 'ORDER_COMPLETED',
  FAILED: 'ORDER_FAILED',
  REFUNDED: 'ORDER_REFUNDED',
};

/** Plays Transak's API, its page and its webhooks. */
export async function startTransak(options: TransakLabOptions): Promise<TransakLab> {
  const transak = new Transak(options);
  const { accessTokens, userIps } = transak;
  return Object.assign(await startParty(transak, options), { accessTokens, userIps });
}

class Transak {
  readonly faults = new Map<string, OrderFault>();
  readonly userIps = new Map<string, string>();
  readonly accessTokens: AccessTokens;
  private readonly sessions = new Map<string, Session>();
  /** Newest first, as the API lists them. */
  private readonly orders: Order[] = [];
  private readonly callbacks = new Callbacks();

  constructor(private readonly options: TransakLabOptions) {
    this.accessTokens = new AccessTokens(options);
  }

  readonly routes: readonly Route[] = [
    this.api('GET', '/fiat/public/v1/currencies/fiat-currencies', () => ({
      json: { response: fiatItems() },
    })),
    this.api('GET', '/cryptocoverage/api/v1/public/crypto-currencies', () => ({
      json: { response: this.options.tokens.map(tokenItem) },
    })),
    this.api('GET', '/api/v1/pricing/public/quotes', (request) => this.quote(request)),
    this.api('POST', '/partners/api/v2/refresh-token', (request) =>
      this.accessTokens.refresh(request),
    ),
    this.authorised('GET', '/partners/api/v2/orders', (request) => this.list(request)),
    this.authorised('POST', '/api/v2/auth/session', (request) => this.createSession(request)),
    this.page('GET', '/', (session, id) => this.open(session, id)),
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
    return { method, path, hasFaults: true, handle };
  }

  private authorised(
    method: Route['method'],
    path: string,
    handle: (request: LabRequest) => LabAnswer,
  ): Route {
    return this.api(method, path, (request) =>
      this.accessTokens.isValid(request)
        ? handle(request)
        : refused(401, 'Access token is not valid'),
    );
  }

  private page(
    method: Route['method'],
    path: string,
    handle: (session: Session, id: string) => LabAnswer,
  ): Route {
    return {
      method,
      path,
      hasFaults: false,
      handle: ({ url }) => {
        const id = url.searchParams.get('sessionId') ?? '';
        const session = this.sessions.get(id);
        // The URL opens the page once; the page's buttons may be used again.
        const isUsable = session && (method === 'POST' || !session.isOpened);
        return isUsable && Date.now() < session.createdAt + SESSION_MS
          ? handle(session, id)
          : { status: 410, html: '<h1>This link is not valid any more.</h1>' };
      },
    };
  }

  private quote({ url }: LabRequest): LabAnswer {
    const { apiKey, tokens } = this.options;
    const asked = (name: string): string => url.searchParams.get(name) ?? '';
    if (asked('partnerApiKey') !== apiKey) return refused(401, 'Invalid API key');
    const purchase = purchaseOf(tokens, {
      symbol: asked('cryptoCurrency'),
      network: asked('network'),
      fiat: asked('fiatCurrency'),
      option: asked('paymentMethod'),
      fiatAmount: Number(asked('fiatAmount')),
    });
    if (typeof purchase === 'string') return refused(400, purchase);
    return { json: { response: quoteOf(randomUUID(), purchase) } };
  }

  private createSession(request: LabRequest): LabAnswer {
    const session = readSession(request, this.options);
    if (typeof session === 'string') return refused(400, session);
    const id = randomUUID();
    this.sessions.set(id, session);
    this.userIps.set(session.partnerOrderId, session.userIp);
    const origin = `http://${request.headers.host ?? ''}`;
    const widgetUrl = `${origin}/?apiKey=${this.options.apiKey}&sessionId=${id}`;
    return { json: { data: { widgetUrl } } };
  }

  /** Lists completed orders only, unless the request names other states. */
  private list({ url }: LabRequest): LabAnswer {
    const filter = (name: string): string | null => url.searchParams.get(`filter[${name}]`);
    const states = JSON.parse(filter('status') ?? '["COMPLETED"]') as string[];
    const found = this.orders.filter(
      ({ session, status }) =>
        session.partnerOrderId === filter('partnerOrderId') && states.includes(status),
    );
    const [limit, skip] = ['limit', 'skip'].map((name) => Number(url.searchParams.get(name)));
    return {
      json: {
        meta: { filter: { status: states }, limit, skip, totalCount: found.length },
        data: found.slice(skip).slice(0, limit).map(orderItem),
      },
    };
  }

  private open(session: Session, id: string): LabAnswer {
    session.isOpened = true;
    const { fiat, fiatAmount, token, wallet } = session;
    return {
      html: sessionPage(id, { Total: `${fiatAmount} ${fiat}`, Token: token.symbol, To: wallet }),
    };
  }

  /** The order that is open at the page; a new one where none is. */
  private current(session: Session): Order {
    const open = this.orders.find(
      (order) => order.session === session && order.status === 'AWAITING_PAYMENT_FROM_USER',
    );
    if (open) return open;
    const order: Order = {
      session,
      id: randomUUID(),
      status: 'AWAITING_PAYMENT_FROM_USER',
      createdAt: new Date().toISOString(),
      cryptoAmount: this.faultOf(session).toldAmount ?? session.cryptoAmount,
      transactionHash: null,
      statusReason: null,
    };
    this.orders.unshift(order);
    this.notify(order);
    return order;
  }

  private decline(session: Session): Order {
    const order = this.current(session);
    this.update(order, { status: 'PROCESSING' });
    this.update(order, { status: 'FAILED', statusReason: 'The card was declined.' });
    return order;
  }

  private pay(session: Session): Order {
    const order = this.current(session);
    this.update(order, { status: 'PROCESSING' });
    const { endsAs } = this.faultOf(session);
    if (endsAs !== undefined) this.update(order, { status: endsAs });
    else void this.deliver(order).catch(() => undefined);
    return order;
  }

  private async deliver(order: Order): Promise<void> {
    const { session } = order;
    const { token, wallet, cryptoAmount } = session;
    const { deliverBps = ALL_BPS } = this.faultOf(session);
    const transactionHash = await this.options.deliver({
      contract: token.contract,
      decimals: token.decimals,
      to: wallet,
      amount: tokenText((cryptoAmount * deliverBps) / ALL_BPS, token.decimals),
    });
    this.update(order, { status: 'COMPLETED', transactionHash });
  }

  private update(order: Order, change: Partial<Order>): void {
    Object.assign(order, change);
    this.notify(order);
  }

  private notify(order: Order): void {
    const eventID = EVENTS[order.status];
    if (eventID === undefined) return;
    const createdAt = new Date().toISOString();
    const claims = { webhookData: orderItem(order), eventID, createdAt };
    this.callbacks.send(
      {
        url: this.options.callbackUrl,
        body: (key) => JSON.stringify({ data: signedJwt(claims, key) }),
        key: this.accessTokens.signingKey,
        isFirst: eventID === 'ORDER_CREATED',
      },
      this.faultOf(order.session).callbacks,
    );
  }

  private receipt({ redirectUrl }: Session, { id, status }: Order): LabAnswer {
    return { redirect: redirectUrl ?? `/receipt?orderId=${id}&status=${status}` };
  }

  private faultOf({ partnerOrderId }: Session): OrderFault {
    return this.faults.get(partnerOrderId) ?? {};
  }
}

const orderItem = ({ session, id, ...order }: Order) => ({
  id,
  partnerOrderId: session.partnerOrderId,
  partnerCustomerId: session.partnerCustomerId,
  walletAddress: session.wallet,
  fiatCurrency: session.fiat,
  fiatAmount: session.fiatAmount,
  amountPaid: session.fiatAmount,
  cryptoCurrency: session.token.symbol,
  network: session.token.network,
  isBuyOrSell: 'BUY',
  paymentOptionId: session.option,
  totalFeeInFiat: session.totalFee,
  ...order,
});

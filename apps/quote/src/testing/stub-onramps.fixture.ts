import { formatAmount, parseAmount } from '@bascule/amounts';
import { parseTokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import {
  startCapturingServer,
  type CannedResponse,
  type CapturedRequest,
  type CapturingServer,
} from '@bascule/testing';

/** Behaviour of a stub: correct, or one kind of failure. */
export type OnrampBehaviour =
  | 'honest'
  | 'silent'
  /** Coverage requests time out. */
  | 'mute'
  | 'down'
  | 'other-token'
  | 'other-amount'
  | 'too-good'
  | 'broken-json'
  | 'refuses';

export interface StubOnramp {
  behaviour: OnrampBehaviour;
  /** Error code with which every quote, or each quote of a contract, is refused. */
  refusal?: string | Record<string, string>;
  /** Margin in percent. */
  feePercent: bigint;
  /** Contract address by network; null for the native currency. */
  sells: { network: string; contract: string | null; decimals: number; usd: bigint }[];
  methods: string[];
  /** Places of all sales, and of each method; everywhere when absent. */
  places?: Places;
  placesOf?: Record<string, Places>;
  /** Configured as a party that takes real money. */
  isLive?: boolean;
}

/** Sells USDC correctly by ACH for a margin of 1 %, unless stated otherwise. */
export function usdcOnramp(token: TokenIdentifier, rest: Partial<StubOnramp> = {}): StubOnramp {
  const { chain: network, address: contract } = parseTokenIdentifier(token);
  return {
    ...{ behaviour: 'honest', feePercent: 1n, methods: ['ach'] },
    sells: [{ network, contract, decimals: 6, usd: 1n }],
    ...rest,
  };
}

interface Places {
  only?: string[];
  except?: string[];
}

interface Order {
  fiat: string;
  fiat_amount: string;
  payment_method: string;
  network: string;
  contract: string | null;
}

const LIMITS = { min: '20', max: '5000' };
const json = (body: unknown, status = 200): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const never = (): Promise<never> => new Promise(() => undefined);

async function coverage(stub: StubOnramp): Promise<CannedResponse> {
  const { behaviour: conduct, sells, methods, places, placesOf = {} } = stub;
  if (conduct === 'mute') return never();
  return json({
    places,
    fiats: [
      {
        code: 'USD',
        payment_methods: methods.map((id) => ({ id, ...LIMITS, places: placesOf[id] })),
      },
    ],
    assets: sells.map(({ network, contract }) => ({ network, contract })),
  });
}

/** Quote at the stub's own price, less its margin. */
function honestQuote(stub: StubOnramp, order: Order) {
  const token = stub.sells.find(
    ({ network, contract }) => network === order.network && contract === order.contract,
  );
  if (!token) return null;
  const cents = parseAmount(order.fiat_amount, 2);
  const fee = (cents * stub.feePercent) / 100n;
  const units = ((cents - fee) * 10n ** BigInt(token.decimals)) / (100n * token.usd);
  return {
    id: 'quote-1',
    ...order,
    crypto_amount: formatAmount(units, token.decimals),
    fees: { total: formatAmount(fee, 2) },
    delivery_seconds: 30,
    limits: LIMITS,
  };
}

async function quote(stub: StubOnramp, order: Order): Promise<CannedResponse> {
  const { refusal } = stub;
  const code = typeof refusal === 'object' ? refusal[order.contract ?? ''] : refusal;
  if (code !== undefined) {
    return json({ error: { code, message: 'not this customer', limits: LIMITS } }, 403);
  }
  const honest = honestQuote(stub, order);
  if (!honest) return json({ error: { code: 'unsupported_asset', message: 'not sold' } }, 422);
  switch (stub.behaviour) {
    case 'honest':
      return json(honest);
    case 'mute':
    case 'silent':
      return never();
    case 'down':
      return { status: 503 };
    case 'other-token':
      return json({ ...honest, contract: `0x${'9'.repeat(40)}` });
    case 'other-amount':
      return json({ ...honest, fiat_amount: '1000' });
    case 'too-good':
      return json({ ...honest, crypto_amount: `1${honest.crypto_amount}` });
    case 'broken-json':
      return { status: 200, body: '{"id": "quote-' };
    case 'refuses':
      return json({ error: { code: 'amount_too_low', message: 'too low', limits: LIMITS } }, 422);
  }
}

/** Starts stub providers with the sandbox's HTTP API, each under its name. */
export function startStubOnramps(stubs: Record<string, StubOnramp>): Promise<CapturingServer> {
  return startCapturingServer(async ({ path, body }: CapturedRequest) => {
    const [, name = '', ...rest] = path.split('/');
    const stub = stubs[name];
    if (!stub) return { status: 404 };
    if (rest.join('/') === 'v1/coverage') return coverage(stub);
    return quote(stub, JSON.parse(body.toString('utf8')) as Order);
  });
}

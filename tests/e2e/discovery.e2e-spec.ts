import type {
  AssetsResponse,
  AvailableAssetsResponse,
  ChainsResponse,
  PaymentMethodsResponse,
  QuotesResponse,
  TokenIdentifier,
} from '@bascule/contracts';
import { tokenIdentifier } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api, RequestOptions } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { quoteAndConfirm } from '../../tools/first-payment/payments.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import type { StackFile } from '@bascule/composition';
import { replayExamples } from './testing/described-examples.fixture.js';
import { MAIN_ERRORS } from './testing/main-errors.fixture.js';
import { missingFields, RECORDED, shapeOf } from './testing/recorded-answers.fixture.js';
import { apiOf, newOrganisation } from './testing/operators.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const ORIGIN = 'https://shop.example';
const PAGE = { origin: ORIGIN };
const QUOTES_AT_ONCE = 4;

let stack: StackProcess;
let file: StackFile;
/** A page with the publishable key. */
let page: Api;
let usdc: TokenIdentifier;

beforeAll(async () => {
  stack = await StackProcess.create('discovery');
  // One proxy in front, which appends its caller's address.
  file = await stack.start({ TRUSTED_HOPS: '1' });
  page = apiOf(stack, file.keys.publishable);
  usdc = token('alphanet', 'USDC');
});

afterAll(() => stack.dispose());

const token = (chain: string, symbol: string): TokenIdentifier =>
  tokenIdentifier(chain, file.chains[chain]?.tokens[symbol] ?? '');

interface Call {
  method: string;
  path: string;
  body?: unknown;
}

const calls = (): Call[] => [
  { method: 'GET', path: '/assets' },
  { method: 'GET', path: '/chains' },
  { method: 'GET', path: '/assets/available-outputs?inputs[]=USD' },
  { method: 'GET', path: `/assets/available-inputs?outputs[]=${usdc}` },
  { method: 'POST', path: '/prices', body: { fiat: 'EUR', tokens: [usdc] } },
  { method: 'GET', path: '/geolocation?customer_ip_address=81.2.69.142' },
  { method: 'GET', path: `/payments/methods?input=usd&output=${usdc}` },
];
/** Calls with the same response for every client, which browsers cache. */
const kept = () => calls().filter(({ path }) => path.includes('assets') || path === '/chains');

const ask = (api: Api, { method, path, body }: Call, headers: Record<string, string> = PAGE) => {
  const options: RequestOptions = { headers, ...(body === undefined ? {} : { body }) };
  return api.request(method, path, options);
};

describe('a page', () => {
  it('calls all seven endpoints with the publishable key from its own origin', async () => {
    for (const call of calls()) {
      const { status, headers, body } = await ask(page, call);
      expect({ call, status, body }).toEqual({ call, status: 200, body: expect.any(Object) });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('etag');
      const preflight = await ask(
        apiOf(stack, null),
        { ...call, method: 'OPTIONS', body: undefined },
        {
          ...PAGE,
          'access-control-request-method': call.method,
          'access-control-request-headers': 'authorization,content-type,if-none-match',
        },
      );
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('if-none-match');
    }
  });

  it('gets compressed bodies, and 304 without a body for a matching ETag', async () => {
    for (const call of kept()) {
      const headers = { ...PAGE, 'accept-encoding': 'gzip' };
      // A response may change between two requests: coverage is still being fetched after the start.
      await eventually(async () => {
        const first = await ask(page, call, headers);
        const tag = first.headers.get('etag') ?? '';
        expect(tag).toMatch(/^"[^"]+"$/);
        expect(first.headers.get('cache-control')).toContain('max-age=');
        expect(first.headers.get('vary')).toBe('Accept-Encoding, Authorization, Origin');
        const again = await ask(page, call, { ...headers, 'if-none-match': `W/${tag}` });
        expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', tag]);
      });
    }
    const { headers } = await ask(
      page,
      { method: 'GET', path: '/assets' },
      {
        ...PAGE,
        'accept-encoding': 'gzip',
      },
    );
    expect(headers.get('content-encoding')).toBe('gzip');
  });

  it('is refused without the permission, also for cached responses', async () => {
    const { publishable } = await newOrganisation(stack, 'quotes');
    const quotesOnly = apiOf(stack, publishable);
    for (const call of calls()) {
      const { headers: seen } = await ask(page, call);
      const known = { ...PAGE, 'if-none-match': seen.get('etag') ?? '*' };
      for (const [api, expected] of [
        [quotesOnly, 403],
        [apiOf(stack, null), 401],
      ] as const) {
        const { status, body, headers } = await ask(api, call, known);
        expect({ call, status }).toEqual({ call, status: expected });
        expect(body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
        expect(headers.get('cache-control')).toBe('no-store');
      }
    }
  });

  it('gets every problem of a request with its path', async () => {
    const wrong: [Call, (string | number)[]][] = [
      [{ method: 'GET', path: '/assets?assets[]=usd&assets[]=dollars' }, ['assets', 1]],
      [{ method: 'GET', path: '/chains?sandbox=perhaps' }, ['sandbox']],
      [{ method: 'GET', path: '/assets/available-outputs' }, ['inputs']],
      [{ method: 'GET', path: '/assets/available-outputs?inputs[]=alphanet:0x1' }, ['inputs', 0]],
      [{ method: 'GET', path: '/assets/available-inputs?inputs[]=usd' }, ['outputs']],
      [
        { method: 'POST', path: '/prices', body: { fiat: 'usd', tokens: ['nowhere:0x'] } },
        ['tokens', 0],
      ],
      [{ method: 'GET', path: '/geolocation?customer_ip_address=here' }, ['customer_ip_address']],
      [{ method: 'GET', path: '/payments/methods?input=usd&output=x' }, ['output']],
    ];
    for (const [call, path] of wrong) {
      const { status, body } = await ask(page, call);
      expect({ call, status }).toEqual({ call, status: 400 });
      expect(body).toMatchObject({ errors: [{ code: expect.any(String), path }] });
    }
  });
});

describe('a known path', () => {
  it.each([
    ['PUT', '/payments', 'GET, HEAD'],
    ['GET', '/payments/quotes', 'POST'],
    ['PUT', '/orgs/webhooks', 'GET, HEAD, POST, PATCH, DELETE'],
  ])('refuses the method of %s %s with those that it has', async (method, path, allowed) => {
    const { status, headers } = await page.request(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allowed]);
  });

  it('answers HEAD as GET, without a body', async () => {
    const { status, headers, body } = await page.request('HEAD', '/chains');
    expect([status, body]).toEqual([200, '']);
    expect(headers.get('content-type')).toContain('application/json');
  });
});

describe('price_currency', () => {
  it.each(['xyz', 'AED'])('without a price is 400 everywhere alike: %s', async (fiat) => {
    const { owner, destination } = newTestUser();
    const { payment } = await quoteAndConfirm(page, {
      input: { asset: usdc, amount: '25' },
      output: usdc,
      owner: owner.address,
      destination,
    });
    const { quote_request, payment_id } = payment;
    const request = { body: { request: quote_request.request, price_currency: fiat } };
    const query = { price_currency: fiat };
    const ofOwner = { ...query, owner_address: owner.address };
    const answers = [
      await page.request('POST', '/payments/quotes', request),
      await page.request('GET', '/payments', { query: { ...query, payment_id } }),
      await page.request('GET', '/payments/history', { query: ofOwner }),
    ];
    const message = `No current price of ${fiat.toLowerCase()}.`;
    const problem = { code: 'custom', path: ['price_currency'], message };
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([400, { errors: [problem] }]);
    }
    const prices = await page.request('POST', '/prices', { body: { fiat, tokens: [usdc] } });
    expect([prices.status, prices.body]).toEqual([
      400,
      { errors: [{ ...problem, path: ['fiat'] }] },
    ]);
  });
});

describe('GET /chains', () => {
  it('links to explorers: a transaction is explorer, tx/ and its hash', async () => {
    const chains = await page.get<ChainsResponse>('/chains');
    for (const { explorer, rpc } of Object.values(chains)) {
      // Development chains have no explorer; their public endpoint stands in.
      expect(explorer).toBe(`${rpc}/`);
      expect(new URL(`${explorer}tx/0x12`).pathname).toBe('/tx/0x12');
    }
  });
});

describe('GET /assets', () => {
  const assets = () => page.get<AssetsResponse>('/assets');
  const override = (...flags: string[]) => stack.operator('assets', 'override', ...flags);

  it('shows images as valid URIs, whatever the operator types', async () => {
    await override(usdc, '--image-url', 'https://a.example/usd coin [1]%.svg');
    await eventually(async () => {
      expect((await assets())[usdc]).toMatchObject({
        image_url: 'https://a.example/usd%20coin%20%5B1%5D%25.svg',
      });
    });
    await stack.operator('assets', 'reset', usdc);
  });

  it('names the wrapped token on each native currency by its symbol', async () => {
    for (const chain of ['alphanet', 'betanet']) {
      expect((await assets())[`${chain}:0x`]).toMatchObject({ is_native: true, wrapper: 'WETH' });
    }
    const weth = token('alphanet', 'WETH');
    await override(weth, '--symbol', 'WETH9');
    await eventually(async () => {
      expect((await assets())['alphanet:0x']).toMatchObject({ wrapper: 'WETH9' });
    });
    await stack.operator('assets', 'reset', weth);
    await eventually(async () => {
      expect((await assets())['alphanet:0x']).toMatchObject({ wrapper: 'WETH' });
    });
  });
});

describe('GET /geolocation', () => {
  const locate = async (headers: Record<string, string>) =>
    (await ask(page, { method: 'GET', path: '/geolocation' }, headers)).body;

  it('trusts only the configured proxy for the client address', async () => {
    const london = { alpha3_country_code: 'GBR', state_code: 'ENG', default_currency: 'gbp' };
    const forged = {
      'x-client-ip': '128.32.136.9',
      'x-real-ip': '128.32.136.9',
      forwarded: 'for=128.32.136.9',
    };
    // Entries to the left of the proxy's are the client's.
    const header = '128.32.136.9, 81.2.69.142';
    expect(await locate({ ...forged, 'x-forwarded-for': header })).toEqual(london);
    expect(await locate(forged)).toBeNull();
  });
});

describe('the development onramps', () => {
  const quote = (rest: object): Promise<QuotesResponse> =>
    page.post<QuotesResponse>('/payments/quotes', {
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: 'usd', amount: '100' },
        output_asset: usdc,
      },
      ...rest,
    });
  const PROVIDERS = ['swiftramp', 'thriftramp'];

  it.each([
    ['sandbox-kyc', 'kyc'],
    ['sandbox-location', 'geolocation'],
    ['sandbox-destination', 'destination'],
    ['sandbox-refused', 'provider'],
  ])('refuse the customer %s with a %s issue', async (customer_id, kind) => {
    await eventually(async () => {
      const { quotes, fault, failures } = await quote({ customer_id });
      expect(quotes).toEqual([]);
      expect(fault).toMatchObject({ kind });
      const services = failures.map(({ service_ids }) => service_ids.join()).sort();
      expect(services).toEqual(PROVIDERS);
      for (const { issues } of failures) expect(issues).toMatchObject([{ kind }]);
    });
    expect((await quote({ customer_id: 'a customer' })).quotes.length).toBeGreaterThan(0);
  });

  it('are named with the methods that they offer in place of an unoffered one', async () => {
    const { quotes, fault } = await quote({ onramp_methods: ['PIX'] });
    expect(quotes).toEqual([]);
    expect(fault).toEqual({
      kind: 'payin_method',
      message: expect.stringMatching(/^No available provider offers PIX .*CREDIT_CARD/),
    });
  });

  it.each(['usd', 'eur'])('are priced alike by quotes and prices in %s', async (fiat) => {
    await eventually(async () => {
      const body = { fiat, tokens: [usdc] };
      const { current_prices } = await quote({ price_currency: fiat });
      const prices = await page.post<Record<string, string>>('/prices', body);
      expect(prices[fiat]).toBe('1.0');
      expect(current_prices).toEqual(prices);
    });
  });
});

describe('the development chains', () => {
  const quoteOf = async (input: string, output: string): Promise<QuotesResponse> => {
    const amount = amountOf(input);
    const request = {
      kind: 'FIXED_INPUT',
      fixed_input_amount: { asset: input, amount },
      output_asset: output,
    };
    return page.post<QuotesResponse>('/payments/quotes', { request });
  };
  const amountOf = (input: string): string => {
    if (input.endsWith(':0x') || input.endsWith(token('alphanet', 'WETH').slice(9))) return '0.05';
    return input.endsWith(token('alphanet', 'WBTC').slice(9)) ? '0.005' : '100';
  };

  it('are quoted exactly as available-outputs lists them, in both directions', async () => {
    const assets = Object.keys(await page.get<AssetsResponse>('/assets'));
    const tokens = assets.filter((id) => id.includes(':'));
    const chains = await page.get<ChainsResponse>('/chains');
    expect(Object.keys(chains).sort()).toEqual(['alphanet', 'betanet']);
    const inputs = [
      'usd',
      usdc,
      token('betanet', 'USDC'),
      'alphanet:0x',
      token('alphanet', 'WBTC'),
    ];
    await eventually(async () => {
      expect(Object.keys(await availableOutputs(inputs)).sort()).toEqual([...inputs].sort());
    });
    const agree = async (): Promise<void> => {
      const listed = await availableOutputs(inputs);
      const pairs = inputs.flatMap((input) =>
        tokens.filter((output) => output !== input).map((output) => [input, output] as const),
      );
      const contradictions: string[] = [];
      for (let first = 0; first < pairs.length; first += QUOTES_AT_ONCE) {
        const asked = pairs.slice(first, first + QUOTES_AT_ONCE);
        const answers = await Promise.all(
          asked.map(async ([input, output]) => {
            const isListed = listed[input]?.tokens.some((one) => one === output) ?? false;
            const { quotes, fault, failures } = await quoteOf(input, output);
            if (quotes.length > 0 === isListed) return [];
            return [`${input} ${output}: ${isListed} ${JSON.stringify({ fault, failures })}`];
          }),
        );
        contradictions.push(...answers.flat());
      }
      expect(contradictions).toEqual([]);
      expect(Object.keys(listed).sort()).toEqual([...inputs].sort());
    };
    // A timeout of a source fails a quote; on a stalled machine even twice.
    await eventually(agree, { timeoutMs: 240_000 });
    const reached = await page.request(
      'GET',
      `/assets/available-inputs?outputs[]=${usdc}&${inputs.map((id) => `inputs[]=${id}`).join('&')}`,
    );
    const { fiats, tokens: from } = (reached.body as AvailableAssetsResponse)[usdc] ?? {};
    const listed = await availableOutputs(inputs);
    const expected = inputs.filter((input) => listed[input]?.tokens.includes(usdc));
    expect([...(fiats ?? []), ...(from ?? [])].sort()).toEqual(expected.sort());
  }, 300_000);

  it('sell tokens through the same methods as quotes', async () => {
    const path = `/payments/methods?input=usd&output=${usdc}`;
    await eventually(async () => {
      const { body } = await page.request('GET', path);
      const { providers } = body as PaymentMethodsResponse;
      const { quotes } = await quoteOf('usd', usdc);
      expect(quotes.length).toBeGreaterThan(0);
      for (const { onramp, onramp_method } of quotes) {
        expect(providers[onramp ?? '']).toContain(onramp_method);
      }
      expect(new Set(quotes.map(({ onramp }) => onramp))).toEqual(new Set(Object.keys(providers)));
    });
  });

  async function availableOutputs(inputs: string[]): Promise<AvailableAssetsResponse> {
    const query = inputs.map((input) => `inputs[]=${input}`).join('&');
    const { body } = await page.request('GET', `/assets/available-outputs?${query}`);
    return body as AvailableAssetsResponse;
  }
});

const RECORD = 'run `npm run openapi:answers` and `npm run openapi`';

describe('the OpenAPI document', () => {
  it('has examples that work in their order', async () => {
    const chain = new Chain(file, 'alphanet');
    // The owner of the examples is the faucet's account.
    const client = { api: apiOf(stack, file.keys.secret), chain, owner: chain.faucet };
    const replaced = new Map<string, string>([
      ['alphanet:0xb10e07fe3a962fd96c9f47fa7d456d4cbce4ff51', usdc],
      ['https://shop.example/hooks/payments', `${file.base_url}/health/live`],
    ]);
    const answers = await replayExamples(client, replaced);
    expect(Object.keys(answers).length).toBeGreaterThanOrEqual(28);
    expect(Object.entries(answers).filter(([, { status }]) => status !== 200)).toEqual([]);
    const missing = Object.entries(answers).flatMap(([operation, { body }]) =>
      missingFields(RECORDED[operation]?.success, body).map((field) => `${operation}: ${field}`),
    );
    expect({ [RECORD]: missing }).toEqual({ [RECORD]: [] });
  });

  it.each(Object.entries(MAIN_ERRORS))(
    'shows the error that the service answers: %s',
    async (operation, { path, isKeyless, ...options }) => {
      const [method = ''] = operation.split(' ');
      const api = apiOf(stack, isKeyless ? null : file.keys.secret);
      const answer = await api.request(method, path, options);
      const shown = RECORDED[operation]?.error ?? { status: 0, body: { errors: [] } };
      expect({ [RECORD]: shapeOf(answer) }).toEqual({ [RECORD]: shapeOf(shown) });
    },
  );

  it('shows an error of every operation that a test asks for', () => {
    expect(Object.keys(RECORDED).sort()).toEqual(Object.keys(MAIN_ERRORS).sort());
  });
});

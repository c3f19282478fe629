import {
  type AvailableAssetsResponse,
  type ErrorBody,
  type PaymentMethodsResponse,
} from '@bascule/contracts';
import { CLIENT_IP_HEADER } from '@bascule/identity';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FOREIGN_USDC, USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  startQuoteStand,
  type Asking,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp, type StubOnramp } from '../testing/stub-onramps.fixture.js';

const CALIFORNIA = '128.32.136.9';
const ENGLAND = '81.2.69.142';
const PRIVATE = '10.0.0.1';
const stub = (methods: string[], rest: Partial<StubOnramp> = {}): StubOnramp =>
  usdcOnramp(USDC, { methods, ...rest });
const stubs = {
  everywhere: stub(['credit_card', 'sepa', 'ach']),
  american: stub(['credit_card'], { places: { only: ['USA'] } }),
  choosy: stub(['apple_pay', 'credit_card'], {
    places: { except: ['USA-CA'] },
    placesOf: { apple_pay: { only: ['USA'] } },
  }),
  beta: stub(['credit_card']),
  wired: stub(['swift']),
};

describe('payment methods', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    const rules = [{ name: 'beta', ramp: { provider: 'beta' }, beta: true }];
    stand = await startQuoteStand(stubs, {
      EDGE_RULES: JSON.stringify(rules),
    });
  });
  afterAll(() => stand.stop());

  const ask = (query: string, asking?: Asking) =>
    stand.get<PaymentMethodsResponse>(`/payments/methods?${query}`, asking);
  const at = async (address: string, output = WETH) =>
    (await ask(`input=usd&output=${output}&customer_ip_address=${address}`)).body.providers;

  const ANYWHERE = {
    american: ['CREDIT_CARD'],
    choosy: ['CREDIT_CARD', 'APPLE_PAY'],
    everywhere: ['CREDIT_CARD', 'ACH', 'SEPA'],
  };
  const IN_CALIFORNIA = { american: ['CREDIT_CARD'], everywhere: ['CREDIT_CARD', 'ACH'] };
  const IN_ENGLAND = { choosy: ['CREDIT_CARD'], everywhere: ['CREDIT_CARD', 'SEPA'] };

  it('lists all methods where the customer’s place is unknown', async () => {
    const { status, body } = await ask(`input=USD&output=${WETH}`);
    expect([status, body]).toEqual([200, { providers: ANYWHERE }]);
    expect(await at(PRIVATE)).toEqual(ANYWHERE);
  });

  it('lists the methods for the customer’s place', async () => {
    expect(await at(CALIFORNIA)).toEqual(IN_CALIFORNIA);
    expect(await at(ENGLAND)).toEqual(IN_ENGLAND);
  });

  it('uses the caller’s address with a publishable key only, and does not cache that answer', async () => {
    const from = (kind: 'publishable' | 'secret', rest = '') =>
      ask(`input=usd&output=${WETH}${rest}`, { kind, headers: { [CLIENT_IP_HEADER]: ENGLAND } });
    const page = await from('publishable');
    expect(page.body.providers).toEqual(IN_ENGLAND);
    expect(page.headers.get('cache-control')).toBe('no-store');
    // Another address adds a place; it removes none.
    const named = await from('publishable', `&customer_ip_address=${CALIFORNIA}`);
    expect(named.body.providers).toEqual({ everywhere: ['CREDIT_CARD'] });
    const own = await from('publishable', `&customer_ip_address=${ENGLAND}`);
    expect(own.body.providers).toEqual(IN_ENGLAND);
    const told = await from('secret', `&customer_ip_address=${CALIFORNIA}`);
    expect(told.body.providers).toEqual(IN_CALIFORNIA);
    expect(told.headers.get('cache-control')).toMatch(/^private/);
    expect((await from('secret')).body.providers).toEqual(ANYWHERE);
  });

  it('agrees with quotes for each kind of key, with and without an address', async () => {
    const askers: { named?: string; asking: Asking }[] = [
      ...[CALIFORNIA, ENGLAND, PRIVATE].map((named) => ({ named, asking: {} })),
      ...(['publishable', 'secret'] as const).map((kind) => ({
        asking: { kind, headers: { [CLIENT_IP_HEADER]: ENGLAND } },
      })),
      {
        named: CALIFORNIA,
        asking: { kind: 'publishable', headers: { [CLIENT_IP_HEADER]: ENGLAND } },
      },
    ];
    for (const { named, asking } of askers) {
      const request = named === undefined ? {} : { customer_ip_address: named };
      const query = named === undefined ? '' : `&customer_ip_address=${named}`;
      const { body } = await stand.ask(fixedInput('usd', '200', WETH, request), ['quotes'], asking);
      const quoted = body.quotes.map(({ onramp, onramp_method }) => `${onramp} ${onramp_method}`);
      const { body: methods } = await ask(`input=usd&output=${WETH}${query}`, asking);
      const offered = Object.entries(methods.providers).flatMap(([name, list]) =>
        list.map((method) => `${name} ${method}`),
      );
      expect([named, asking, quoted.sort()]).toEqual([named, asking, offered.sort()]);
    }
  });

  it('reports methods of other places as failures of a quote', async () => {
    const { body } = await stand.ask(
      fixedInput('usd', '200', WETH, { customer_ip_address: ENGLAND, onramps: ['american'] }),
    );
    const issue = {
      kind: 'geolocation',
      message: 'american does not sell for usd by CREDIT_CARD in GBR-ENG.',
    };
    expect(body).toMatchObject({ quotes: [], fault: issue, failures: [{ issues: [issue] }] });
    const said = { customer_geolocation: { alpha3_country_code: 'DEU' }, onramps: ['american'] };
    const { body: elsewhere } = await stand.ask(fixedInput('usd', '200', WETH, said));
    expect(elsewhere.fault).toMatchObject({ kind: 'geolocation' });
    const lied = { ...said, customer_geolocation: { alpha3_country_code: 'USA' } };
    const inEngland = fixedInput('usd', '200', WETH, { ...lied, customer_ip_address: ENGLAND });
    expect((await stand.ask(inEngland)).body.fault).toEqual(issue);
  });

  it('passes the place on in the state token', async () => {
    const customer = { customer_ip_address: CALIFORNIA };
    const { body } = await stand.ask(fixedInput('usd', '200', WETH, customer));
    const { geolocation } = await stand.open(body.state_token);
    expect(geolocation).toEqual({ alpha3_country_code: 'USA', state_code: 'CA' });
  });

  it('has no in_house rails yet', async () => {
    for (const input of ['usd', 'eur']) {
      const { body } = await ask(`input=${input}&output=${WETH}`);
      expect(Object.keys(body)).toEqual(['providers']);
    }
  });

  it('is empty without a route, and shows beta methods with the feature only', async () => {
    expect((await ask(`input=eur&output=${WETH}`)).body).toEqual({ providers: {} });
    expect(await at(PRIVATE, FOREIGN_USDC)).toEqual({});
    expect((await ask('input=usd&output=eur')).body).toEqual({ providers: {} });
    const { body } = await ask(`input=usd&output=${WETH}&features[]=BETA_EDGES`);
    expect(Object.keys(body.providers)).toContain('beta');
  });

  it('lists SWIFT for keys that it is enabled for, as quotes and outputs do', async () => {
    const path = `input=usd&output=${WETH}`;
    const enabled: Asking = { methods: ['SWIFT'] };
    expect((await ask(path)).body.providers).toEqual(ANYWHERE);
    expect((await ask(path, enabled)).body.providers).toEqual({ ...ANYWHERE, wired: ['SWIFT'] });
    expect((await ask(path)).body.providers).toEqual(ANYWHERE);

    const wired = async (asking: Asking, rest: object = {}) => {
      const { status, body } = await stand.ask(
        fixedInput('usd', '200', WETH, { onramps: ['wired'], ...rest }),
        ['quotes'],
        asking,
      );
      return [status, ...body.quotes.map(({ onramp_method }) => onramp_method)];
    };
    expect(await wired(enabled)).toEqual([200, 'SWIFT']);
    expect(await wired(enabled, { onramp_methods: ['SWIFT'] })).toEqual([200, 'SWIFT']);
    expect(await wired({})).toEqual([200]);
    expect(await wired({}, { onramp_methods: ['SWIFT'] })).toEqual([200]);
    const refused = await stand.ask(fixedInput('usd', '200', WETH, { onramp_methods: ['SWIFT'] }), [
      'quotes',
    ]);
    expect(refused.body.fault).toEqual({
      kind: 'payin_method',
      message: 'SWIFT is not enabled for this API key.',
    });

    const reached = async (asking: Asking) =>
      Object.keys(
        (
          await stand.get<AvailableAssetsResponse>(
            '/assets/available-outputs?inputs[]=usd&onramps[]=wired',
            asking,
          )
        ).body,
      );
    expect([await reached({}), await reached(enabled)]).toEqual([[], ['usd']]);
  });

  it('responds 304 to a matching ETag', async () => {
    const { headers } = await ask(`input=usd&output=${WETH}`);
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await ask(`input=usd&output=${WETH}`, known)).status).toBe(304);
  });

  it('reports every problem of a query together', async () => {
    const { status, body } = await ask(
      'input=alphanet:0x&output=nope&customer_ip_address=here&features[]=X',
    );
    expect(status).toBe(400);
    const { errors } = body as unknown as ErrorBody;
    expect(errors.map((error) => ('path' in error ? [error.code, ...error.path] : []))).toEqual(
      expect.arrayContaining([
        ['invalid_format', 'input'],
        ['invalid_union', 'output'],
        ['invalid_format', 'customer_ip_address'],
        ['invalid_value', 'features', 0],
      ]),
    );
    const missing = await ask('');
    expect(missing.status).toBe(400);
    const unknown = await ask(`input=xyz&output=alphanet:0x${'9'.repeat(40)}`);
    expect(unknown.body).toMatchObject({ errors: [{ path: ['input'] }, { path: ['output'] }] });
  });

  it('requires the permission to read assets', async () => {
    const { status } = await ask(`input=usd&output=${WETH}`, { permissions: ['quotes'] });
    expect(status).toBe(403);
  });
});

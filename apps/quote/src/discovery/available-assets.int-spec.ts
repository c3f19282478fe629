import { type AvailableAssetsResponse, type ErrorBody } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assetRecord,
  FOREIGN_USDC,
  NATIVE,
  organisationRecord,
  priceRecord,
  UNPRICED,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  ORGANISATION,
  startQuoteStand,
  type Asking,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-00000000000b';
/** Edges in a public test, and edges of USDT for organisations. */
const EDGE_RULES = [
  { name: 'beta', ramp: { provider: 'beta' }, beta: true },
  { name: 'usdt', conversion: { token: USDT } },
];
const OPEN = [NATIVE, USDC, WETH].sort();
const ALL = [NATIVE, USDC, USDT, WETH].sort();

const query = (lists: Record<string, readonly string[]>, rest = ''): string =>
  `?${Object.entries(lists)
    .flatMap(([name, values]) => values.map((value) => `${name}[]=${encodeURIComponent(value)}`))
    .join('&')}${rest}`;

describe('available inputs and outputs', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand(
      { plain: usdcOnramp(USDC), beta: usdcOnramp(USDC, { methods: ['sepa'] }) },
      { EDGE_RULES: JSON.stringify(EDGE_RULES) },
    );
  });
  afterAll(() => stand.stop());

  const outputs = (lists: Record<string, readonly string[]>, rest?: string, asking?: Asking) =>
    stand.get<AvailableAssetsResponse>(`/assets/available-outputs${query(lists, rest)}`, asking);
  const inputs = (lists: Record<string, readonly string[]>, rest?: string, asking?: Asking) =>
    stand.get<AvailableAssetsResponse>(`/assets/available-inputs${query(lists, rest)}`, asking);
  const pathsOf = (body: unknown): string[] =>
    (body as ErrorBody).errors
      .map((error) => ('path' in error ? error.path.join('.') : error.kind))
      .sort();

  it('lists the outputs of an input in lower case, for any case of the query', async () => {
    const inUpperCase = USDC.replace(/0x.*/, (address) => `0x${address.slice(2).toUpperCase()}`);
    const { status, body } = await outputs({ inputs: ['USD', inUpperCase, 'usd'] });
    expect(status).toBe(200);
    expect(body).toEqual({
      usd: { fiats: [], tokens: OPEN },
      [USDC]: { fiats: [], tokens: OPEN },
    });
  });

  it('lists the inputs of an output', async () => {
    const { body } = await inputs({ outputs: [WETH] });
    expect(body).toEqual({ [WETH]: { fiats: ['usd'], tokens: OPEN } });
  });

  it('omits assets without provider, price or available chain', async () => {
    const { body } = await outputs({ inputs: ['eur', UNPRICED, FOREIGN_USDC] });
    expect(body).toEqual({});
    const { status, body: backwards } = await inputs({ outputs: ['usd', FOREIGN_USDC] });
    expect([status, backwards]).toEqual([200, {}]);
  });

  it('applies the filters', async () => {
    const only = { inputs: ['usd', WETH], outputs: [NATIVE, UNPRICED] };
    expect((await outputs(only)).body).toEqual({
      usd: { fiats: [], tokens: [NATIVE] },
      [WETH]: { fiats: [], tokens: [NATIVE] },
    });
    expect((await inputs(only)).body).toEqual({ [NATIVE]: { fiats: ['usd'], tokens: [WETH] } });
    const bought = { inputs: ['usd', WETH], onramps: ['Plain'] };
    expect(Object.keys((await outputs(bought)).body)).toEqual([WETH, 'usd'].sort());
    const closed = { ...bought, onramps: ['beta'] };
    expect(Object.keys((await outputs(closed)).body)).toEqual([WETH]);
    expect((await inputs({ outputs: [USDC], onramps: ['beta'] })).body).toEqual({
      [USDC]: { fiats: [], tokens: OPEN },
    });
  });

  it('separates test chains from live chains', async () => {
    const wanted = { inputs: ['usd', WETH] };
    const everything = (await outputs(wanted)).body;
    expect((await outputs(wanted, '&sandbox=true')).body).toEqual(everything);
    expect((await outputs(wanted, '&sandbox=0')).body).toEqual({});
    expect((await inputs({ outputs: [WETH] }, '&sandbox=false')).body).toEqual({});
  });

  describe('with restricted edges', () => {
    const tokensOf = async (asking: Asking, ...features: string[]) =>
      (await outputs({ inputs: ['usd'], features }, '', asking)).body['usd']?.tokens;
    const betaFor = async (asking: Asking, ...features: string[]) =>
      Object.keys(
        (await outputs({ inputs: ['usd'], onramps: ['beta'], features }, '', asking)).body,
      );
    const quotes = async (orgId: string, output: string, ...features: string[]) => {
      const request = fixedInput('usd', '200', output, { features });
      const { body } = await stand.ask(request, ['quotes'], { orgId });
      return body.quotes.map(({ onramp }) => onramp).sort();
    };
    const theirs = { orgId: OTHER_ORGANISATION };
    const open = (version: number, ...opened_edges: string[]) =>
      stand.transport.publish([organisationRecord(ORGANISATION, version, { opened_edges })]);

    it('shows beta edges to every organisation with the feature, as quotes do', async () => {
      expect(await betaFor({})).toEqual([]);
      expect(await betaFor({}, 'ORG_EDGES', 'ORG_BETA_EDGES')).toEqual([]);
      expect(await betaFor({}, 'BETA_EDGES')).toEqual(['usd']);
      expect(await betaFor(theirs, 'BETA_EDGES')).toEqual(['usd']);
      expect(await quotes(ORGANISATION, WETH)).toEqual(['plain']);
      expect(await quotes(ORGANISATION, WETH, 'BETA_EDGES')).toEqual(['beta', 'plain']);
    });

    it('shows edges that an operator opens for the organisation, until they are closed', async () => {
      const all = ['BETA_EDGES', 'ORG_BETA_EDGES', 'ORG_EDGES'];
      expect(await tokensOf({}, ...all)).toEqual(OPEN);
      expect(await quotes(ORGANISATION, USDT, ...all)).toEqual([]);

      await open(1, 'usdt');
      await eventually(async () => expect(await tokensOf({}, 'ORG_EDGES')).toEqual(ALL));
      expect(await quotes(ORGANISATION, USDT, 'ORG_EDGES')).toEqual(['plain']);
      expect(await quotes(ORGANISATION, USDT, ...all)).toEqual(['beta', 'plain']);
      for (const features of [[], ['BETA_EDGES'], ['ORG_BETA_EDGES']]) {
        expect(await tokensOf({}, ...features)).toEqual(OPEN);
        expect(await quotes(ORGANISATION, USDT, ...features)).toEqual([]);
      }
      expect(await tokensOf(theirs, ...all)).toEqual(OPEN);
      expect(await quotes(OTHER_ORGANISATION, USDT, ...all)).toEqual([]);

      await open(2, 'beta');
      await eventually(async () => expect(await betaFor({}, 'ORG_BETA_EDGES')).toEqual(['usd']));
      expect(await betaFor({}, 'ORG_EDGES')).toEqual([]);
      expect(await betaFor(theirs, 'ORG_BETA_EDGES')).toEqual([]);
      expect(await quotes(ORGANISATION, WETH, 'ORG_BETA_EDGES')).toEqual(['beta', 'plain']);
      expect(await tokensOf({}, ...all)).toEqual(OPEN);

      await open(3);
      await eventually(async () => expect(await betaFor({}, 'ORG_BETA_EDGES')).toEqual([]));
      expect(await quotes(ORGANISATION, WETH, 'ORG_BETA_EDGES')).toEqual(['plain']);
    });
  });

  it('reports every problem of a query together', async () => {
    const wrong = {
      inputs: ['usd', 'nope', 'xyz', `alphanet:0x${'9'.repeat(40)}`],
      outputs: ['nowhere:0x'],
      onramps: ['nobody', 'no body'],
      offramps: ['plain'],
      features: ['ALPHA_EDGES'],
    };
    const { status, body } = await outputs(wrong, '&sandbox=maybe');
    expect(status).toBe(400);
    expect(pathsOf(body)).toEqual([
      'features.0',
      ...['inputs.1', 'inputs.2', 'inputs.3'],
      'offramps.0',
      ...['onramps.0', 'onramps.1', 'onramps.1'],
      'outputs.0',
      'sandbox',
    ]);
    expect((body as unknown as ErrorBody).errors).toContainEqual({
      code: 'invalid_union',
      path: ['inputs', 1],
      message: expect.any(String),
    });
  });

  it.each([
    ['available-outputs', '?outputs[]=usd', 'inputs'],
    ['available-outputs', '?inputs=usd', 'inputs'],
    ['available-outputs', '?inputs[]=', 'inputs.0'],
    ['available-inputs', '?inputs[]=usd', 'outputs'],
    ['available-inputs', '', 'outputs'],
    ['available-inputs', '?outputs[]=usd&outputs[]=', 'outputs.1'],
  ])('refuses %s%s', async (name, asked, path) => {
    const { status, body } = await stand.get(`/assets/${name}${asked}`);
    expect(status).toBe(400);
    expect(new Set(pathsOf(body))).toEqual(new Set([path]));
  });

  it('requires the permission to read assets', async () => {
    const { status } = await outputs({ inputs: ['usd'] }, '', { permissions: ['quotes'] });
    expect(status).toBe(403);
    const anonymous = await fetch(`${stand.service.url}/assets/available-outputs?inputs[]=usd`);
    expect(anonymous.status).toBe(401);
  });

  it('responds from memory, and with 304 to a matching ETag', async () => {
    const wanted = { inputs: ['usd', WETH] };
    const first = await outputs(wanted);
    const built = await stand.graphsBuilt();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    expect(first.headers.get('cache-control')).toMatch(/^private, max-age=/);
    const coverage = stand.coverageRequests('plain');
    for (let i = 0; i < 100; i += 1) {
      const again = await outputs({ inputs: [i % 2 === 0 ? 'usd' : NATIVE, ...ALL.slice(i % 4)] });
      expect(again.status).toBe(200);
    }
    const known = await outputs({ inputs: [WETH, 'usd'] }, '', {
      headers: { 'if-none-match': etag },
    });
    expect([known.status, known.body]).toEqual([304, null]);
    expect(await stand.graphsBuilt()).toBe(built);
    expect(stand.coverageRequests('plain')).toBe(coverage);
  });

  it('rebuilds the graph only when the catalogue or its prices change', async () => {
    const tokensOf = async () => (await outputs({ inputs: ['usd'] })).body['usd']?.tokens ?? [];
    const before = await tokensOf();
    await stand.transport.publish([priceRecord(UNPRICED, '100000')]);
    await eventually(async () => expect(await tokensOf()).toEqual([...before, UNPRICED].sort()));
    const { body } = await stand.ask(fixedInput('usd', '200', UNPRICED));
    expect(body.quotes).toHaveLength(1);
    const built = await stand.graphsBuilt();
    await stand.transport.publish([assetRecord(UNPRICED, 2, false)]);
    await eventually(async () => expect(await tokensOf()).toEqual(before));
    expect(await stand.graphsBuilt()).toBeGreaterThan(built);
    await stand.transport.publish([assetRecord(UNPRICED, 3)]);
    await eventually(async () => expect(await tokensOf()).toContain(UNPRICED));
  });
});

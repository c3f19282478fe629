import type {
  AvailableAssetsResponse,
  ErrorBody,
  PaymentMethodsResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assetRecord, priceRecord, token, USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';

const LIVE_USDC = 'base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const HINT = 'Test keys use test chains only.';
const TEST = { mode: 'test' } as const;

/** A deployment with a live chain, whose node is down, and a provider that takes real money. */
describe('a test key', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand(
      { play: usdcOnramp(USDC), real: usdcOnramp(USDC, { isLive: true }) },
      { CHAINS: 'alphanet,base', RPC_URLS_BASE: 'http://127.0.0.1:9', GEOIP_DB: 'none' },
    );
    await stand.transport.publish([
      assetRecord(LIVE_USDC, 1, true, token(LIVE_USDC, 'USDC', 6)),
      priceRecord(LIVE_USDC, '1'),
    ]);
    await eventually(async () => {
      const { status } = await stand.get(`/payments/methods?input=usd&output=${LIVE_USDC}`);
      expect(status).toBe(200);
    });
  });
  afterAll(() => stand.stop());

  const quote = (body: unknown, asking: object = TEST) => stand.ask(body, undefined, asking);
  const problemsOf = async (body: unknown) => {
    const answer = await quote(body);
    return [answer.status, (answer.body as unknown as ErrorBody).errors];
  };
  const unknownAt = (path: (string | number)[]) => ({
    code: 'custom',
    path,
    message: `Unknown asset ${LIVE_USDC}. ${HINT}`,
  });

  it('is quoted test chains by sandbox providers only', async () => {
    const { status, body } = await quote(fixedInput('usd', '100', WETH));
    expect(status).toBe(200);
    expect(body.quotes.map(({ onramp }) => onramp)).toEqual(['play']);
    expect(body.failures).toEqual([]);
    const live = await quote(fixedInput('usd', '100', WETH), { mode: 'live' });
    expect(live.body.quotes.map(({ onramp }) => onramp).sort()).toEqual(['play', 'real']);
  });

  it('is refused assets, hops and providers of live chains by name', async () => {
    expect(await problemsOf(fixedInput(LIVE_USDC, '5', WETH))).toEqual([
      400,
      [unknownAt(['request', 'fixed_input_amount', 'asset'])],
    ]);
    expect(await problemsOf(fixedInput(USDC, '5', LIVE_USDC))).toEqual([
      400,
      [unknownAt(['request', 'output_asset'])],
    ]);
    expect(await problemsOf(fixedInput(USDC, '5', WETH, { hops: ['base'] }))).toEqual([
      400,
      [{ code: 'custom', path: ['hops', 0], message: 'Unknown chain base.' }],
    ]);
    const { body } = await quote(fixedInput('usd', '100', WETH, { onramps: ['real'] }));
    expect(body).toMatchObject({
      quotes: [],
      failures: [{ service_ids: ['real'], issues: [{ kind: 'provider' }] }],
    });
  });

  it('discovers neither live chains nor parties that take real money', async () => {
    const outputs = (query: string, asking: object) =>
      stand.get<AvailableAssetsResponse>(`/assets/available-outputs?${query}`, asking);
    const { body } = await outputs('inputs[]=usd', TEST);
    expect(body['usd']?.tokens).toContain(WETH);
    expect(JSON.stringify(body)).not.toContain('base:');
    const named = await outputs(`inputs[]=${LIVE_USDC}`, TEST);
    expect([named.status, named.body]).toEqual([400, { errors: [unknownAt(['inputs', 0])] }]);
    expect((await outputs('inputs[]=usd&sandbox=false', TEST)).body).toEqual({});
    expect((await outputs('inputs[]=usd&onramps[]=real', TEST)).status).toBe(400);
    const methods = `/payments/methods?input=usd&output=${USDC}`;
    expect((await stand.get<PaymentMethodsResponse>(methods, TEST)).body.providers).toEqual({
      play: ['ACH'],
    });
    const live = (await stand.get<PaymentMethodsResponse>(methods)).body.providers;
    expect(Object.keys(live)).toEqual(['play', 'real']);
  });

  it('is apart from a live key, which sees live chains unless it asks for others', async () => {
    const outputs = async (query: string) =>
      (await stand.get<AvailableAssetsResponse>(`/assets/available-outputs?${query}`)).body;
    expect(await outputs('inputs[]=usd')).toEqual({});
    expect((await outputs('inputs[]=usd&sandbox=true'))['usd']?.tokens).toContain(WETH);
  });
});

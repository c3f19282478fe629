import type {
  AvailableAssetsResponse,
  ErrorBody,
  KeyMode,
  PaymentMethodsResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assetRecord, priceRecord, token, USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import {
  aParent,
  park,
  parentRecord,
  type ParentChange,
} from '../testing/parent-payments.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';

const LIVE_USDC = 'base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** The live chain's node is down. */
const CHAINS = { CHAINS: 'alphanet,base', RPC_URLS_BASE: 'http://127.0.0.1:9', GEOIP_DB: 'none' };
const HINTS = {
  live: 'Live keys use live chains only.',
  test: 'Test keys use test chains only.',
} as const;

/** Sells USDC of both chains. */
const onramp = (isLive: boolean) => {
  const [tokens, { sells }] = [usdcOnramp(USDC, { isLive }), usdcOnramp(LIVE_USDC)];
  return { ...tokens, sells: [...tokens.sells, ...sells] };
};

/** A deployment with a live chain, and a provider of each mode. */
async function startMixed(settings: Record<string, string> = {}): Promise<QuoteStand> {
  const stand = await startQuoteStand(
    { play: onramp(false), real: onramp(true) },
    { ...CHAINS, ...settings },
  );
  await stand.transport.publish([
    assetRecord(LIVE_USDC, 1, true, token(LIVE_USDC, 'USDC', 6)),
    priceRecord(LIVE_USDC, '1'),
  ]);
  await eventually(async () => {
    const { status } = await stand.get(`/payments/methods?input=usd&output=${LIVE_USDC}`);
    expect(status).toBe(200);
  });
  return stand;
}

describe('a deployment with live chains', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startMixed();
  });
  afterAll(() => stand.stop());

  describe.each([
    { mode: 'test', own: USDC, others: LIVE_USDC, chain: 'base', provider: 'real' },
    { mode: 'live', own: LIVE_USDC, others: USDC, chain: 'alphanet', provider: 'play' },
  ] as const)('keeps a $mode key', ({ mode, own, others, chain, provider }) => {
    const quote = (body: unknown) => stand.ask(body, undefined, { mode });
    const get = <T>(path: string) => stand.get<T>(path, { mode });
    const outputs = (query: string) =>
      get<AvailableAssetsResponse>(`/assets/available-outputs?${query}`);
    const unknownAt = (...path: (string | number)[]) => ({
      code: 'custom',
      path,
      message: `Unknown asset ${others}. ${HINTS[mode]}`,
    });
    const problemsOf = async (body: unknown) => {
      const answer = await quote(body);
      return [answer.status, (answer.body as unknown as ErrorBody).errors];
    };

    it('from quotes for assets, hops and providers of the other mode', async () => {
      expect(await problemsOf(fixedInput(others, '5', own))).toEqual([
        400,
        [unknownAt('request', 'fixed_input_amount', 'asset')],
      ]);
      expect(await problemsOf(fixedInput('usd', '100', others))).toEqual([
        400,
        [unknownAt('request', 'output_asset')],
      ]);
      expect(await problemsOf(fixedInput(own, '5', own, { hops: [chain] }))).toEqual([
        400,
        [{ code: 'custom', path: ['hops', 0], message: `Unknown chain ${chain}.` }],
      ]);
      const { body } = await quote(fixedInput('usd', '100', own, { onramps: [provider] }));
      expect(body.quotes).toEqual([]);
      const message = `Unknown provider ${provider}.`;
      expect(body.failures).toContainEqual(
        expect.objectContaining({
          service_ids: [provider],
          issues: [{ kind: 'provider', message }],
        }),
      );
    });

    it('from discovering assets and providers of the other mode', async () => {
      const queries = ['', '&sandbox=true', '&sandbox=false'];
      const every = await Promise.all(queries.map((query) => outputs(`inputs[]=usd${query}`)));
      expect(every.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(JSON.stringify(every.map(({ body }) => body))).not.toContain(`${chain}:`);
      const named = await outputs(`inputs[]=${others}`);
      expect([named.status, named.body]).toEqual([400, { errors: [unknownAt('inputs', 0)] }]);
      expect((await outputs(`inputs[]=usd&onramps[]=${provider}`)).status).toBe(400);
      const methods = (output: string) =>
        get<PaymentMethodsResponse>(`/payments/methods?input=usd&output=${output}`);
      const { providers } = (await methods(own)).body;
      expect(providers).not.toHaveProperty(provider);
      expect((await methods(others)).status).toBe(400);
    });
  });

  describe('refuses a requote', () => {
    /** Earlier payment whose wallet holds money on the test chain. */
    const parked = async (change: ParentChange = {}): Promise<string> => {
      const parent = aParent(change);
      await stand.transport.publish([parentRecord(parent)]);
      await park(stand, parent, 50_000_000n);
      return parent.id;
    };
    const requote = async (mode: KeyMode, payment_id: string, request?: object) => {
      const { status, body } = await stand.ask({ payment_id, request }, undefined, { mode });
      return { status, errors: (body as unknown as ErrorBody).errors };
    };
    const output = {
      code: 'custom',
      path: ['request', 'output_asset'],
      message: `Unknown asset ${LIVE_USDC}. ${HINTS.test}`,
    };

    it('into a live chain to a test key', async () => {
      const payment = await parked();
      expect(await requote('test', payment, { output_asset: LIVE_USDC })).toEqual({
        status: 400,
        errors: [output],
      });
      expect((await requote('test', payment, { output_asset: WETH })).status).toBe(200);
    });

    it('to a test key where the output of the payment itself is on a live chain', async () => {
      const payment = await parked({ output: LIVE_USDC });
      expect(await requote('test', payment)).toEqual({ status: 400, errors: [output] });
    });

    it('to a live key where the money is on a test chain', async () => {
      const path = ['request', 'fixed_input_amount', 'asset'];
      const message = `Unknown asset ${USDC}. ${HINTS.live}`;
      const { status, errors } = await requote('live', await parked({ output: LIVE_USDC }));
      expect([status, errors]).toEqual([400, [{ code: 'custom', path, message }]]);
    });
  });

  it('quotes test chains by sandbox providers to a test key', async () => {
    const { status, body } = await stand.ask(fixedInput('usd', '100', WETH), undefined, {
      mode: 'test',
    });
    expect([status, body.failures]).toEqual([200, []]);
    expect(body.quotes.map(({ onramp }) => onramp)).toEqual(['play']);
    expect(await stand.open(body.state_token)).toMatchObject({ mode: 'test' });
    const found = await stand.get<AvailableAssetsResponse>(
      '/assets/available-outputs?inputs[]=usd',
      { mode: 'test' },
    );
    expect(found.body['usd']?.tokens).toContain(WETH);
    const path = `/payments/methods?input=usd&output=${USDC}`;
    const methods = await stand.get<PaymentMethodsResponse>(path, { mode: 'test' });
    expect(methods.body).toEqual({ providers: { play: ['ACH'] } });
  });
});

describe('a deployment with live chains and ASSET_SCOPE=all', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startMixed({ ASSET_SCOPE: 'all' });
  });
  afterAll(() => stand.stop());

  it('offers the chains and providers of both modes to live keys, and those of tests to test keys', async () => {
    const sellers = async (mode: 'live' | 'test') => {
      const { body } = await stand.ask(fixedInput('usd', '100', WETH), undefined, { mode });
      return body.quotes.map(({ onramp }) => onramp).sort();
    };
    expect(await sellers('live')).toEqual(['play', 'real']);
    expect(await sellers('test')).toEqual(['play']);
  });
});

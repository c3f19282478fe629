import { compareDecimals, subDecimals } from '@bascule/amounts';
import { parseTokenIdentifier, type Quote } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NATIVE, priceRecord, USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import type { OnrampBehaviour, StubOnramp } from '../testing/stub-onramps.fixture.js';

const TIMEOUT_MS = 3_000;
const usdc = {
  network: 'alphanet',
  contract: parseTokenIdentifier(USDC).address,
  decimals: 6,
  usd: 1n,
};
const weth = {
  network: 'alphanet',
  contract: parseTokenIdentifier(WETH).address,
  decimals: 18,
  usd: 3_000n,
};
const stub = (
  conduct: OnrampBehaviour,
  feePercent: bigint,
  rest: Partial<StubOnramp> = {},
): StubOnramp => ({
  behaviour: conduct,
  feePercent,
  sells: [usdc],
  methods: ['credit_card'],
  ...rest,
});

const stubs = {
  dear: stub('honest', 4n, { methods: ['credit_card', 'apple_pay'] }),
  cheap: stub('honest', 1n, { methods: ['ach'] }),
  both: stub('honest', 2n, { methods: ['sepa'], sells: [usdc, weth] }),
  silent: stub('silent', 0n),
  down: stub('down', 0n),
  liar: stub('other-token', 0n),
  twister: stub('other-amount', 0n),
  gift: stub('too-good', 0n),
  broken: stub('broken-json', 0n),
  picky: stub('refuses', 0n),
};
const HONEST = ['dear', 'cheap', 'both'];
const FAILING = ['broken', 'down', 'gift', 'liar', 'picky', 'silent', 'twister'];

describe('quotes of fiat for tokens', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand(stubs, { PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS) });
  });
  afterAll(() => stand.stop());

  const ramps = (quotes: readonly Quote[]): string[] =>
    quotes.map(({ onramp, onramp_method }) => `${String(onramp)} ${String(onramp_method)}`);

  it('quotes every provider and method, highest output first, beside failing ones', async () => {
    const { status, body } = await stand.ask(fixedInput('USD', '200', USDC));
    expect(status).toBe(200);
    expect(ramps(body.quotes)).toEqual([
      'cheap ACH',
      'both SEPA',
      ...['dear CREDIT_CARD', 'dear APPLE_PAY'],
    ]);
    const outputs = body.quotes.map(({ output_amount: { amount } }) => Number(amount));
    expect(outputs).toEqual([...outputs].sort((a, b) => b - a));
    expect(new Set(body.quotes.map(({ payment_id }) => payment_id)).size).toBe(4);
    expect(body.fault).toBeNull();
    expect(body.limits).toHaveLength(Object.keys(stubs).length);
    for (const limits of body.limits) {
      expect(limits).toEqual({ source: expect.any(String), min: '20', max: '5000' });
    }
  });

  it('reports providers that time out, are down, refuse or respond wrongly', async () => {
    const { body } = await stand.ask(fixedInput('usd', '200', USDC));
    const failures = new Map(body.failures.map((each) => [each.service_ids.join(), each]));
    expect([...failures.keys()].sort()).toEqual(FAILING);
    for (const name of FAILING) expect(failures.get(name)?.issues).toHaveLength(1);
    expect(failures.get('silent')?.latency_seconds).toBeGreaterThanOrEqual(TIMEOUT_MS / 1_000);
    expect(failures.get('picky')?.issues[0]).toMatchObject({
      kind: 'amount',
      limits: { min: '20', max: '5000' },
      source: 'picky',
      message: 'Given amount is 200 USD, but picky accepts 20 to 5000 USD.',
      reason: 'TOO_LOW',
    });
    expect(failures.get('gift')?.issues[0]).toMatchObject({ kind: 'provider' });
  });

  it('plans the bounds of the delivery and of the output', async () => {
    const { body } = await stand.ask(fixedInput('usd', '200', USDC, { onramps: ['Cheap'] }));
    expect(ramps(body.quotes)).toEqual(['cheap ACH']);
    expect(body.failures).toEqual([]);
    const { quotes } = await stand.open(body.state_token);
    const plan = quotes[0]?.plan;
    expect(plan).toMatchObject({
      funding: {
        kind: 'onramp',
        provider: 'cheap',
        method: 'ACH',
        fiat: 'usd',
        fiat_amount: '200',
        provider_quote_id: 'quote-1',
        delivery_amount: '198000000',
      },
      deposit: { token: USDC, required_amount: '197010000' },
      legs: [{ input_amount: '198000000', max_input: '207900000' }],
    });
    const wider = { onramps: ['Cheap'], allow_unsafe_slippage: true };
    const wide = await stand.ask(fixedInput('usd', '200', USDC, wider));
    const opened = await stand.open(wide.body.state_token);
    expect(opened.quotes[0]?.plan.deposit).toEqual(plan?.deposit);
    const [leg] = plan?.legs ?? [];
    const output = BigInt(leg?.output_amount ?? 0);
    expect(output).toBe(198_000_000n - BigInt(leg?.fees[0]?.amount ?? 0));
    expect(BigInt(leg?.min_output ?? 0) * 1_000n).toBeGreaterThanOrEqual(output * 995n);
    expect(body.quotes[0]?.route[0]).toMatchObject({
      type: 'ONRAMP',
      net_effect: {
        consume: [{ account: 'USER', resource: { asset: 'usd' }, amount: '200' }],
        produce: [{ account: 'SPW', resource: { asset: USDC }, amount: '198' }],
      },
    });
  });

  it('converts a sold token, or buys the output directly where that yields more', async () => {
    const { body } = await stand.ask(fixedInput('usd', '200', WETH, { onramps: HONEST }));
    expect(ramps(body.quotes).sort()).toEqual([
      'both SEPA',
      'cheap ACH',
      'dear APPLE_PAY',
      'dear CREDIT_CARD',
    ]);
    const { quotes } = await stand.open(body.state_token);
    const depositOf = (provider: string): string | undefined =>
      quotes.find(({ quote }) => quote.onramp === provider)?.plan.deposit.token;
    expect(depositOf('cheap')).toBe(USDC);
    expect(depositOf('both')).toBe(WETH);
    const converted = quotes.find(({ quote }) => quote.onramp === 'cheap')?.plan.legs[0];
    const output = BigInt(converted?.output_amount ?? 0);
    const promised = BigInt(converted?.min_output ?? 0);
    expect(promised * 100n).toBeGreaterThanOrEqual(output * 99n);
    expect(promised * 1_000n).toBeLessThan(output * 991n);
    expect(body.current_prices).toMatchObject({ usd: '1.0', [USDC]: '1', [WETH]: '3000' });
  });

  it('delivers native currency', async () => {
    const { body } = await stand.ask(fixedInput('usd', '200', NATIVE, { onramps: ['cheap'] }));
    expect(body.quotes[0]?.output_amount.asset).toBe(NATIVE);
  });

  it("attributes the provider's margin to conversion fees", async () => {
    const { body } = await stand.ask(fixedInput('usd', '200', USDC, { onramps: ['cheap'] }));
    const fees = body.quotes[0]?.fees;
    expect(fees?.conversion_fees).toBe('2');
    const rest = subDecimals(fees?.total_fees ?? '0', fees?.network_fees ?? '0');
    expect(compareDecimals(rest, '2')).toBe(0);
  });

  it('applies the method filter', async () => {
    const rest = { onramp_methods: ['ACH', 'SEPA'] };
    const { body } = await stand.ask(fixedInput('usd', '200', USDC, rest));
    expect(ramps(body.quotes)).toEqual(['cheap ACH', 'both SEPA']);
    expect(body.failures).toEqual([]);
  });

  it('reports the limits when only the amount is at fault', async () => {
    const tooLow = await stand.refused(
      fixedInput('usd', '5', USDC, { onramps: ['cheap', 'both'] }),
    );
    expect(tooLow.status).toBe(400);
    expect(tooLow.body.errors).toHaveLength(2);
    expect(tooLow.body.errors[0]).toMatchObject({
      kind: 'amount',
      asset: 'usd',
      given: '5',
      limits: { min: '20', max: '5000' },
      source: 'cheap',
      message: 'Given amount is 5 USD, but cheap accepts 20 to 5000 USD by ACH.',
      reason: 'TOO_LOW',
    });
    const tooHigh = await stand.refused(fixedInput('usd', '5000.01', USDC, { onramps: ['cheap'] }));
    expect(tooHigh.body.errors).toEqual([expect.objectContaining({ reason: 'TOO_HIGH' })]);
  });

  it('responds 200 with a fault when every provider fails', async () => {
    const { status, body } = await stand.ask(
      fixedInput('usd', '200', USDC, { onramps: ['silent', 'down'] }),
    );
    expect(status).toBe(200);
    expect(body.quotes).toEqual([]);
    expect(body.failures).toHaveLength(2);
    expect(body.fault).toMatchObject({ kind: 'provider' });
    expect(body.state_token).not.toBe('');
  });

  it('reports that no route starts from a currency', async () => {
    const { status, body } = await stand.ask(fixedInput('eur', '200', USDC));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      quotes: [],
      fault: { kind: 'other', message: `No route from eur to ${USDC}.` },
    });
  });

  it('keeps other quotes beside a conversion with a high price impact, and reports it', async () => {
    await stand.transport.publish([priceRecord(WETH, '2500', 2)]);
    const request = fixedInput('usd', '200', WETH, { onramps: ['cheap', 'both'] });
    await eventually(async () => {
      const { body } = await stand.ask(request);
      expect(ramps(body.quotes)).toEqual(['both SEPA']);
      expect(body.fault).toBeNull();
      expect(body.failures).toMatchObject([
        {
          service_ids: ['uniswap_v3'],
          issues: [{ kind: 'amount', asset: 'usd', given: '200', reason: 'UNEXPECTEDLY_LOW' }],
        },
      ]);
    });
    await stand.transport.publish([priceRecord(WETH, '3000', 3)]);
    await eventually(async () => expect((await stand.ask(request)).body.quotes).toHaveLength(2));
  });

  it('counts requests by outcome and times providers by outcome', async () => {
    await stand.ask(fixedInput('eur', '200', USDC, { onramps: ['cheap'] }));
    await stand.refused(fixedInput('usd', '1', USDC, { onramps: ['cheap'] }));
    // A provider whose coverage timed out is retried after its backoff.
    await eventually(async () => {
      await stand.ask(fixedInput('usd', '200', USDC));
      const metrics = await (await fetch(`${stand.service.operationsUrl}/metrics`)).text();
      for (const outcome of ['quoted', 'none', 'refused']) {
        expect(metrics).toContain(`quote_requests_total{outcome="${outcome}"} `);
      }
      for (const [provider, outcome] of [
        ['cheap', 'answered'],
        ['down', 'unavailable'],
        ['silent', 'unavailable'],
        ['picky', 'amount'],
      ] as const) {
        const labels = `provider="${provider}",question="quote",outcome="${outcome}"`;
        expect(metrics).toContain(`quote_provider_request_duration_seconds_count{${labels}} `);
      }
    });
  });

  it('refuses equal fiat input and output', async () => {
    const { status, body } = await stand.refused(fixedInput('usd', '200', 'USD'));
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ path: ['request', 'output_asset'] })]);
  });
});

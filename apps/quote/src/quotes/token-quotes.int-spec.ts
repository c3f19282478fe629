import { addDecimals, compareDecimals, parseAmount, subDecimals, valueOf } from '@bascule/amounts';
import { Chain, chainDefinitions } from '@bascule/chain';
import {
  parseTokenIdentifier,
  type ErrorBody,
  type Quote,
  type QuotesResponse,
} from '@bascule/contracts';
import { createDataSource, pendingSchemaChanges } from '@bascule/persistence';
import { bestQuote, createVenues } from '@bascule/venues';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entities, migrations } from '../persistence/persistence.config.js';
import {
  assetRecord,
  FOREIGN_USDC,
  NATIVE,
  priceRecord,
  UNPRICED,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  FEE_RECEIVER,
  fixedInput,
  ORGANISATION,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';

const DECIMALS: Record<string, number> = { [USDC]: 6, [USDT]: 6, [WETH]: 18, [NATIVE]: 18 };
const units = ({ asset, amount }: { asset: string; amount: string }): bigint =>
  parseAmount(amount, DECIMALS[asset] ?? 0);

describe('quotes of tokens for tokens', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand({});
  });
  afterAll(() => stand.stop());

  async function onlyQuote(
    asset: string,
    amount: string,
    output: string,
    rest: object = {},
  ): Promise<{ quote: Quote; response: QuotesResponse }> {
    const { status, body } = await stand.ask(fixedInput(asset, amount, output, rest));
    expect(body.failures ?? body).toEqual([]);
    expect(status).toBe(200);
    const [quote] = body.quotes;
    if (!quote || body.quotes.length > 1) throw new Error('expected one quote');
    return { quote, response: body };
  }

  it("quotes the pools' output for the input less the network fee", async () => {
    const { quote, response } = await onlyQuote(USDC, '100', WETH);
    const { quotes } = await stand.open(response.state_token);
    const leg = quotes[0]?.plan.legs[0];
    const fee = BigInt(leg?.fees[0]?.amount ?? 0);
    expect(fee).toBeGreaterThan(0n);

    const definition = chainDefinitions['alphanet'];
    if (!definition) throw new Error('alphanet is not defined');
    const chain = new Chain({ definition, rpcUrls: [stand.chain.rpcUrl] });
    const expected = await bestQuote(createVenues(), chain.anyNode, {
      inputToken: parseTokenIdentifier(USDC).address,
      outputToken: parseTokenIdentifier(WETH).address,
      amountIn: 100_000_000n - fee,
    });
    expect(units(quote.output_amount)).toBe(expected?.amountOut);
    expect(leg).toMatchObject({
      chain: 'alphanet',
      input_token: USDC,
      input_amount: '100000000',
      max_input: '100000000',
      fees: [{ kind: 'network', receiver: FEE_RECEIVER }],
      output_token: WETH,
      output_amount: String(expected?.amountOut),
    });
    const minOutput = BigInt(leg?.min_output ?? 0);
    expect(minOutput * 1_000n).toBeGreaterThanOrEqual(units(quote.output_amount) * 995n);
    expect(minOutput).toBeLessThan(units(quote.output_amount));
  });

  it.each([
    ['a conversion', USDC, '250', WETH],
    ['native currency in', NATIVE, '0.5', USDC],
    ['native currency out', USDT, '250', NATIVE],
    ['unwrapping', WETH, '0.1', NATIVE],
    ['a plain transfer', USDC, '12.345678', USDC],
    ['a plain transfer of native currency', NATIVE, '1', NATIVE],
  ])('splits the whole lost value into fees: %s', async (_, asset, amount, output) => {
    const { quote, response } = await onlyQuote(asset, amount, output);
    const { fees, output_amount: out } = quote;
    const price = (of: string): string => response.current_prices[of] ?? '';
    const left = subDecimals(
      valueOf(units({ asset, amount }), DECIMALS[asset] ?? 0, price(asset)),
      fees.total_fees,
    );
    const received = valueOf(units(out), DECIMALS[output] ?? 0, price(output));
    const difference = subDecimals(received, left);
    expect(compareDecimals(difference, '0.00000001')).toBe(-1);
    expect(compareDecimals(difference, '0')).not.toBe(-1);
    const conversion = fees.conversion_fees.startsWith('-')
      ? subDecimals('0', fees.conversion_fees.slice(1))
      : fees.conversion_fees;
    const sum = addDecimals(conversion, fees.network_fees, fees.business_fees);
    expect(compareDecimals(sum, fees.total_fees)).toBe(0);
    expect(fees.currency_symbol).toBe('usd');
    if (asset === output) expect(fees.conversion_fees).toBe('0');
  });

  it('declares the exact output of a plain transfer', async () => {
    const { quote, response } = await onlyQuote(USDC, '20', USDC);
    const { quotes } = await stand.open(response.state_token);
    expect(quotes[0]?.plan.legs[0]?.min_output).toBe(String(units(quote.output_amount)));
    expect(quote.route.map(({ type }) => type)).toEqual(['USER_FUND', 'ONCHAIN_STEP']);
    expect(quote).not.toHaveProperty('onramp');
  });

  it('seals the plan and terms for confirmation', async () => {
    const rest = {
      label: 'order 7',
      tags: ['a'],
      customer_geolocation: { alpha3_country_code: 'DEU' },
    };
    const { quote, response } = await onlyQuote(USDC, '20', WETH, rest);
    expect(response.quote_request).toEqual(fixedInput(USDC, '20', WETH, rest));
    const state = await stand.open(response.state_token);
    expect(state).toMatchObject({
      org_id: ORGANISATION,
      quote_request: { ...fixedInput(USDC, '20', WETH, rest), features: [] },
      quotes: [{ quote, plan: { funding: { kind: 'token' } } }],
      current_prices: response.current_prices,
      price_currency: 'usd',
      geolocation: { alpha3_country_code: 'DEU', state_code: '' },
      quoted_at: response.quoted_at,
      accept_by: response.accept_by,
    });
    expect(Date.parse(response.accept_by) - Date.parse(response.quoted_at)).toBe(300_000);
    expect(quote.payment_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(response.state_token.length).toBeLessThan(64 * 1024);
  });

  it('accepts any letter case and responds in lower case', async () => {
    const inUpperCase = (id: string) => `alphanet:0x${id.slice(11).toUpperCase()}`;
    const dest_address = FEE_RECEIVER.toLowerCase();
    const { request } = fixedInput(inUpperCase(USDC), '20', inUpperCase(WETH));
    const rest = { price_currency: 'EUR', onramps: ['SwiftRamp'], onramp_methods: ['SEPA'] };
    const { status, body } = await stand.ask({ request: { ...request, dest_address }, ...rest });
    expect(status).toBe(200);
    const [quote] = body.quotes;
    expect(quote?.output_amount.asset).toBe(WETH);
    expect(quote?.fees.currency_symbol).toBe('eur');
    const changes = quote?.route.flatMap(({ net_effect: { consume, produce } }) => [
      ...consume,
      ...produce,
    ]);
    expect(new Set(changes?.map(({ resource }) => resource.asset))).toEqual(new Set([USDC, WETH]));
    expect(body.quote_request).toEqual({
      request: { ...fixedInput(USDC, '20', WETH).request, dest_address: FEE_RECEIVER },
      ...{ ...rest, price_currency: 'eur', onramps: ['swiftramp'] },
    });
    expect(body.price_currency).toBe('eur');
    expect(Object.keys(body.current_prices).sort()).toEqual([USDC, WETH, 'eur'].sort());
    expect(body.failures).toMatchObject([{ service_ids: ['swiftramp'] }]);
  });

  it('converts prices to another currency by its rate', async () => {
    const { quote, response } = await onlyQuote(USDC, '20', USDC, { price_currency: 'eur' });
    expect(response.current_prices).toEqual({ eur: '1.0', [USDC]: '0.8' });
    expect(quote.fees.currency_symbol).toBe('eur');
    const dollars = await onlyQuote(USDC, '20', USDC);
    expect(Number(quote.fees.total_fees)).toBeCloseTo(
      Number(dollars.quote.fees.total_fees) * 0.8,
      3,
    );
  });

  const leastOf = (body: ErrorBody): string => {
    const [issue] = body.errors;
    return String(issue && 'limits' in issue ? issue.limits.min : undefined);
  };

  it.each([
    ['a transfer', USDC],
    ['a conversion too small for any venue', WETH],
  ])('refuses %s below the network fee and reports a minimum that works', async (_, output) => {
    const { status, body } = await stand.refused(fixedInput(USDC, '0.000001', output));
    expect(status).toBe(400);
    const least = leastOf(body);
    expect(body.errors).toEqual([
      {
        kind: 'amount',
        asset: USDC,
        given: '0.000001',
        limits: { min: least },
        source: 'alphanet',
        message:
          'Given amount is 0.000001 USDC, of which the network fee of alphanet leaves nothing.',
        reason: 'TOO_LOW',
      },
    ]);
    await onlyQuote(USDC, least, output);
  });

  it('refuses an amount of which fees take over half, also with allow_unsafe_slippage', async () => {
    const below = await stand.refused(fixedInput(USDC, '0.000001', USDC));
    const half = String(Number((Number(leastOf(below.body)) * 0.75).toFixed(6)));
    const { status, body } = await stand.refused(fixedInput(USDC, half, USDC));
    expect(status).toBe(400);
    const least = leastOf(body);
    expect(body.errors).toEqual([
      {
        kind: 'amount',
        asset: USDC,
        given: half,
        limits: { min: least },
        source: 'alphanet',
        message: expect.stringMatching(
          /^Given amount is [0-9.]+ USDC, of which fees take [5-9][0-9] %; at most 50 % is accepted\.$/,
        ),
        reason: 'UNEXPECTEDLY_LOW',
      },
    ]);
    const wide = { allow_unsafe_slippage: true };
    expect(await stand.refused(fixedInput(USDC, half, USDC, wide))).toEqual({ status, body });
    await onlyQuote(USDC, least, USDC);
  });

  it('refuses a conversion with a high price impact, unless allow_unsafe_slippage is set', async () => {
    const whale = ['100000', USDC] as const;
    const { status, body } = await stand.refused(fixedInput(WETH, ...whale));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({
        kind: 'amount',
        asset: WETH,
        given: '100000',
        limits: {},
        source: 'uniswap_v3',
        message:
          'Given amount is 100000 WETH, but the output of uniswap_v3 is worth over 10 % less than its input.',
        reason: 'UNEXPECTEDLY_LOW',
      }),
    ]);
    await onlyQuote(WETH, ...whale, { allow_unsafe_slippage: true });
  });

  it('responds without quotes and with a fault when no route exists', async () => {
    const { status, body } = await stand.ask(fixedInput(USDC, '20', FOREIGN_USDC));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      quotes: [],
      failures: [],
      limits: [],
      fault: { kind: 'other', message: `No route from ${USDC} to ${FOREIGN_USDC}.` },
    });
    expect(body.current_prices).toEqual({ usd: '1.0', [USDC]: '1', [FOREIGN_USDC]: '1' });
  });

  it('fails a route of an unreachable chain', async () => {
    const { status, body } = await stand.ask(fixedInput(FOREIGN_USDC, '20', FOREIGN_USDC));
    expect(status).toBe(200);
    expect(body.quotes).toEqual([]);
    expect(body.failures).toEqual([
      expect.objectContaining({ service_ids: ['betanet'], issues: [expect.anything()] }),
    ]);
    expect(body.fault).toEqual(body.failures[0]?.issues[0]);
  });

  it('fails routes that need the missing price of an asset with pools', async () => {
    const { status, body: response } = await stand.ask(fixedInput(USDC, '20', UNPRICED));
    expect(status).toBe(200);
    expect(response.quotes).toEqual([]);
    const issue = { kind: 'other', message: `No current price of ${UNPRICED}.` };
    expect(response.fault).toEqual(issue);
    expect(response.failures).toEqual([
      { service_ids: ['prices'], latency_seconds: expect.any(Number), issues: [issue] },
    ]);
  });

  it.each([
    ['routes', USDC, '20', USDC],
    ['fees alone', NATIVE, '1', NATIVE],
    ['nothing, without a route', USDC, '20', FOREIGN_USDC],
  ])('refuses a price currency without a price that %s would need', async (_, ...swap) => {
    const { status, body } = await stand.refused(fixedInput(...swap, { price_currency: 'GBP' }));
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [{ code: 'custom', path: ['price_currency'], message: 'No current price of gbp.' }],
    });
  });

  it('reports every problem of a request together', async () => {
    const { status, body } = await stand.refused({
      ...fixedInput('usd', '1.234', 'nowhere:0x', {
        price_currency: 'xyz',
        onramps: ['no body'],
        onramp_methods: ['CASH'],
        customer_ip_address: 'here',
        label: 'x'.repeat(256),
        tags: 'a',
      }),
    });
    expect(status).toBe(400);
    const paths = body.errors.map((error) => ('path' in error ? error.path.join('.') : error.kind));
    expect(paths.sort()).toEqual([
      'customer_ip_address',
      'label',
      'onramp_methods.0',
      'onramps.0',
      'price_currency',
      'request.fixed_input_amount.amount',
      'request.output_asset',
      'tags',
    ]);
  });

  it.each([
    ['a requote', { payment_id: 'x' }, 'payment_id'],
    ['an empty body', {}, 'request'],
  ])('refuses %s', async (_, body, path) => {
    const { status, body: answer } = await stand.refused(body);
    expect(status).toBe(400);
    expect(answer.errors).toEqual([expect.objectContaining({ path: path.split('.') })]);
  });

  it.each([
    ['an address with a wrong checksum', `0x70997970c51812dc3A010C7d01b50e0d17dc79C8`],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['a precompile', `0x${'0'.repeat(38)}11`],
  ])('refuses %s as destination', async (_, dest_address) => {
    const { request } = fixedInput(USDC, '20', WETH);
    const { status, body } = await stand.refused({ request: { ...request, dest_address } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: ['request', 'dest_address'] }]);
  });

  it('accepts zeros beyond the decimals and refuses other excess decimals', async () => {
    const padded = await onlyQuote(USDC, '20.0000000', WETH);
    const { quote } = await onlyQuote(USDC, '20', WETH);
    expect(padded.quote.output_amount).toEqual(quote.output_amount);
    const { quotes } = await stand.open(padded.response.state_token);
    expect(quotes[0]?.plan.deposit.required_amount).toBe('20000000');
    const { status, body } = await stand.refused(fixedInput(USDC, '20.0000001', WETH));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        code: 'custom',
        path: ['request', 'fixed_input_amount', 'amount'],
        message: 'Expected at most 6 decimals.',
      },
    ]);
  });

  it('refuses an amount above 256 bits', async () => {
    const { status, body } = await stand.refused(fixedInput(USDC, '9'.repeat(73), WETH));
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { code: 'custom', path: ['request', 'fixed_input_amount', 'amount'] },
    ]);
  });

  it('refuses malformed calldata', async () => {
    const { request } = fixedInput(USDC, '20', WETH);
    const target = parseTokenIdentifier(USDC).address;
    const action = { type: 'CallImmediateAction', target, value: '0', calldata: '0x123' };
    const custom_actions = { actions: [action], user_estimated_gas: '1' };
    const { status, body } = await stand.refused({ request: { ...request, custom_actions } });
    expect(status).toBe(400);
    const paths = body.errors.map((error) => ('path' in error ? error.path.join('.') : ''));
    expect(paths).toContain('request.custom_actions.actions.0.calldata');
  });

  it('treats null as absent', async () => {
    const nothing = { payment_id: null, hops: null, price_currency: null, label: null };
    const { response } = await onlyQuote(USDC, '20', USDC, nothing);
    expect(response.quote_request).toEqual(fixedInput(USDC, '20', USDC));
  });

  it('states whether a secret key vouches for the customer', async () => {
    const body = { ...fixedInput(USDC, '100', WETH), customer_id: 'customer-1' };
    const isVouched = async (kind: 'secret' | 'publishable') => {
      const { body: answer } = await stand.ask(body, ['quotes'], { kind });
      return (await stand.open(answer.state_token)).is_customer_vouched;
    };
    expect(await isVouched('secret')).toBe(true);
    expect(await isVouched('publishable')).toBe(false);
  });

  it('requires the permission to quote', async () => {
    expect((await stand.refused(fixedInput(USDC, '20', USDC), ['assets'])).status).toBe(403);
    const anonymous = await fetch(`${stand.service.url}/payments/quotes`, { method: 'POST' });
    expect(anonymous.status).toBe(401);
  });

  it('follows price changes and delistings of the catalogue', async () => {
    await stand.transport.publish([priceRecord(USDT, '0.5', 2), assetRecord(USDT, 2)]);
    await eventually(async () => {
      const { response } = await onlyQuote(USDT, '20', USDT);
      expect(response.current_prices[USDT]).toBe('0.5');
    });
    const { status, body } = await stand.refused(fixedInput(USDT, '20', USDC));
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ reason: 'UNEXPECTEDLY_HIGH' })]);
    const wide = fixedInput(USDT, '20', USDC, { allow_unsafe_slippage: true });
    expect(await stand.refused(wide)).toEqual({ status, body });
    await stand.transport.publish([priceRecord(USDT, '7', 1), assetRecord(USDT, 3, false)]);
    await eventually(async () => {
      const { status, body } = await stand.refused(fixedInput(USDT, '20', USDC));
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        expect.objectContaining({ path: ['request', 'fixed_input_amount', 'asset'] }),
      ]);
    });
  });

  it('keeps entities and migrations in agreement', async () => {
    const { database } = stand.database;
    const source = createDataSource({ database, entities, migrations });
    await source.initialize();
    try {
      expect(await pendingSchemaChanges(source)).toEqual([]);
    } finally {
      await source.destroy();
    }
  });
});

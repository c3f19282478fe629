import { parseTokenIdentifier, type ErrorBody } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USDC, USDT, WETH } from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  fixedOutput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import type { StubOnramp } from '../testing/stub-onramps.fixture.js';

const CALIFORNIA = '128.32.136.9';
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
const stub = (methods: string[], rest: Partial<StubOnramp> = {}): StubOnramp => ({
  behaviour: 'honest',
  feePercent: 1n,
  sells: [usdc],
  methods,
  ...rest,
});
const stubs = {
  everywhere: stub(['credit_card']),
  american: stub(['ach'], { places: { only: ['USA'] } }),
  verifying: stub(['credit_card'], { refusal: 'kyc_required' }),
  local: stub(['credit_card'], { refusal: 'location_refused' }),
  careful: stub(['credit_card'], { refusal: 'destination_refused' }),
  picky: stub(['credit_card'], { refusal: 'customer_refused' }),
  twofold: stub(['credit_card'], {
    sells: [usdc, weth],
    refusal: { [usdc.contract]: 'customer_refused', [weth.contract]: 'amount_too_low' },
  }),
  halved: stub(['credit_card'], {
    sells: [usdc, weth],
    refusal: { [weth.contract]: 'customer_refused' },
  }),
};

describe('issues of quotes', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand(stubs, { MAX_INPUT_USD: '1000' });
  });
  afterAll(() => stand.stop());

  const pathsOf = ({ errors }: ErrorBody): string[] =>
    errors.map((error) => ('path' in error ? error.path.join('.') : error.kind));

  describe('the place of the customer', () => {
    it.each(['ZZZ', 'USS', 'AAA'])('refuses the country %s, which does not exist', async (code) => {
      const rest = { customer_geolocation: { alpha3_country_code: code } };
      const { status, body } = await stand.refused(fixedInput('usd', '100', USDC, rest));
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        {
          code: 'custom',
          path: ['customer_geolocation', 'alpha3_country_code'],
          message: `Unknown country ${code}; expected an ISO 3166-1 alpha-3 code.`,
        },
      ]);
    });

    it('needs both the address and the claimed country to allow a sale', async () => {
      const at = (country: string, customer_ip_address?: string) =>
        stand.ask(
          fixedInput('usd', '100', USDC, {
            customer_geolocation: { alpha3_country_code: country },
            onramps: ['american'],
            ...(customer_ip_address === undefined ? {} : { customer_ip_address }),
          }),
        );
      expect((await at('USA', CALIFORNIA)).body.quotes).toHaveLength(1);
      expect((await at('USA')).body.quotes).toHaveLength(1);
      for (const { status, body } of [await at('DEU', CALIFORNIA), await at('DEU')]) {
        expect(status).toBe(200);
        expect(body.quotes).toEqual([]);
        expect(body.fault).toMatchObject({ kind: 'geolocation' });
      }
      const abroad = await at('USA', '81.2.69.142');
      expect(abroad.body.fault).toMatchObject({ kind: 'geolocation' });
    });
  });

  it.each([
    ['verifying', { kind: 'kyc', provider_id: 'verifying' }],
    ['local', { kind: 'geolocation' }],
    ['careful', { kind: 'destination' }],
    ['picky', { kind: 'provider' }],
  ])('reports what the provider %s refuses', async (name, kind) => {
    const only = fixedInput('usd', '100', USDC, { onramps: [name] });
    const { status, body } = await stand.ask(only);
    expect(status).toBe(200);
    const issue = { ...kind, message: `${name}: not this customer` };
    expect(body).toMatchObject({ quotes: [], fault: issue });
    expect(body.failures).toEqual([
      { service_ids: [name], latency_seconds: expect.any(Number), issues: [issue] },
    ]);
    const both = await stand.ask(fixedInput('usd', '100', USDC, { onramps: [name, 'everywhere'] }));
    expect(both.body.quotes.map(({ onramp }) => onramp)).toEqual(['everywhere']);
    expect(both.body.fault).toBeNull();
    expect(both.body.failures).toMatchObject([{ service_ids: [name], issues: [issue] }]);
  });

  describe('the provider and the method', () => {
    it('reports an unknown provider beside the quotes of the others', async () => {
      const both = fixedInput('usd', '100', USDC, { onramps: ['NoBody', 'everywhere', 'nobody'] });
      const { status, body } = await stand.ask(both);
      expect(status).toBe(200);
      expect(body.quotes.map(({ onramp }) => onramp)).toEqual(['everywhere']);
      expect(body.fault).toBeNull();
      const issue = { kind: 'provider', message: 'Unknown provider nobody.' };
      expect(body.failures).toEqual([
        { service_ids: ['nobody'], latency_seconds: 0, issues: [issue] },
      ]);
      const alone = await stand.ask(fixedInput('usd', '100', USDC, { onramps: ['nobody'] }));
      expect(alone.status).toBe(200);
      expect(alone.body).toMatchObject({
        quotes: [],
        fault: issue,
        failures: [{ issues: [issue] }],
      });
    });

    const unoffered = (method: string): string =>
      `No available provider offers ${method} from usd to ${USDC}; offered: ACH, CREDIT_CARD.`;

    it.each([
      ['PIX', unoffered('PIX')],
      ['SEPA', unoffered('SEPA')],
      ['SWIFT', 'SWIFT is not enabled for this API key.'],
    ])('reports that %s is not available, and why', async (method, message) => {
      const only = fixedInput('usd', '100', USDC, { onramp_methods: [method] });
      const { status, body } = await stand.ask(only);
      expect(status).toBe(200);
      const issue = { kind: 'payin_method', message };
      expect(body).toMatchObject({ quotes: [], fault: issue });
      const services = Object.keys(stubs).sort();
      expect(body.failures).toEqual([
        { service_ids: services, latency_seconds: 0, issues: [issue] },
      ]);
    });

    it('recommends methods of the requested providers at the place of the customer only', async () => {
      const messageOf = async (rest: object) => {
        const asked = { onramp_methods: ['PIX'], ...rest };
        const { fault } = (await stand.ask(fixedInput('usd', '100', USDC, asked))).body;
        return fault && 'message' in fault ? fault.message : '';
      };
      expect(await messageOf({ onramps: ['american'] })).toMatch(/; offered: ACH\.$/);
      const abroad = { customer_geolocation: { alpha3_country_code: 'DEU' } };
      expect(await messageOf(abroad)).toMatch(/; offered: CREDIT_CARD\.$/);
    });

    it('quotes the offered methods and reports the others', async () => {
      const rest = { onramp_methods: ['PIX', 'ACH', 'SPEI'] };
      const { body } = await stand.ask(fixedInput('usd', '100', USDC, rest));
      expect(body.quotes.map(({ onramp_method }) => onramp_method)).toEqual(['ACH']);
      expect(body.fault).toBeNull();
      expect(body.failures).toMatchObject([
        { issues: [{ kind: 'payin_method', message: expect.stringContaining('PIX, SPEI') }] },
      ]);
    });

    it('does not blame the method where no provider sells for the currency', async () => {
      const rest = { onramp_methods: ['PIX'] };
      const { body } = await stand.ask(fixedInput('eur', '100', USDC, rest));
      expect(body.fault).toEqual({ kind: 'other', message: `No route from eur to ${USDC}.` });
      expect(body.failures).toEqual([]);
    });

    it('refuses a method without a name in the specification', async () => {
      const rest = { onramp_methods: ['CASH'] };
      const { status, body } = await stand.refused(fixedInput('usd', '100', USDC, rest));
      expect(status).toBe(400);
      expect(pathsOf(body)).toEqual(['onramp_methods.0']);
    });
  });

  describe('the ceiling of the deployment', () => {
    const flag = { allow_exceed_max_input_limit: true };

    it.each([
      ['usd', 'USD', '1000.01', '1000', { onramps: ['everywhere'] }],
      [WETH, 'WETH', '0.34', '0.333333', {}],
      [USDC, 'USDC', '1000.000001', '1000', { price_currency: 'eur' }],
    ])('refuses more than 1,000 dollars of %s', async (asset, symbol, amount, max, rest) => {
      const { status, body } = await stand.refused(fixedInput(asset, amount, USDT, rest));
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        {
          kind: 'amount',
          asset,
          given: amount,
          limits: { max },
          source: 'deployment',
          message: `Given amount is ${amount} ${symbol}, but this service accepts at most ${max} ${symbol} per payment.`,
          reason: 'TOO_HIGH',
        },
      ]);
      const highest = await stand.ask(fixedInput(asset, max, USDT, rest));
      expect(highest.body.quotes).toHaveLength(1);
    });

    it('is reported together with a revenue share that is not configured', async () => {
      const rest = { rev_share_name: 'unknown' };
      const { status, body } = await stand.refused(fixedInput(USDC, '2000', USDT, rest));
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([
        { kind: 'org_configuration', message: 'Revenue share unknown is not configured.' },
        { kind: 'amount', source: 'deployment', reason: 'TOO_HIGH' },
      ]);
    });

    it('is lifted by the flag, while the limits of the parties hold', async () => {
      const { status, body } = await stand.ask(fixedInput(USDC, '2000', USDT, flag));
      expect(status).toBe(200);
      expect(body.quotes).toHaveLength(1);
      expect(body.quote_request.allow_exceed_max_input_limit).toBe(true);
      const ramp = { ...flag, onramps: ['everywhere'] };
      const high = await stand.refused(fixedInput('usd', '6000', USDC, ramp));
      expect(high.status).toBe(400);
      expect(high.body.errors).toMatchObject([
        { kind: 'amount', source: 'everywhere', limits: { max: '5000' }, reason: 'TOO_HIGH' },
      ]);
    });

    it('applies to the input that a fixed output needs', async () => {
      const above = await stand.refused(fixedOutput(USDT, '1500', USDC));
      expect(above.status).toBe(400);
      expect(above.body.errors).toMatchObject([
        { kind: 'amount', asset: USDC, source: 'deployment', limits: { max: '1000' } },
      ]);
      const lifted = await stand.ask(fixedOutput(USDT, '1500', USDC, flag));
      expect(lifted.body.quotes).toHaveLength(1);
    });

    it('is lifted for secret keys only', async () => {
      const asPage = { kind: 'publishable' } as const;
      const lifted = await stand.ask(fixedInput(USDC, '20', USDT, flag), ['quotes'], asPage);
      expect(lifted.status).toBe(403);
      expect(lifted.body).toEqual({
        errors: [{ kind: 'other', message: 'allow_exceed_max_input_limit needs a secret key.' }],
      });
      for (const rest of [{ allow_exceed_max_input_limit: false }, {}]) {
        const usual = await stand.ask(fixedInput(USDC, '20', USDT, rest), ['quotes'], asPage);
        expect(usual.status).toBe(200);
      }
    });

    it.each([['true'], [1], [{}]])('refuses %j as the flag', async (value) => {
      const rest = { allow_exceed_max_input_limit: value };
      const { status, body } = await stand.refused(fixedInput(USDC, '20', USDT, rest));
      expect(status).toBe(400);
      expect(pathsOf(body)).toEqual(['allow_exceed_max_input_limit']);
    });
  });

  it('declares a wider minimum with allow_unsafe_slippage', async () => {
    const bounds = async (rest: object) => {
      const { body } = await stand.ask(fixedInput(USDC, '100', WETH, rest));
      const { quotes } = await stand.open(body.state_token);
      const [leg] = quotes[0]?.plan.legs ?? [];
      return { output: BigInt(leg?.output_amount ?? 0), least: BigInt(leg?.min_output ?? 0) };
    };
    const less = (units: bigint, bps: bigint) => units - (units * bps) / 10_000n;
    const usual = await bounds({});
    expect(usual.least).toBe(less(usual.output, 50n));
    const wide = await bounds({ allow_unsafe_slippage: true });
    expect(wide.output).toBe(usual.output);
    expect(wide.least).toBe(less(wide.output, 300n));
    const off = await bounds({ allow_unsafe_slippage: false });
    expect(off).toEqual(usual);
  });

  it('reports the most telling issue of each party, and every issue with show_all_issues', async () => {
    const issuesOf = async (rest: object) => {
      const asked = { onramps: ['twofold'], ...rest };
      const { body } = await stand.ask(fixedInput('usd', '100', WETH, asked));
      expect(body.quotes).toEqual([]);
      const [failure, ...others] = body.failures;
      expect(others).toEqual([]);
      expect(failure?.service_ids).toEqual(['twofold']);
      return failure?.issues ?? [];
    };
    const amount = { kind: 'amount', source: 'twofold', reason: 'TOO_LOW' };
    const refused = { kind: 'provider', message: 'twofold: not this customer' };
    expect(await issuesOf({})).toMatchObject([amount]);
    const all = await issuesOf({ show_all_issues: true });
    expect(all).toHaveLength(2);
    expect(all).toEqual(expect.arrayContaining([expect.objectContaining(amount), refused]));
  });

  it('also reports failed routes beside a quote with show_all_issues', async () => {
    const failuresOf = async (rest: object) => {
      const asked = { onramps: ['halved'], ...rest };
      const { body } = await stand.ask(fixedInput('usd', '100', WETH, asked));
      expect(body.quotes).toHaveLength(1);
      return body.failures;
    };
    expect(await failuresOf({})).toEqual([]);
    expect(await failuresOf({ show_all_issues: true })).toMatchObject([
      { service_ids: ['halved'], issues: [{ kind: 'provider' }] },
    ]);
  });

  it('reports validation errors without issues, and all of them', async () => {
    const { status, body } = await stand.refused({
      ...fixedInput('usd', '100.123', USDC),
      rev_share_name: 'nobody',
      label: 7,
      customer_geolocation: { alpha3_country_code: 'ZZZ' },
    });
    expect(status).toBe(400);
    expect(pathsOf(body).sort()).toEqual([
      'customer_geolocation.alpha3_country_code',
      'label',
      'request.fixed_input_amount.amount',
    ]);
  });
});

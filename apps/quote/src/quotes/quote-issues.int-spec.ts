import { parseTokenIdentifier, type ErrorBody } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USDC } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import type { StubOnramp } from '../testing/stub-onramps.fixture.js';

const CALIFORNIA = '128.32.136.9';
const usdc = {
  network: 'alphanet',
  contract: parseTokenIdentifier(USDC).address,
  decimals: 6,
  usd: 1n,
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
};

describe('issues of quotes', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand(stubs);
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

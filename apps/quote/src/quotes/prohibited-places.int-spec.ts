import { DEFAULT_COUNTRY_RULES, type PaymentMethodsResponse } from '@bascule/contracts';
import { CLIENT_IP_HEADER } from '@bascule/identity';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countryRulesRecord, USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  startQuoteStand,
  type Asking,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';

const CALIFORNIA = '128.32.136.9';
const ENGLAND = '81.2.69.142';
const inCountry = (alpha3_country_code: string) => ({
  customer_geolocation: { alpha3_country_code },
});

describe('country rules', () => {
  let stand: QuoteStand;
  let version = 0;
  beforeAll(async () => {
    stand = await startQuoteStand({
      seller: usdcOnramp(USDC, { methods: ['credit_card', 'sepa'] }),
    });
  });
  afterAll(() => stand.stop());

  const publish = (rules: Partial<typeof DEFAULT_COUNTRY_RULES>) => {
    version += 1;
    return stand.transport.publish([
      countryRulesRecord({ ...DEFAULT_COUNTRY_RULES, ...rules, version }),
    ]);
  };
  const faultOf = async (input: string, rest: object, asking?: Asking) => {
    const { status, body } = await stand.ask(
      fixedInput(input, '100', WETH, rest),
      ['quotes'],
      asking,
    );
    expect(status).toBe(200);
    return { quotes: body.quotes.length, fault: body.fault, failures: body.failures };
  };
  const refusal = (place: string) => {
    const issue = { kind: 'geolocation', message: `Payments are not available in ${place}.` };
    const failures = [{ service_ids: ['geolocation'], latency_seconds: 0, issues: [issue] }];
    return { quotes: 0, fault: issue, failures };
  };
  const methodsFor = async (query: string) =>
    (await stand.get<PaymentMethodsResponse>(`/payments/methods?input=usd&output=${WETH}${query}`))
      .body.providers;

  it.each([
    ['fiat', 'usd'],
    ['tokens', USDC],
  ])('refuse embargoed places for %s until an operator changes them', async (_, input) => {
    expect(await faultOf(input, inCountry('CUB'))).toEqual(refusal('CUB or a part of it'));
    expect((await faultOf(input, inCountry('USA'))).quotes).toBe(1);
  });

  it('apply to every place that is known of the customer', async () => {
    await publish({ prohibited: ['GBR-ENG'] });
    const inEngland = refusal('GBR-ENG');
    const from = (kind: 'publishable' | 'secret', rest = {}) =>
      faultOf(USDC, rest, { kind, headers: { [CLIENT_IP_HEADER]: ENGLAND } });
    await eventually(async () => expect(await from('publishable')).toEqual(inEngland));
    expect(await from('publishable', { customer_ip_address: CALIFORNIA })).toEqual(inEngland);
    expect((await from('secret')).quotes).toBe(1);
    expect(await from('secret', { customer_ip_address: ENGLAND })).toEqual(inEngland);
    expect(await methodsFor(`&customer_ip_address=${ENGLAND}`)).toEqual({});
    expect(await methodsFor(`&customer_ip_address=${CALIFORNIA}`)).toEqual({
      seller: ['CREDIT_CARD'],
    });
  });

  it('find every known place of the customer in the state token', async () => {
    await publish({ prohibited: [] });
    const placesOf = async (rest: object, asking: Asking) => {
      const { body } = await stand.ask(fixedInput(USDC, '100', WETH, rest), ['quotes'], asking);
      const { geolocation, further_places } = await stand.open(body.state_token);
      return [geolocation?.alpha3_country_code, further_places];
    };
    const headers = { [CLIENT_IP_HEADER]: ENGLAND };
    const given = { customer_ip_address: CALIFORNIA, ...inCountry('DEU') };
    await eventually(async () =>
      expect(await placesOf(given, { kind: 'publishable', headers })).toEqual([
        'USA',
        [
          { alpha3_country_code: 'GBR', state_code: 'ENG' },
          { alpha3_country_code: 'DEU', state_code: '' },
        ],
      ]),
    );
    expect(await placesOf(inCountry('DEU'), { kind: 'secret', headers })).toEqual([
      'DEU',
      undefined,
    ]);
  });

  it('restrict payment methods to places', async () => {
    const sepa = { ...inCountry('DEU'), onramp_methods: ['SEPA'] };
    expect((await faultOf('usd', sepa)).quotes).toBe(1);
    await publish({ methods: { SEPA: ['FRA'] } });
    await eventually(async () => expect((await faultOf('usd', sepa)).quotes).toBe(0));
    expect((await faultOf('usd', { ...sepa, ...inCountry('FRA') })).quotes).toBe(1);
    await publish({ methods: {} });
    await eventually(async () => expect((await faultOf('usd', sepa)).quotes).toBe(1));
  });

  it('never return to an older version', async () => {
    await publish({ prohibited: ['USA'] });
    await eventually(async () => expect((await faultOf(USDC, inCountry('USA'))).quotes).toBe(0));
    await stand.transport.publish([countryRulesRecord({ ...DEFAULT_COUNTRY_RULES, version: 1 })]);
    await publish({ prohibited: ['USA', 'FRA'] });
    await eventually(async () => expect((await faultOf(USDC, inCountry('FRA'))).quotes).toBe(0));
    expect((await faultOf(USDC, inCountry('USA'))).quotes).toBe(0);
  });
});

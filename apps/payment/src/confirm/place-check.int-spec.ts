import {
  COUNTRY_RULES_KEY,
  DEFAULT_COUNTRY_RULES,
  TOPICS,
  type CountryRulesState,
  type ErrorBody,
} from '@bascule/contracts';
import { CLIENT_IP_HEADER, type CallerKind } from '@bascule/identity';
import { createEnvelope, TRANSPORT, type Transport } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  anOnrampPlan,
  anOnrampQuote,
  aPlan,
  aQuote,
  aQuoteState,
} from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const ENGLAND = '81.2.69.142';
const at = (alpha3_country_code: string, state_code = '') => ({ alpha3_country_code, state_code });

describe('POST /payments/confirm and the place of the customer', () => {
  let client: PaymentServiceClient;
  let version = 0;
  beforeAll(async () => {
    // An empty variable counts as absent: the default database.
    client = await PaymentServiceClient.start({ GEOIP_DB: '' });
  });
  afterAll(() => client.stop());

  async function publish(rules: Partial<CountryRulesState>): Promise<void> {
    version += 1;
    const data: CountryRulesState = { ...DEFAULT_COUNTRY_RULES, ...rules, version };
    const topic = TOPICS.countryRules;
    const envelope = createEnvelope(
      { topic, type: 'country_rules.changed', key: COUNTRY_RULES_KEY, data },
      { source: 'gateway', environment: 'development' },
    );
    const value = Buffer.from(JSON.stringify(envelope));
    const record = { topic: topic.name, key: COUNTRY_RULES_KEY, headers: {}, value };
    await client.service.app.get<Transport>(TRANSPORT).publish([record]);
  }
  const confirm = async (
    {
      geolocation,
      isOnramp = false,
      ...places
    }: {
      geolocation: ReturnType<typeof at> | null;
      further_places?: ReturnType<typeof at>[];
      isOnramp?: boolean;
    },
    kind: CallerKind = 'secret',
  ) => {
    const quotes = isOnramp
      ? [{ quote: anOnrampQuote(), plan: anOnrampPlan() }]
      : [{ quote: aQuote(), plan: aPlan() }];
    const { status, body } = await client.request<ErrorBody>('/payments/confirm', {
      method: 'POST',
      body: await client.aConfirmation({}, aQuoteState({ quotes, geolocation, ...places })),
      caller: { kind },
      headers: { [CLIENT_IP_HEADER]: ENGLAND },
    });
    return status === 200 ? status : { status, errors: body.errors };
  };
  const refusal = (message: string) => ({
    status: 400,
    errors: [{ kind: 'geolocation', message }],
  });
  const payments = () => client.admin.query('SELECT id FROM payments');

  it('refuses the place of the quote once it is prohibited, and stores nothing', async () => {
    expect(await confirm({ geolocation: at('DEU') })).toBe(200);
    const before = await payments();
    expect(await confirm({ geolocation: at('CUB') })).toEqual(
      refusal('Payments are not available in CUB or a part of it.'),
    );
    expect(await payments()).toEqual(before);
    await publish({ prohibited: ['DEU-BY'] });
    await eventually(async () =>
      expect(await confirm({ geolocation: at('DEU', 'BY') })).toEqual(
        refusal('Payments are not available in DEU-BY.'),
      ),
    );
  });

  it('refuses a further place of the quote', async () => {
    const quoted = (...further_places: ReturnType<typeof at>[]) =>
      confirm({ geolocation: at('FRA'), further_places });
    await publish({ prohibited: ['ESP-M'] });
    await eventually(async () =>
      expect(await quoted(at('ITA'), at('ESP', 'M'))).toEqual(
        refusal('Payments are not available in ESP-M.'),
      ),
    );
    expect(await quoted(at('ITA'))).toBe(200);
  });

  it('refuses the place of a page, not that of a server', async () => {
    await publish({ prohibited: ['GBR'] });
    const inEngland = refusal('Payments are not available in GBR-ENG.');
    await eventually(async () =>
      expect(await confirm({ geolocation: null }, 'publishable')).toEqual(inEngland),
    );
    expect(await confirm({ geolocation: null })).toBe(200);
  });

  it('refuses a place in which the payment method cannot be used', async () => {
    const method = anOnrampQuote().onramp_method ?? 'SEPA';
    await publish({ methods: { [method]: ['FRA'] } });
    await eventually(async () =>
      expect(await confirm({ geolocation: at('USA', 'CA'), isOnramp: true })).toEqual(
        refusal(`${method} is not available in USA-CA.`),
      ),
    );
    expect(await confirm({ geolocation: at('USA', 'CA') })).toBe(200);
  });
});

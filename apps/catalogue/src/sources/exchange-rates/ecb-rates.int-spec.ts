import { formatDecimal } from '@bascule/amounts';
import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import {
  createServiceDatabase,
  startCapturingServer,
  type CannedResponse,
  type CapturingServer,
  type ServiceDatabase,
} from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { FiatRateRepository } from '../../persistence/fiat-rate.repository.js';
import { entities, migrations } from '../../persistence/persistence.config.js';
import { UpstreamClient } from '../../upstream/upstream.client.js';
import { rateDocument } from '../../testing/rate-document.fixture.js';
import { EcbRatesAdapter } from './ecb-rates.adapter.js';
import { ExchangeRatesAdapter } from './exchange-rates.adapter.js';
import { fiatRates } from '../../prices/fiat-rates.js';

const DAY_MS = 86_400_000;
const today = new Date('2026-11-21T12:00:00Z');
const later = (ms: number): Date => new Date(today.getTime() + ms);

describe('exchange rates of the European Central Bank', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  let server: CapturingServer;
  let upstream: UpstreamClient;
  let answer: CannedResponse;

  beforeAll(async () => {
    database = await createServiceDatabase('catalogue');
    await runMigrationsOf({ database: database.database, entities, migrations });
    dataSource = createDataSource({ database: database.database, entities, migrations });
    await dataSource.initialize();
    server = await startCapturingServer(() => answer);
    upstream = new UpstreamClient({
      name: 'ecb',
      url: `${server.url}/stats/eurofxref/eurofxref-daily.xml`,
      accept: 'application/xml',
      timeoutMs: 20_000,
      coolDownMs: 1,
    });
  });
  afterAll(async () => {
    await upstream.close();
    await server.stop();
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM fiat_rates');
    server.requests.length = 0;
    answer = { body: rateDocument({ USD: '1.25', GBP: '0.5' }, '2026-11-20') };
  });

  /** Simulates a new process, with the operator's own rates. */
  const started = (configured: Record<string, string> = {}): ExchangeRatesAdapter =>
    new ExchangeRatesAdapter(
      fiatRates(configured),
      new EcbRatesAdapter(upstream, new FiatRateRepository(dataSource), {
        intervalMs: 3_600_000,
        maxAgeMs: 7 * DAY_MS,
        retryMs: 60_000,
      }),
      undefined,
    );
  const observed = async (
    rates: ExchangeRatesAdapter,
    now = today,
  ): Promise<{ rates: Record<string, string>; errors: number }> => {
    const fiats = ['usd', 'eur', 'gbp', 'ngn'];
    const { quotes, errors } = await rates.observe(now, { fiats, tokens: [] });
    const texts = quotes.map(({ asset, usd, source }) => [
      asset,
      `${formatDecimal(usd)} ${source}`,
    ]);
    return {
      rates: Object.fromEntries(texts) as Record<string, string>,
      errors: errors.length,
    };
  };
  const PUBLISHED = {
    usd: '1 fiat:configured',
    eur: '1.25 fiat:ecb',
    gbp: '2.5 fiat:ecb',
  };

  it('price the published currencies and no others', async () => {
    expect(await observed(started())).toEqual({ rates: PUBLISHED, errors: 0 });
    expect(server.requests[0]?.path).toBe('/stats/eurofxref/eurofxref-daily.xml');
  });

  it('rank below the rates of the operator', async () => {
    const { rates } = await observed(started({ gbp: '1.34', ngn: '0.0006' }));
    expect(rates).toEqual({
      usd: '1 fiat:configured',
      eur: '1.25 fiat:ecb',
      gbp: '1.34 fiat:configured',
      ngn: '0.0006 fiat:configured',
    });
  });

  it('are fetched once an hour, not with every observation', async () => {
    const rates = started();
    await observed(rates);
    await observed(rates, later(10_000));
    expect(server.requests).toHaveLength(1);
    await observed(rates, later(4_000_000));
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, CannedResponse]>([
    ['is down', { status: 503, body: 'Service Unavailable' }],
    ['redirects', { status: 302, headers: { location: '/elsewhere' } }],
    ['returns HTML', { body: '<html><body>Maintenance</body></html>' }],
    ['returns a truncated document', { body: rateDocument({ USD: '9', GBP: '9' }).slice(0, 300) }],
    ['reports a rate of 0', { body: rateDocument({ USD: '1.25', GBP: '0' }) }],
    [
      'reports a hundredfold rate',
      { body: rateDocument({ USD: '1.25', GBP: '50' }, '2026-11-21') },
    ],
    ['writes decimal commas', { body: rateDocument({ USD: '1,25', GBP: '0,5' }) }],
  ])('keep their last values, also over a restart, while the source %s', async (_, trouble) => {
    await observed(started());
    answer = trouble;
    const restarted = started();
    expect(await observed(restarted)).toEqual({ rates: PUBLISHED, errors: 1 });
    // A rate that is too old is left out.
    const { rates } = await observed(restarted, later(6 * DAY_MS));
    expect(rates).toEqual(PUBLISHED);
    const { rates: none } = await observed(restarted, later(7 * DAY_MS));
    expect(none).toEqual({ usd: '1 fiat:configured' });
  });

  it('are not replaced by rates of an older day', async () => {
    await observed(started());
    answer = { body: rateDocument({ USD: '1.11' }, '2026-11-18') };
    expect((await observed(started())).rates).toEqual(PUBLISHED);
  });

  it('are accepted after a jump that the next day confirms', async () => {
    const rates = started();
    await observed(rates);
    answer = { body: rateDocument({ USD: '1.25', GBP: '0.25' }, '2026-11-21') };
    for (const ms of [4_000_000, 8_000_000]) {
      expect((await observed(rates, later(ms))).rates).toEqual(PUBLISHED);
    }
    answer = { body: rateDocument({ USD: '1.25', GBP: '0.26' }, '2026-11-22') };
    const { rates: believed } = await observed(rates, later(DAY_MS));
    expect(believed['gbp']).toMatch(/^4\.8/);
  });

  it('are replaced as a whole by those of a new day', async () => {
    await observed(started());
    answer = { body: rateDocument({ USD: '1.3' }, '2026-11-21') };
    await observed(started());
    answer = { status: 500 };
    expect((await observed(started())).rates).toEqual({
      usd: '1 fiat:configured',
      eur: '1.3 fiat:ecb',
    });
  });
});

import { formatDecimal } from '@bascule/amounts';
import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase, eventually, type ServiceDatabase } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { MarketRateRepository } from '../../persistence/market-rate.repository.js';
import { FiatRateRepository } from '../../persistence/fiat-rate.repository.js';
import { entities, migrations } from '../../persistence/persistence.config.js';
import { CoinGeckoClient } from '../market-data/coin-gecko.client.js';
import {
  HTML,
  RATE_LIMITED,
  startMarketDataStub,
  type MarketDataStub,
} from '../../testing/market-data-stub.fixture.js';
import { UpstreamClient, type CallBudget } from '../../upstream/upstream.client.js';
import { rateDocument } from '../../testing/rate-document.fixture.js';
import { parseEcbDocument } from './ecb-document.adapter.js';
import { usdRates } from '../../prices/ecb-rates.js';
import { EcbRatesAdapter } from './ecb-rates.adapter.js';
import { ExchangeRatesAdapter } from './exchange-rates.adapter.js';
import { fiatRates } from '../../prices/fiat-rates.js';
import { MarketRatesAdapter, type MarketRatesPolicy } from './market-rates.adapter.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const today = new Date('2026-11-21T12:00:00Z');
const later = (ms: number): Date => new Date(today.getTime() + ms);
const fiats = ['usd', 'eur', 'gbp', 'ngn', 'xof'];

describe('exchange rates of a market-data API', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  let stub: MarketDataStub;
  let upstreams: UpstreamClient[];

  beforeAll(async () => {
    database = await createServiceDatabase('catalogue');
    await runMigrationsOf({ database: database.database, entities, migrations });
    dataSource = createDataSource({ database: database.database, entities, migrations });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM market_rates');
    await dataSource.query('DELETE FROM fiat_rates');
    stub = await startMarketDataStub();
    stub.rates.set('usd', '60000').set('gbp', '48000').set('ngn', '96000000');
    upstreams = [];
  });
  afterEach(async () => {
    await Promise.all(upstreams.map((upstream) => upstream.close()));
    await stub.server.stop();
  });

  function upstreamAt(url: string, budget?: CallBudget): UpstreamClient {
    const upstream = new UpstreamClient({
      name: 'market-data',
      url,
      accept: 'application/json',
      // Longer than the time limit of a test, so waiting for a missing response fails it.
      timeoutMs: 600_000,
      coolDownMs: 1,
      ...(budget && { budget }),
    });
    upstreams.push(upstream);
    return upstream;
  }

  interface Setting {
    policy?: Partial<MarketRatesPolicy>;
    budget?: CallBudget;
    configured?: Record<string, string>;
    ecb?: EcbRatesAdapter;
  }

  /** Simulates a new process. */
  function started({ policy, budget, configured = {}, ecb }: Setting = {}): ExchangeRatesAdapter {
    const api = new CoinGeckoClient(upstreamAt(`${stub.server.url}/api/v3`, budget));
    const market = new MarketRatesAdapter(api, new MarketRateRepository(dataSource), {
      intervalMs: HOUR_MS,
      maxAgeMs: 7 * DAY_MS,
      maxWaitMs: 60_000,
      retryMs: 60_000,
      ...policy,
    });
    return new ExchangeRatesAdapter(fiatRates(configured), ecb, market);
  }

  async function observed(
    rates: ExchangeRatesAdapter,
    now = today,
  ): Promise<{ rates: Record<string, string>; errors: string[] }> {
    const { quotes, errors } = await rates.observe(now, { fiats, tokens: [] });
    const texts = quotes.map(({ asset, usd, source }) => [
      asset,
      `${formatDecimal(usd)} ${source}`,
    ]);
    return {
      rates: Object.fromEntries(texts) as Record<string, string>,
      errors: errors.map(String),
    };
  }

  const SAID = {
    usd: '1 fiat:configured',
    gbp: '1.25 fiat:market',
    ngn: '0.000625 fiat:market',
  };

  it('price the currencies of the response and no others', async () => {
    expect(await observed(started())).toEqual({ rates: SAID, errors: [] });
    expect(stub.server.requests.map(({ path }) => path)).toEqual(['/api/v3/exchange_rates']);
  });

  it('rank below the rates of the central bank and the operator', async () => {
    const published = parseEcbDocument(rateDocument({ USD: '1.2', GBP: '0.8' }, '2026-11-20'));
    const repository = new FiatRateRepository(dataSource);
    await repository.replace(usdRates(published, today));
    const policy = { intervalMs: HOUR_MS, maxAgeMs: 7 * DAY_MS, retryMs: HOUR_MS };
    // Its last document is stored; the bank is unavailable.
    const ecb = new EcbRatesAdapter(upstreamAt(`${stub.server.url}/nothing`), repository, policy);
    const { rates } = await observed(started({ ecb, configured: { xof: '0.0018' } }));
    expect(rates).toEqual({
      usd: '1 fiat:configured',
      eur: '1.2 fiat:ecb',
      gbp: '1.5 fiat:ecb',
      ngn: '0.000625 fiat:market',
      xof: '0.0018 fiat:configured',
    });
    const { rates: without } = await observed(started({ configured: { ngn: '0.0007' } }));
    expect(without).toEqual({ ...SAID, ngn: '0.0007 fiat:configured' });
  });

  it('are fetched once an hour, also over a restart', async () => {
    const rates = started();
    await observed(rates);
    await observed(rates, later(50 * 60_000));
    await observed(started(), later(50 * 60_000));
    expect(stub.rateRequests()).toBe(1);
    await observed(rates, later(70 * 60_000));
    expect(stub.rateRequests()).toBe(2);
  });

  it.each([
    ['is down', { status: 503, body: 'upstream connect error' }],
    ['returns 404', { status: 404, body: '{"error":"not found"}' }],
    ['refuses the key', { status: 401, body: '{"status":{"error_code":10002}}' }],
    ['redirects', { status: 302, headers: { location: '/elsewhere' } }],
    ['returns HTML', HTML],
    ['limits the rate', RATE_LIMITED],
    ['writes a decimal comma', { body: '{"rates":{"usd":{"value":60000,5,"type":"fiat"}}}' }],
    ['has no US dollar', { body: '{"rates":{"ngn":{"value":96000000,"type":"fiat"}}}' }],
  ])('keep their last values, also over a restart, while the API %s', async (_, trouble) => {
    await observed(started());
    stub.insteadOfRates = () => trouble;
    const restarted = started();
    const { rates, errors } = await observed(restarted, later(2 * HOUR_MS));
    expect([rates, errors.length]).toEqual([SAID, 1]);
    expect((await observed(restarted, later(7 * DAY_MS))).rates).toEqual(SAID);
    // A rate that is too old is left out.
    const { rates: none } = await observed(restarted, later(7 * DAY_MS + HOUR_MS));
    expect(none).toEqual({ usd: '1 fiat:configured' });
  });

  it.each(['0', '-1', '"96000000,5"'])('drop %s without affecting the others', async (ngn) => {
    await observed(started());
    stub.rates.set('ngn', ngn).set('gbp', '50000');
    const { rates, errors } = await observed(started(), later(2 * HOUR_MS));
    expect(rates).toEqual({ ...SAID, gbp: '1.2 fiat:market' });
    expect(errors).toEqual([expect.stringContaining('are malformed: ngn')]);
  });

  it('are held back after a jump until it persists for a day', async () => {
    const rates = started();
    await observed(rates);
    stub.rates.set('ngn', '160000000');
    const jumped = await observed(rates, later(2 * HOUR_MS));
    expect(jumped.rates).toEqual(SAID);
    expect(jumped.errors).toEqual([expect.stringContaining('jumped: ngn')]);
    expect((await observed(rates, later(DAY_MS))).rates).toEqual(SAID);
    const { rates: believed } = await observed(rates, later(27 * HOUR_MS));
    expect(believed).toEqual({ ...SAID, ngn: '0.000375 fiat:market' });
  });

  it('are requested less often while requests fail', async () => {
    stub.insteadOfRates = () => ({ status: 404 });
    const rates = started();
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await observed(rates, later(minute * 60_000));
    }
    // Six times in the first hour, and then once an hour.
    expect(stub.rateRequests()).toBeGreaterThan(20);
    expect(stub.rateRequests()).toBeLessThan(40);
  });

  it('are not requested beyond the call budget', async () => {
    const { rates, errors } = await observed(started({ budget: { take: async () => false } }));
    expect(rates).toEqual({ usd: '1 fiat:configured' });
    expect(errors).toEqual([expect.stringContaining('spent')]);
    expect(stub.rateRequests()).toBe(0);
  });

  it('do not delay other observations while the API is slow', async () => {
    let answerNow = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    stub.insteadOfRates = () => wait.then(() => ({ status: 503 }));
    const rates = started({ policy: { maxWaitMs: 1 }, configured: { eur: '1.16' } });
    expect((await observed(rates)).rates).toHaveProperty('eur', '1.16 fiat:configured');
    stub.insteadOfRates = () => undefined;
    answerNow();
    await eventually(async () => {
      expect((await observed(rates, later(HOUR_MS))).rates).toHaveProperty('ngn', SAID.ngn);
    });
  });
});

import { createDataSource, pendingSchemaChanges, runMigrationsOf } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { concurrently, createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Address } from 'viem';
import { screeningEntities, screeningMigrations } from './index.js';
import { ScreeningAllowances } from './persistence/screening-allowances.js';
import { ScreeningAudit } from './persistence/screening-audit.js';
import type { ScreeningReason } from './persistence/screening-audit.js';
import { Screening, ScreeningUnavailableError } from './screening.js';
import { ScreeningMetrics } from './screening-metrics.js';
import { allAnswered } from './screening-source.js';
import type { ScreeningSource } from './screening-source.js';
import { GuardedSource } from './sources/guarded-source.js';

const OWNER: Address = '0x00000000000000000000000000000000000000aa';
const OTHER: Address = '0x00000000000000000000000000000000000000bb';
const ORG = 'org';
const TABLES = 'screenings, screening_allowances';

const source = (name: string, answer: (address: Address) => boolean): ScreeningSource => ({
  name,
  isRemote: false,
  screen: async (addresses) => allAnswered(addresses.filter(answer)),
});
const unavailable = source('unavailable', () => {
  throw new Error('down');
});
const clear = source('clear', () => false);
const sanctions = (sanctioned: Address) => source('list', (address) => address === sanctioned);

describe('screening', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  let context: ServiceContext;
  beforeAll(async () => {
    database = await createServiceDatabase('screening');
    const model = { entities: screeningEntities, migrations: screeningMigrations };
    await runMigrationsOf({ database: database.database, ...model });
    dataSource = await createDataSource({ database: database.database, ...model }).initialize();
  });
  beforeEach(async () => {
    await dataSource.query(`TRUNCATE ${TABLES}`);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** A process of its own, with its own metrics. */
  const screeningBy = (sources: ScreeningSource[], allowanceUsd = '0') => {
    context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
    return new Screening(
      sources.map((it) => new GuardedSource(it, { timeoutMs: 60_000, cacheMs: 60_000 })),
      { oracles: [], api: undefined, file: undefined, timeoutMs: 1, cacheMs: 1, allowanceUsd },
      new ScreeningAudit(dataSource),
      new ScreeningAllowances(dataSource),
      new ScreeningMetrics(context),
      context,
    );
  };
  const reason = (reference: string): ScreeningReason => ({ purpose: 'confirm', reference });
  const ask = (
    screening: Screening,
    reference = 'p1',
    usd: string | null = null,
    { owner, orgId } = { owner: OWNER, orgId: ORG },
  ) =>
    screening.sanctioned({
      reason: reason(reference),
      addresses: [owner.toUpperCase().replace('0X', '0x'), OTHER],
      smallSum: () => Promise.resolve(usd === null ? null : { orgId, owner, usd }),
    });
  const audit = () =>
    database.rows(
      'SELECT reference, purpose, address, source, verdict, times FROM screenings ORDER BY 3, 4, 5',
    );

  it('has entities and migrations that agree', async () => {
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
  });

  it('reports an address that any source reports, also while another source is unavailable', async () => {
    expect([...(await ask(screeningBy([clear, sanctions(OWNER), unavailable])))]).toEqual([OWNER]);
    expect([...(await ask(screeningBy([clear, sanctions(OTHER)])))]).toEqual([OTHER]);
    expect([...(await ask(screeningBy([clear])))]).toEqual([]);
  });

  it('waits while a source is unavailable and no other one reports an address', async () => {
    await expect(ask(screeningBy([clear, unavailable]))).rejects.toThrow(ScreeningUnavailableError);
  });

  it('screens nothing without a source', async () => {
    expect(screeningBy([]).isEnabled).toBe(false);
    expect([...(await ask(screeningBy([])))]).toEqual([]);
    expect(await audit()).toEqual([]);
  });

  it('records who was asked about what and why, and counts repetitions', async () => {
    const screening = screeningBy([sanctions(OWNER), unavailable]);
    await ask(screening);
    await ask(screening);
    const row = { reference: 'p1', purpose: 'confirm', times: 2 };
    expect(await audit()).toEqual([
      { ...row, address: OWNER, source: 'list', verdict: 'sanctioned' },
      { ...row, address: OWNER, source: 'unavailable', verdict: 'unanswered' },
      { ...row, address: OTHER, source: 'list', verdict: 'clear' },
      { ...row, address: OTHER, source: 'unavailable', verdict: 'unanswered' },
    ]);
  });

  describe('with an allowance of ten dollars', () => {
    it('lets small sums of an owner go on up to it, each payment counted once', async () => {
      const screening = screeningBy([unavailable], '10');
      await ask(screening, 'p1', '6');
      await ask(screening, 'p1', '6');
      await ask(screening, 'p2', '4');
      await expect(ask(screening, 'p3', '0.01')).rejects.toThrow(ScreeningUnavailableError);
      await ask(screening, 'p4', '10', { owner: OTHER, orgId: ORG });
    });

    it('is counted for each organisation apart, so that test payments spend nothing of live ones', async () => {
      const screening = screeningBy([unavailable], '10');
      await ask(screening, 'p1', '10', { owner: OWNER, orgId: 'the test organisation' });
      await ask(screening, 'p2', '10');
      await expect(ask(screening, 'p3', '0.01')).rejects.toThrow(ScreeningUnavailableError);
    });

    it('is not spent by a check, which it bounds all the same', async () => {
      const screening = screeningBy([unavailable], '10');
      const check = (reference: string, usd: string) =>
        screening.sanctioned({
          reason: reason(reference),
          addresses: [OWNER],
          smallSum: () => Promise.resolve({ orgId: ORG, owner: OWNER, usd }),
          allowance: 'check',
        });
      await check('p1', '6');
      await check('p2', '10');
      await expect(check('p3', '10.01')).rejects.toThrow(ScreeningUnavailableError);
      await ask(screening, 'p1', '6');
      await check('p1', '6');
      await expect(check('p2', '4.01')).rejects.toThrow(ScreeningUnavailableError);
      expect(await database.rows('SELECT reference FROM screening_allowances')).toEqual([
        { reference: 'p1' },
      ]);
    });

    it('starts anew after an hour', async () => {
      const screening = screeningBy([unavailable], '10');
      await ask(screening, 'p1', '10');
      await expect(ask(screening, 'p2', '10')).rejects.toThrow(ScreeningUnavailableError);
      await dataSource.query(
        `UPDATE screening_allowances SET allowed_at = allowed_at - interval '61 minutes'`,
      );
      expect([...(await ask(screening, 'p2', '10'))]).toEqual([]);
    });

    it('lets no unknown value and no sanctioned address go on', async () => {
      await expect(ask(screeningBy([unavailable], '10'))).rejects.toThrow(
        ScreeningUnavailableError,
      );
      const hit = await ask(screeningBy([unavailable, sanctions(OWNER)], '10'), 'p1', '1');
      expect([...hit]).toEqual([OWNER]);
    });

    it('is not exceeded by concurrent payments', async () => {
      const screening = screeningBy([unavailable], '10');
      const payments = Array.from({ length: 40 }, (_, index) => `p${index}`);
      const results = await concurrently(payments, (payment) =>
        ask(screening, payment, '1').then(
          () => 'allowed',
          () => 'refused',
        ),
      );
      expect(results.filter((it) => it === 'allowed')).toHaveLength(10);
    });

    it('is visible in the metrics', async () => {
      await ask(screeningBy([unavailable], '10'), 'p1', '2.5');
      const metrics = await context.metrics.metrics();
      expect(metrics).toContain('screening_allowed_total{purpose="confirm"} 1');
      expect(metrics).toContain('screening_allowed_usd_total{purpose="confirm"} 2.5');
      expect(metrics).toContain('screening_source_available{source="unavailable"} 0');
    });
  });

  it('reports a source that answers by an older list', async () => {
    const list: ScreeningSource = { ...sanctions(OWNER), outdated: new Error('truncated') };
    expect([...(await ask(screeningBy([list])))]).toEqual([OWNER]);
    expect(await context.metrics.metrics()).toContain('screening_list_outdated{source="list"} 1');
  });

  it('has alerts and a README that name its metrics', async () => {
    screeningBy([clear]);
    const exposed = (await context.metrics.getMetricsAsJSON()).map(({ name }) => name);
    const alerts = readFileSync(resolve('libs/screening/alerts.yaml'), 'utf8');
    const named = [...alerts.matchAll(/expr: .*?(screening_\w+)/g)].map(([, name]) => name);
    expect(named).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
    const text = await context.metrics.metrics();
    // Series exist from the start, so that their first event is an increase.
    for (const name of named) expect(text).toMatch(new RegExp(`^${name}\\{`, 'm'));
    const readme = readFileSync(resolve('libs/screening/README.md'), 'utf8');
    for (const name of exposed) expect(readme).toContain(`\`${name}`);
  });

  it('finds its rows by indexes', async () => {
    const plans = await dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      const explain = async (sql: string) =>
        JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${sql}`));
      return [
        await explain(`SELECT * FROM screenings WHERE address = '${OWNER}'`),
        await explain(
          `SELECT sum(usd) FROM screening_allowances
           WHERE org_id = '${ORG}' AND owner = '${OWNER}' AND allowed_at > now() - interval '1 hour'`,
        ),
      ];
    });
    expect(plans[0]).toContain('screenings_address_idx');
    expect(plans[1]).toContain('screening_allowances_org_id_owner_allowed_at_idx');
  });
});

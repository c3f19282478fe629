import { DEFAULT_COUNTRY_RULES, type CountryRulesEvent } from '@bascule/contracts';
import { isPlace } from '@bascule/geolocation';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { parseCountryCommand } from './country-arguments.js';
import { runCountryCommand } from './run-country-command.service.js';

describe('the country rules', () => {
  let fixture: GatewayFixture;
  let dataSource: DataSource;
  beforeAll(async () => {
    fixture = await startGateway('http://127.0.0.1:9');
    dataSource = fixture.gateway.app.get(DataSource);
  });
  afterAll(() => fixture.stop());

  const run = (line: string): Promise<string[]> =>
    fixture.ruleCountries((rules) =>
      runCountryCommand(rules, parseCountryCommand(`countries ${line}`.split(' '), isPlace)),
    );
  async function published(): Promise<CountryRulesEvent[]> {
    const rows: { value: Buffer }[] = await dataSource.query(
      `SELECT value FROM event_log.records WHERE topic = 'bascule.country-rules' ORDER BY "offset"`,
    );
    return rows.map(({ value }) => JSON.parse(value.toString()) as CountryRulesEvent);
  }
  const audited = () =>
    dataSource.query(
      "SELECT actor, action, details FROM audit_log WHERE action LIKE 'country_rules.%' ORDER BY at, id",
    );
  const { prohibited, methods } = DEFAULT_COUNTRY_RULES;

  it('start from the defaults, and are published and audited with each change', async () => {
    expect(await run('list')).toEqual([
      'prohibited  CUB, IRN, PRK, UKR-09, UKR-14, UKR-40, UKR-43',
      'ACH  only in USA',
      'FASTER_PAYMENTS  only in GBR, GGY, GIB, IMN, JEY',
      'PIX  only in BRA',
      expect.stringMatching(/^SEPA {2}only in ALB, AND, AUT, /),
      'SPEI  only in MEX',
      'UPI  only in IND',
      'VENMO  only in USA',
    ]);
    expect(await run('prohibit --places usa-ny,AFG')).toEqual(['prohibited: USA-NY, AFG']);
    expect(await run('permit --places CUB')).toEqual(['permitted: CUB']);
    expect(await run('restrict --method WIRE --places USA,CAN')).toEqual([
      'WIRE: only in USA, CAN',
    ]);
    expect(await run('unrestrict --method PIX')).toEqual(['PIX: everywhere']);

    const { PIX: _, ...withoutPix } = methods;
    const [first, second] = [
      ['AFG', ...prohibited, 'USA-NY'],
      ['AFG', ...prohibited.filter((place) => place !== 'CUB'), 'USA-NY'],
    ];
    await eventually(async () =>
      expect((await published()).map(({ data }) => data)).toEqual([
        { version: 1, prohibited: first, methods },
        { version: 2, prohibited: second, methods },
        { version: 3, prohibited: second, methods: { ...methods, WIRE: ['CAN', 'USA'] } },
        { version: 4, prohibited: second, methods: { ...withoutPix, WIRE: ['CAN', 'USA'] } },
      ]),
    );
    expect(await audited()).toEqual([
      {
        actor: 'test',
        action: 'country_rules.prohibited',
        details: { places: ['USA-NY', 'AFG'] },
      },
      { actor: 'test', action: 'country_rules.permitted', details: { places: ['CUB'] } },
      {
        actor: 'test',
        action: 'country_rules.method_restricted',
        details: { method: 'WIRE', places: ['USA', 'CAN'] },
      },
      { actor: 'test', action: 'country_rules.method_unrestricted', details: { method: 'PIX' } },
    ]);
    expect(await run('list')).toContain('WIRE  only in CAN, USA');
  });

  it('do not change by a command that is refused', async () => {
    const before = await audited();
    await expect(run('prohibit --places IRN,FRA')).rejects.toThrow('prohibited already: IRN');
    await expect(run('permit --places FRA')).rejects.toThrow('not prohibited: FRA');
    await expect(run('unrestrict --method CREDIT_CARD')).rejects.toThrow('is not restricted');
    expect(await audited()).toEqual(before);
    expect((await run('list'))[0]).not.toContain('FRA');
  });

  it('lose no change when several commands run at once', async () => {
    const places = ['BEL', 'DNK', 'EST', 'FIN'];
    await Promise.all(places.map((place) => run(`prohibit --places ${place}`)));
    expect((await run('list'))[0]).toMatch(/BEL.*DNK.*EST.*FIN/);
    await eventually(async () => {
      const versions = (await published()).map(({ data }) => data.version);
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    });
  });
});

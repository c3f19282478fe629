import type { OrganisationEvent } from '@bascule/contracts';
import { OperatorError } from '@bascule/operator-commands';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startGateway, withGatewayBefore } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { runSettingsCommand } from './run-settings-command.service.js';
import { parseSettingsCommand } from './settings-arguments.js';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const UNKNOWN = '0190b2c3-0000-7000-8000-0000000000ff';
const deployment = { chains: new Set(['base']), isDevelopment: false };

let fixture: GatewayFixture;
let dataSource: DataSource;
beforeAll(async () => {
  fixture = await startGateway('http://127.0.0.1:9');
  dataSource = fixture.gateway.app.get(DataSource);
});
afterAll(() => fixture.stop());

const newOrganisation = (): Promise<string> =>
  fixture.manage((management) => management.createOrganisation('Shop'));
const run = (organisation: string, line: string): Promise<string[]> =>
  fixture.configure((settings) =>
    runSettingsCommand(
      settings,
      parseSettingsCommand([...line.split(' '), '--organisation', organisation], deployment),
    ),
  );
const create = (organisation: string, name: string, pct = '1.5') =>
  run(organisation, `rev-shares create --name ${name} --receivers base:${ADDRESS}=${pct}`);
const actionsOn = async (subject: string): Promise<string[]> => {
  const rows: { action: string; actor: string }[] = await dataSource.query(
    'SELECT action, actor FROM audit_log WHERE subject_id = $1 ORDER BY at, id',
    [subject],
  );
  return rows.map(({ action, actor }) => `${actor} ${action}`);
};

/** Published states of an organisation, oldest first. */
async function published(organisation: string): Promise<OrganisationEvent[]> {
  const rows: { value: Buffer }[] = await dataSource.query(
    `SELECT value FROM event_log.records WHERE topic = 'bascule.organisation' AND key = $1
     ORDER BY "offset"`,
    [organisation],
  );
  return rows.map(({ value }) => JSON.parse(value.toString()) as OrganisationEvent);
}

describe('the settings of an organisation', () => {
  it('are published with each change, which is audited', async () => {
    const organisation = await newOrganisation();
    expect(await create(organisation, 'partner')).toEqual(['revenue share: partner']);
    await create(organisation, 'other', '2.5');
    expect(await run(organisation, 'rev-shares disable --name partner')).toEqual([
      'disabled: partner',
    ]);

    const partner = {
      name: 'partner',
      receivers: [{ chain: 'base', address: ADDRESS, pct: '1.5' }],
    };
    const other = { name: 'other', receivers: [{ chain: 'base', address: ADDRESS, pct: '2.5' }] };
    await eventually(async () => {
      const events = await published(organisation);
      expect(events.map(({ data }) => data)).toEqual([
        expect.objectContaining({ version: 1, org_id: organisation, revenue_shares: [partner] }),
        expect.objectContaining({ version: 2, revenue_shares: [partner, other] }),
        expect.objectContaining({ version: 3, revenue_shares: [other] }),
      ]);
      expect(events[0]).toMatchObject({
        source: 'gateway',
        type: 'organisation.configured',
        environment: 'test',
      });
    });
    expect(await actionsOn(organisation)).toEqual([
      'test organisation.created',
      'test revenue_share.created',
      'test revenue_share.created',
      'test revenue_share.disabled',
    ]);
    expect(await run(organisation, 'rev-shares list')).toEqual([
      expect.stringMatching(/^partner {2}disabled since \S+Z {2}base:0x\w+=1\.5$/),
      `other  enabled  base:${ADDRESS}=2.5`,
    ]);
  });

  it('have each name once, until it is disabled', async () => {
    const organisation = await newOrganisation();
    await create(organisation, 'partner');
    await expect(create(organisation, 'partner')).rejects.toThrow(OperatorError);
    await run(organisation, 'rev-shares disable --name partner');
    await expect(run(organisation, 'rev-shares disable --name partner')).rejects.toThrow(
      'not found or already disabled',
    );
    await create(organisation, 'partner', '2');
    await eventually(async () => {
      const last = (await published(organisation)).at(-1)?.data;
      expect(last?.revenue_shares).toMatchObject([{ receivers: [{ pct: '2' }] }]);
    });
  });

  it('belong to one organisation', async () => {
    const [mine, theirs] = [await newOrganisation(), await newOrganisation()];
    await create(mine, 'partner');
    await create(theirs, 'partner', '2');
    await expect(run(theirs, 'rev-shares disable --name other')).rejects.toThrow(OperatorError);
    await run(theirs, 'rev-shares disable --name partner');
    expect(await run(mine, 'rev-shares list')).toEqual([`partner  enabled  base:${ADDRESS}=1.5`]);
  });

  it('change nothing when a command is refused', async () => {
    const organisation = await newOrganisation();
    await create(organisation, 'partner');
    const before = await actionsOn(organisation);
    await expect(create(organisation, 'partner')).rejects.toThrow(OperatorError);
    await expect(create(UNKNOWN, 'partner')).rejects.toThrow('organisation not found');
    await expect(run(UNKNOWN, 'rev-shares list')).rejects.toThrow('organisation not found');
    expect(await actionsOn(organisation)).toEqual(before);
    const [row]: { version: number }[] = await dataSource.query(
      'SELECT version FROM organisations WHERE id = $1',
      [organisation],
    );
    expect(row).toEqual({ version: 1 });
  });

  it('get a version of their own from each of several commands at once', async () => {
    const organisation = await newOrganisation();
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(organisation, name)));
    await eventually(async () => {
      const states = (await published(organisation)).map(({ data }) => data);
      expect(states.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
      expect(states.map((state) => state.revenue_shares.length)).toEqual([1, 2, 3, 4]);
    });
  });

  it.each([
    {
      list: 'opened_edges',
      commands: { add: 'edges open --edge', remove: 'edges close --edge', list: 'edges list' },
      items: ['b-test', 'a-test'],
      actions: ['edge.opened', 'edge.opened', 'edge.closed'],
    },
    {
      list: 'redirect_origins',
      commands: {
        add: 'redirect-origins add --origin',
        remove: 'redirect-origins remove --origin',
        list: 'redirect-origins list',
      },
      items: ['https://shop.example', 'https://a.shop.example:8443'],
      actions: ['redirect_origin.added', 'redirect_origin.added', 'redirect_origin.removed'],
    },
  ] as const)('hold $list, published and audited', async ({ list, commands, items, actions }) => {
    const organisation = await newOrganisation();
    const [first, second] = items;
    await run(organisation, `${commands.add} ${first}`);
    await run(organisation, `${commands.add} ${second}`);
    await expect(run(organisation, `${commands.add} ${first}`)).rejects.toThrow('already');
    expect(await run(organisation, commands.list)).toEqual([second, first]);
    await run(organisation, `${commands.remove} ${second}`);
    await expect(run(organisation, `${commands.remove} ${second}`)).rejects.toThrow('is not');
    await expect(run(UNKNOWN, `${commands.add} ${first}`)).rejects.toThrow('not found');
    expect(await run(await newOrganisation(), commands.list)).toEqual([]);
    await eventually(async () => {
      const states = (await published(organisation)).map(({ data }) => data);
      expect(states.map((state) => state[list])).toEqual([[first], [second, first], [first]]);
      expect(states.map(({ version }) => version)).toEqual([1, 2, 3]);
    });
    expect(await actionsOn(organisation)).toEqual([
      'test organisation.created',
      ...actions.map((action) => `test ${action}`),
    ]);
  });

  it.each([
    [2, true],
    [3, false],
  ])('is told that a quota of %s is not divided among visitors: %s', async (quota, isTold) => {
    const organisation = await newOrganisation();
    const answer = await run(organisation, `quotas set --unsigned-withdrawals ${quota}`);
    const note =
      'A quota below 3 is not divided: one visitor with the publishable key can use it up.';
    expect(answer).toEqual([
      'quotes per second     default',
      'unfunded payments     default',
      `unsigned withdrawals  ${quota}`,
      ...(isTold ? [note] : []),
    ]);
  });

  it('hold quotas, published and audited', async () => {
    const organisation = await newOrganisation();
    expect(await run(organisation, 'quotas list')).toEqual([
      'quotes per second     default',
      'unfunded payments     default',
      'unsigned withdrawals  default',
    ]);
    await run(
      organisation,
      'quotas set --unfunded-payments 500 --unsigned-withdrawals 7 --quotes-per-second 9',
    );
    expect(await run(organisation, 'quotas set --unfunded-payments default')).toEqual([
      'quotes per second     9',
      'unfunded payments     default',
      'unsigned withdrawals  7',
    ]);
    await eventually(async () => {
      const states = (await published(organisation)).map(({ data }) => data.quotas);
      expect(states).toEqual([
        { quotes_per_second: 9, unfunded_payments: 500, unsigned_withdrawals: 7 },
        { quotes_per_second: 9, unsigned_withdrawals: 7 },
      ]);
    });
    expect(await actionsOn(organisation)).toEqual([
      'test organisation.created',
      'test quotas.set',
      'test quotas.set',
    ]);
  });

  it('hold at most 64 edges and 32 origins', async () => {
    const organisation = await newOrganisation();
    await fixture.configure(async (settings) => {
      for (let index = 0; index < 64; index += 1) {
        await settings.openEdge(organisation, `edge-${index}`);
      }
      for (let index = 0; index < 32; index += 1) {
        await settings.addRedirectOrigin(organisation, `https://${index}.example`);
      }
    });
    await expect(run(organisation, 'edges open --edge more')).rejects.toThrow('64 opened edges');
    await expect(
      run(organisation, 'redirect-origins add --origin https://shop.example'),
    ).rejects.toThrow('32 redirect origins');
  });

  it('have at most 32 enabled revenue shares', async () => {
    const organisation = await newOrganisation();
    await fixture.configure(async (settings) => {
      const receivers = [{ chain: 'base', address: ADDRESS, pct: '1' }];
      for (let index = 0; index < 32; index += 1) {
        await settings.createRevenueShare(organisation, { name: `share-${index}`, receivers });
      }
    });
    await expect(create(organisation, 'partner')).rejects.toThrow('32 revenue shares already');
    await run(organisation, 'rev-shares disable --name share-7');
    await create(organisation, 'partner');
  });
});

describe('a gateway without its broker', () => {
  it('is ready, serves requests, and keeps the settings for later', async () => {
    await withGatewayBefore(
      'http://127.0.0.1:9',
      { KAFKA_BROKERS: '127.0.0.1:9' },
      async ({ gateway, manage, configure, database }) => {
        expect((await fetch(`${gateway.operationsUrl}/health/ready`)).status).toBe(200);
        expect((await fetch(`${gateway.url}/assets`)).status).toBe(401);
        const id = await manage((management) => management.createOrganisation('Shop'));
        await configure((settings) => settings.openEdge(id, 'sepa-test'));
        expect(await database.rows('SELECT topic, key FROM outbox')).toEqual([
          { topic: 'bascule.organisation', key: id },
        ]);
        // A shutdown reports rows that could not be published.
        await database.rows('DELETE FROM outbox');
      },
    );
  });
});

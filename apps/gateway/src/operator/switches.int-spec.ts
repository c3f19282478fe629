import type { SwitchesEvent } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { runSwitchCommand } from './run-switch-command.service.js';
import { parseSwitchCommand } from './switch-arguments.js';
import { MAX_PAUSES } from './switches.service.js';

const known = { chain: ['base', 'optimism'], venue: ['uniswap_v3'], bridge: [], provider: [] };
const NOBODY = '0190b2c3-0000-7000-8000-00000000000a';
const WHOLE_DEPLOYMENT = '00000000-0000-0000-0000-000000000000';

describe('the switches', () => {
  let fixture: GatewayFixture;
  let dataSource: DataSource;
  beforeAll(async () => {
    fixture = await startGateway('http://127.0.0.1:9');
    dataSource = fixture.gateway.app.get(DataSource);
  });
  afterAll(() => fixture.stop());

  const run = (...args: string[]): Promise<string[]> =>
    fixture.throwSwitches((switches) =>
      runSwitchCommand(switches, parseSwitchCommand(args, known)),
    );
  async function published(): Promise<SwitchesEvent['data'][]> {
    const rows: { value: Buffer }[] = await dataSource.query(
      `SELECT value FROM event_log.records WHERE topic = 'bascule.switches' ORDER BY "offset"`,
    );
    return rows.map(({ value }) => (JSON.parse(value.toString()) as SwitchesEvent).data);
  }
  const audited = () =>
    dataSource.query(
      `SELECT actor, action, subject_id, details FROM audit_log WHERE action LIKE 'switch.%' ORDER BY id`,
    );

  it('are published as a whole and audited with each command', async () => {
    expect(await run('pauses', 'list')).toEqual(['version 0']);
    const paused = await run('pause', 'chain', 'base', '--reason', 'a node is wrong');
    expect(paused).toEqual(['paused: chain base', 'version 1']);
    const organisation = fixture.keys.organisationId;
    await run('pause', 'organisation', organisation, '--reason', 'leaked key');
    expect(await run('pauses', 'list')).toEqual([
      'version 2',
      expect.stringMatching(/^chain base {2}since 20\S+Z {2}a node is wrong$/),
      expect.stringMatching(/^organisation \S+ {2}since 20\S+Z {2}leaked key$/),
    ]);
    expect(await run('resume', 'chain', 'base')).toEqual(['resumed: chain base', 'version 3']);

    const since = expect.stringMatching(/^20\S+Z$/);
    const chain = { kind: 'chain', subject: 'base', reason: 'a node is wrong', since };
    const key = { kind: 'organisation', subject: organisation, reason: 'leaked key', since };
    await eventually(async () =>
      expect(await published()).toEqual([
        { version: 1, paused: [chain] },
        { version: 2, paused: [chain, key] },
        { version: 3, paused: [key] },
      ]),
    );
    const { since: _, ...chainDetails } = chain;
    const { since: __, ...keyDetails } = key;
    expect(await audited()).toEqual([
      {
        ...{ actor: 'test', action: 'switch.paused', subject_id: WHOLE_DEPLOYMENT },
        details: chainDetails,
      },
      { actor: 'test', action: 'switch.paused', subject_id: organisation, details: keyDetails },
      {
        ...{ actor: 'test', action: 'switch.resumed', subject_id: WHOLE_DEPLOYMENT },
        details: { kind: 'chain', subject: 'base' },
      },
    ]);
    await run('resume', 'organisation', organisation);
  });

  it('do not change by a command that is refused', async () => {
    await run('pause', 'execution', '--reason', 'attack');
    const before = [await audited(), await run('pauses', 'list')];
    await expect(run('pause', 'execution', '--reason', 'again')).rejects.toThrow(
      'execution is paused already',
    );
    await expect(run('resume', 'chain', 'base')).rejects.toThrow(
      'chain base is not paused; paused: execution',
    );
    await expect(run('pause', 'organisation', NOBODY, '--reason', 'x')).rejects.toThrow(
      `Organisation ${NOBODY} not found.`,
    );
    expect([await audited(), await run('pauses', 'list')]).toEqual(before);
    await run('resume', 'execution');
  });

  it('lose no change when several commands run at once', async () => {
    const commands = [
      ['chain', 'base'],
      ['chain', 'optimism'],
      ['venue', 'uniswap-v3'],
      ['confirms'],
    ];
    await Promise.all(commands.map((what) => run('pause', ...what, '--reason', 'test')));
    const lines = (await run('pauses', 'list')).map((line) => line.replace(/ {2}since.*/, ''));
    expect(lines.slice(1).sort()).toEqual([
      'chain base',
      'chain optimism',
      'confirms',
      'venue uniswap_v3',
    ]);
    await Promise.all(commands.map((what) => run('resume', ...what)));
    await eventually(async () => {
      const versions = (await published()).map(({ version }) => version);
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    });
  });

  it('are bounded, since one event carries them all', async () => {
    const names = Array.from({ length: MAX_PAUSES }, (_, index) => `bridge${index}`);
    const entries = names.map((subject) => ({ kind: 'bridge', subject, reason: 'r'.repeat(200) }));
    const full = entries.map((entry) => ({ ...entry, since: new Date().toISOString() }));
    await dataSource.query('UPDATE switches SET paused = $1', [JSON.stringify(full)]);
    await expect(run('pause', 'execution', '--reason', 'attack')).rejects.toThrow(
      `${MAX_PAUSES} switches are on`,
    );
    await run('resume', 'bridge', 'bridge0', '--unlisted');
    expect(await run('pause', 'execution', '--reason', 'attack')).toContain('paused: execution');
    await dataSource.query(`UPDATE switches SET paused = '[]'`);
  });

  it('expose the version that was set last, to compare with what services apply', async () => {
    const [, version] = await run('pause', 'confirms', '--reason', 'a drill');
    const { metrics } = fixture.gateway.app.get(ServiceContext);
    const set = version?.replace('version', 'switches_version') ?? '';
    expect(await metrics.metrics()).toContain(`\n${set}\n`);
    await run('resume', 'confirms');
    expect(await metrics.metrics()).not.toContain(`\n${set}\n`);
  });
});

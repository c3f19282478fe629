import { besideTransactions, eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { pendingSchemaChanges } from '@bascule/persistence';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { parseOperatorCommand } from './operator-arguments.js';
import { OperatorError } from '@bascule/operator-commands';
import { runOperatorCommand } from './run-operator-command.service.js';

let fixture: GatewayFixture;
let dataSource: DataSource;
beforeAll(async () => {
  fixture = await startGateway('http://127.0.0.1:9');
  dataSource = fixture.gateway.app.get(DataSource);
});
afterAll(() => fixture.stop());

const run = (line: string): Promise<string> =>
  fixture.manage(async (management) => {
    const command = parseOperatorCommand(line.split(' '), new Date());
    return (await runOperatorCommand(management, command)).join('\n');
  });
const SHARE_NOTE =
  'Of a client limit at most 45 % of the limits of the key and of the organisation apply: see GET /orgs/keys/self.';
const find = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? 'not found';
const auditOf = async (subject: string): Promise<unknown[]> =>
  dataSource.query(
    'SELECT actor, action, details FROM audit_log WHERE subject_id = $1 ORDER BY at, id',
    [subject],
  );

describe('an operator', () => {
  it('creates an organisation and a pair of keys, shown once and audited', async () => {
    const organisation = find(/organisation: (\S+)/, await run('organisations create --name Shop'));
    const created = await run(
      `keys create --organisation ${organisation} --label web --permissions quotes,assets --expires-at 2999-01-01`,
    );
    const [keySet, publishable, secret] = [
      find(/key set: (\S+)/, created),
      find(/publishable key: (\S+)/, created),
      find(/secret key: (\S+)/, created),
    ];
    expect([publishable.slice(0, 3), secret.slice(0, 3)]).toEqual(['pk_', 'sk_']);
    const listed = await run(`keys list --organisation ${organisation}`);
    expect(listed.split('\n')).toHaveLength(2);
    expect(listed).toContain(`sk_…${secret.slice(-4)}  active  until 2999-01-01T00:00:00.000Z`);
    expect(listed).not.toContain(secret);
    expect(await auditOf(organisation)).toEqual([
      { actor: 'test', action: 'organisation.created', details: { name: 'Shop' } },
    ]);
    expect(await auditOf(keySet)).toEqual([
      {
        actor: 'test',
        action: 'key_set.created',
        details: expect.objectContaining({ label: 'web', permissions: ['assets', 'quotes'] }),
      },
    ]);
    expect(JSON.stringify(await dataSource.query('SELECT * FROM audit_log'))).not.toContain(secret);
  });

  it('revokes one key or all keys of a set, once', async () => {
    const { organisationId } = fixture.keys;
    const created = await run(`keys create --organisation ${organisationId} --label doomed`);
    const keySet = find(/key set: (\S+)/, created);
    const listed = await run(`keys list --organisation ${organisationId}`);
    const secretId = find(new RegExp(`(\\S+)  sk_\\S+  active  set ${keySet}`), listed);
    expect(await run(`keys revoke --id ${secretId}`)).toBe(`revoked: ${secretId}`);
    expect(await auditOf(secretId)).toMatchObject([{ action: 'key.revoked' }]);
    expect(await run(`keys revoke --id ${keySet}`)).not.toContain(secretId);
    await expect(run(`keys revoke --id ${keySet}`)).rejects.toThrow(OperatorError);
    const after = await run(`keys list --organisation ${organisationId}`);
    expect(after.match(new RegExp(`revoked  set ${keySet}`, 'g'))).toHaveLength(2);
  });

  it('limits a key set and restricts the origins of an organisation', async () => {
    const { organisationId } = fixture.keys;
    const created = await run(`keys create --organisation ${organisationId} --label limited`);
    const keySet = find(/key set: (\S+)/, created);
    expect(await run(`keys limit --key-set ${keySet} --limit 5`)).toBe('limit: 5');
    expect(await run(`keys limit --key-set ${keySet} --limit default`)).toBe('limit: default');
    const restrict = `organisations restrict --organisation ${organisationId} --origins`;
    expect(await run(`${restrict} https://a.example`)).toBe('origins: https://a.example');
    expect(await run('organisations list')).toContain('origins: https://a.example');
    expect(await run(`${restrict} any`)).toBe('origins: any');
    expect(await auditOf(keySet)).toHaveLength(3);
  });

  it('limits the clients of a key set, and an organisation', async () => {
    const organisation = find(/organisation: (\S+)/, await run('organisations create --name Busy'));
    const created = await run(`keys create --organisation ${organisation} --label web`);
    const keySet = find(/key set: (\S+)/, created);
    expect(await run(`keys limit --key-set ${keySet} --limit 50 --client-limit 5`)).toBe(
      `limit: 50\nclient limit: 5\n${SHARE_NOTE}`,
    );
    expect(await run(`keys limit --key-set ${keySet} --limit default`)).toBe('limit: default');
    const listed = await run(`keys list --organisation ${organisation}`);
    expect(listed).toContain('client limit 5');
    expect(listed).not.toContain('limit 50');
    const limit = `organisations limit --organisation ${organisation} --limit`;
    expect(await run(`${limit} 500`)).toBe('limit: 500');
    expect(await run('organisations list')).toContain(
      `${organisation}  Busy  origins: any  limit: 500`,
    );
    expect(await auditOf(keySet)).toMatchObject([
      { action: 'key_set.created' },
      { action: 'key_set.limited', details: { rate_limit: 50, client_rate_limit: 5 } },
      { action: 'key_set.limited', details: { rate_limit: null } },
    ]);
  });

  it('is told when the limits beside it cap a client limit', async () => {
    const organisation = find(/organisation: (\S+)/, await run('organisations create --name Cap'));
    const created = await run(
      `keys create --organisation ${organisation} --label web --limit 1000 --client-limit 900`,
    );
    const keySet = find(/key set: (\S+)/, created);
    const capped = (set: number, largest: number) =>
      `client limit ${set} of key set ${keySet} "web" is capped at ${largest}: half of what publishable keys have`;
    expect(created).toContain(`${capped(900, 450)}\n${SHARE_NOTE}\n`);
    const limitKeys = `keys limit --key-set ${keySet}`;
    expect(await run(`${limitKeys} --client-limit 450`)).toBe(`client limit: 450\n${SHARE_NOTE}`);
    expect(await run(`${limitKeys} --limit 800`)).toBe(`limit: 800\n${capped(450, 360)}`);
    const limit = `organisations limit --organisation ${organisation} --limit`;
    expect(await run(`${limit} 500`)).toBe(`limit: 500\n${capped(450, 225)}`);
    expect(await run(`${limitKeys} --client-limit default`)).toBe('client limit: default');
    expect(await run(`${limit} 400`)).toBe('limit: 400');
  });

  it('rotates a key: the old one works until its retirement, the new one at once', async () => {
    const { organisationId } = fixture.keys;
    const created = await run(`keys create --organisation ${organisationId} --label rotating`);
    const keySet = find(/key set: (\S+)/, created);
    const secret = find(/secret key: (\S+)/, created);
    const self = `${fixture.gateway.url}/orgs/keys/self`;
    const status = async (key: string) => (await send(self, { headers: bearer(key) })).status;
    const rotated = await run(`keys rotate --id ${keySet} --retire-at 2999-01-01`);
    expect(rotated.match(/^retired: \S+ at 2999-01-01T00:00:00.000Z$/gm)).toHaveLength(2);
    const successor = find(/secret key: (\S+)/, rotated);
    const successorId = find(/secret key: \S+ \((\S+)\)/, rotated);
    expect(successor).not.toBe(secret);
    expect([await status(secret), await status(successor)]).toEqual([200, 200]);

    // Only the newest keys of a set are rotated again.
    const again = await run(`keys rotate --id ${keySet} --retire-at now`);
    expect(again).toContain(`retired: ${successorId} at `);
    expect(again.match(/^retired: /gm)).toHaveLength(2);
    await expect(run(`keys rotate --id ${successorId}`)).rejects.toThrow('revoked or expired');
    expect(await auditOf(successorId)).toMatchObject([
      { action: 'key.rotated', details: { replaced_by: expect.any(String) } },
    ]);
  });

  it('asks for the expiry of a new key where the old one has one, and changes nothing before', async () => {
    const { organisationId } = fixture.keys;
    const created = await run(
      `keys create --organisation ${organisationId} --label until --expires-at 2998-01-01`,
    );
    const keySet = find(/key set: (\S+)/, created);
    await expect(run(`keys rotate --id ${keySet}`)).rejects.toThrow('--expires-at');
    const listed = () => run(`keys list --organisation ${organisationId}`);
    expect((await listed()).match(new RegExp(`set ${keySet}`, 'g'))).toHaveLength(2);
    await run(`keys rotate --id ${keySet} --retire-at 2999-01-01 --expires-at 2999-06-01`);
    const until = (await listed()).match(new RegExp(`until \\S+(?=  set ${keySet})`, 'g'));
    // A retirement never extends an expiry.
    expect(until?.sort()).toEqual([
      ...Array.from({ length: 2 }, () => 'until 2998-01-01T00:00:00.000Z'),
      ...Array.from({ length: 2 }, () => 'until 2999-06-01T00:00:00.000Z'),
    ]);
  });

  it('revokes the keys of a set with those that a running rotation makes', async () => {
    const organisationId = find(/organisation: (\S+)/, await run('organisations create --name Ro'));
    const created = await run(`keys create --organisation ${organisationId} --label revoked`);
    const keySet = find(/key set: (\S+)/, created);
    const waiting = (sessions: number): Promise<void> =>
      eventually(async () => {
        const rows: unknown[] = await besideTransactions(() =>
          dataSource.query(
            `SELECT 1 FROM pg_stat_activity
             WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
          ),
        );
        expect(rows).toHaveLength(sessions);
      });
    const commands = await dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE audit_log IN EXCLUSIVE MODE');
      // The rotation has made its first key, and waits to audit it.
      const rotation = run(`keys rotate --id ${keySet}`);
      await waiting(1);
      const revocation = run(`keys revoke --id ${keySet}`);
      await waiting(2);
      return [rotation, revocation];
    });
    await Promise.all(commands);
    const revoked: unknown[] = await dataSource.query(
      'SELECT 1 FROM api_keys WHERE key_set_id = $1 AND revoked_at IS NULL',
      [keySet],
    );
    expect(revoked).toEqual([]);
  });

  it('rotates concurrently without two successors of one key', async () => {
    const { organisationId } = fixture.keys;
    const created = await run(`keys create --organisation ${organisationId} --label raced`);
    const keySet = find(/key set: (\S+)/, created);
    const rotated = await Promise.all(
      Array.from({ length: 4 }, () => run(`keys rotate --id ${keySet}`)),
    );
    const retired = rotated.flatMap((text) => text.match(/^retired: \S+/gm) ?? []);
    expect(new Set(retired).size).toBe(8);
  });

  it('reads who changed what, newest first and page by page', async () => {
    const organisation = find(
      /organisation: (\S+)/,
      await run('organisations create --name Audit'),
    );
    const created = await run(`keys create --organisation ${organisation} --label web`);
    const keySet = find(/key set: (\S+)/, created);
    await run(`keys revoke --id ${keySet}`);
    const entries = async (line: string) =>
      (await run(line)).split('\n').map((text) => JSON.parse(text) as Record<string, string>);
    const all = await entries(`audit list --organisation ${organisation}`);
    expect(all.map(({ actor, action }) => [actor, action])).toEqual([
      ['test', 'key.revoked'],
      ['test', 'key.revoked'],
      ['test', 'key_set.created'],
      ['test', 'organisation.created'],
    ]);
    expect(all[0]).toMatchObject({
      at: expect.stringMatching(/Z$/),
      subject_id: expect.any(String),
    });
    const [, second] = all;
    const older = `audit list --organisation ${organisation} --limit 1 --before ${second?.['id']}`;
    expect(await entries(older)).toMatchObject([{ action: 'key_set.created', subject_id: keySet }]);
    expect(await entries(`audit list --subject ${keySet}`)).toHaveLength(1);
    expect(await entries('audit list --limit 2')).toEqual(all.slice(0, 2));
  });

  it.each([
    'keys rotate --id 0190b2c3-0000-7000-8000-00000000dead',
    'organisations limit --organisation 0190b2c3-0000-7000-8000-00000000dead --limit 1',
    'keys create --organisation 0190b2c3-0000-7000-8000-00000000dead --label x',
    'keys revoke --id 0190b2c3-0000-7000-8000-00000000dead',
    'keys limit --key-set 0190b2c3-0000-7000-8000-00000000dead --limit 1',
    'organisations restrict --organisation 0190b2c3-0000-7000-8000-00000000dead --origins any',
  ])('gets an error for an unknown id: %s', async (line) => {
    await expect(run(line)).rejects.toThrow(/ not found/);
  });

  it('cannot use a label twice, and a second attempt stores nothing', async () => {
    const line = `keys create --organisation ${fixture.keys.organisationId} --label first`;
    const count = () => dataSource.query('SELECT count(*) FROM audit_log');
    const before: unknown = await count();
    await expect(run(line)).rejects.toThrow('has a key set with this label');
    expect(await count()).toEqual(before);
  });
});

describe('the schema', () => {
  it('matches the entities', async () => {
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { pendingSchemaChanges } from '@bascule/persistence';
import { startGateway } from '../testing/gateway.fixture.js';
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

  it.each([
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

import { InternalTokenVerifier } from '@bascule/identity';
import { OperatorError } from '@bascule/operator-commands';
import { startCapturingServer, type CapturingServer } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, publicKeysOf, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { parseOperatorCommand } from './operator-arguments.js';
import { runOperatorCommand } from './run-operator-command.service.js';

let upstream: CapturingServer;
let fixture: GatewayFixture;
beforeAll(async () => {
  upstream = await startCapturingServer(() => ({ body: '{}' }));
  fixture = await startGateway(upstream.url);
});
afterAll(async () => {
  await fixture.stop();
  await upstream.stop();
});

const run = (line: string): Promise<string> =>
  fixture.manage(async (management) => {
    const command = parseOperatorCommand(line.split(' '), new Date());
    return (await runOperatorCommand(management, command)).join('\n');
  });
const find = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? 'not found';
const newOrganisation = async (name: string) =>
  find(/organisation: (\S+)/, await run(`organisations create --name ${name}`));
const self = async (key: string) =>
  (await send(`${fixture.gateway.url}/orgs/keys/self`, { headers: bearer(key) })).body;

describe('test keys', () => {
  it('have their own prefix, and belong to the test organisation beside the live one', async () => {
    const live = await newOrganisation('Shop');
    const first = await run(`keys create --organisation ${live} --label web --test`);
    const test = find(/test organisation: (\S+)/, first);
    expect(test).not.toBe(live);
    expect(first).toMatch(/publishable key: pk_test_\S{43}$/m);
    const secret = find(/secret key: (sk_test_\S{43})$/m, first);
    expect(await self(secret)).toMatchObject({
      ...{ mode: 'test', test_mode: true },
      ...{ org_id: test, label: 'web' },
    });
    const same = await run(`keys create --organisation ${test} --label app --test`);
    expect(same).toContain(`test organisation: ${test}`);
    expect(await run('organisations list')).toContain(
      `${test}  Shop (test)  test organisation of ${live}`,
    );
  });

  it('are created beside live keys of the same label, which look as before', async () => {
    const live = await newOrganisation('Both');
    await run(`keys create --organisation ${live} --label web --test`);
    const created = await run(`keys create --organisation ${live} --label web`);
    const secret = find(/secret key: (sk_\S{43})$/m, created);
    expect(created).not.toContain('test');
    expect(await self(secret)).toMatchObject({ mode: 'live', test_mode: false, org_id: live });
  });

  it('have one test organisation, also when two sets are created at once', async () => {
    const live = await newOrganisation('Twice');
    const labels = Array.from({ length: 8 }, (_, n) => `set-${n}`);
    const created = await Promise.all(
      labels.map((label) => run(`keys create --organisation ${live} --label ${label} --test`)),
    );
    const owners = new Set(created.map((text) => find(/test organisation: (\S+)/, text)));
    expect(owners.size).toBe(1);
  });

  it('are listed and audited with the live keys of their organisation', async () => {
    const live = await newOrganisation('Listed');
    const created = await run(`keys create --organisation ${live} --label web --test`);
    const test = find(/test organisation: (\S+)/, created);
    await run(`keys create --organisation ${live} --label web`);
    const listed = (await run(`keys list --organisation ${live}`)).split('\n');
    const prefixes = listed.map((line) => find(/^\S+ {2}(\S+)…/, line));
    expect(prefixes.sort()).toEqual(['pk_', 'pk_test_', 'sk_', 'sk_test_']);
    expect((await run(`keys list --organisation ${test}`)).split('\n')).toHaveLength(2);
    const audited = await run(`audit list --organisation ${live}`);
    expect(audited).toContain(`"action":"test_organisation.created","subject_id":"${test}"`);
    expect(audited.match(/"key_set.created"/g)).toHaveLength(2);
  });

  it('stay test keys when they are rotated', async () => {
    const live = await newOrganisation('Rotated');
    const created = await run(`keys create --organisation ${live} --label web --test`);
    const rotated = await run(`keys rotate --id ${find(/key set: (\S+)/, created)}`);
    const secret = find(/secret key: (sk_test_\S{43})/, rotated);
    expect(await self(secret)).toMatchObject({ mode: 'test', test_mode: true });
  });

  it('are revoked apart from the live keys', async () => {
    const live = await newOrganisation('Revoked');
    const test = await run(`keys create --organisation ${live} --label web --test`);
    const kept = await run(`keys create --organisation ${live} --label web`);
    await run(`keys revoke --id ${find(/key set: (\S+)/, test)}`);
    const statusOf = async (created: string) => {
      const headers = bearer(find(/secret key: (\S+)/, created));
      return (await send(`${fixture.gateway.url}/orgs/keys/self`, { headers })).status;
    };
    expect([await statusOf(test), await statusOf(kept)]).toEqual([401, 200]);
  });

  it('are the only keys of a test organisation', async () => {
    const live = await newOrganisation('Only');
    const created = await run(`keys create --organisation ${live} --label web --test`);
    const test = find(/test organisation: (\S+)/, created);
    const refused = run(`keys create --organisation ${test} --label other`);
    await expect(refused).rejects.toThrow(OperatorError);
    await expect(refused).rejects.toThrow('--test');
  });

  it('reach the services with their mode, and live keys without one', async () => {
    const live = await newOrganisation('Sent');
    const created = await run(`keys create --organisation ${live} --label web --test`);
    const verifier = new InternalTokenVerifier(publicKeysOf(fixture.internalTokenKey));
    const callerOf = async (key: string) => {
      await send(`${fixture.gateway.url}/assets`, { headers: bearer(key) });
      return verifier.verify(String(upstream.requests.at(-1)?.headers['x-internal-token']));
    };
    const test = await callerOf(find(/secret key: (\S+)/, created));
    expect(test).toMatchObject({
      mode: 'test',
      orgId: find(/test organisation: (\S+)/, created),
    });
    expect(await callerOf(fixture.keys.secret)).not.toHaveProperty('mode');
  });
});

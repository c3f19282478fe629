import { Controller, Get } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, exportJWK } from 'jose';
import { PERMISSIONS } from '@bascule/contracts';
import type { RunningService } from '../service/service-definition.js';
import { gatewayKey, send, startTestService } from '../testing/service.fixture.js';
import {
  AllowCallers,
  CurrentCaller,
  Public,
  RequirePermission,
  RequireSecretKey,
  InternalTokenIssuer,
  parsePrivateKey,
} from '@bascule/identity';
import type { Caller } from '@bascule/identity';

@Controller()
class RoutesController {
  @Public() @Get('open') open() {
    return 'open';
  }
  @Get('mine') mine(@CurrentCaller() caller: Caller) {
    return caller;
  }
  @RequirePermission('payments:write') @Get('write') write() {
    return 'written';
  }
  @RequireSecretKey() @RequirePermission('webhooks') @Get('hooks') hooks() {
    return 'hooks';
  }
  @AllowCallers('funding') @Get('funding') funding(@CurrentCaller() caller: Caller) {
    return { payment: caller.paymentId };
  }
}

const permissions = [...PERMISSIONS];
const secret: Caller = { orgId: 'org', keyId: 'key', kind: 'secret', permissions };
const publishable: Caller = { ...secret, kind: 'publishable' };
const poor: Caller = { ...secret, permissions: ['assets'] };
const funding: Caller = {
  orgId: 'org',
  keyId: '',
  kind: 'funding',
  permissions: [],
  paymentId: 'p',
};
const provider: Caller = { orgId: '', keyId: '', kind: 'provider', permissions: [], provider: 'x' };

const issuer = new InternalTokenIssuer(gatewayKey);
let service: RunningService;
beforeAll(async () => {
  service = await startTestService({ controllers: [RoutesController] });
});
afterAll(() => service.shutdown({ graceMs: 0 }));

const as = async (caller: Caller, path: string, headers: Record<string, string> = {}) =>
  send(service.url + path, {
    headers: { 'x-internal-token': await issuer.issue(caller), ...headers },
  });

describe('a service behind the gateway', () => {
  it.each<[string, Caller, number]>([
    ['/mine', secret, 200],
    ['/mine', publishable, 200],
    ['/mine', funding, 403],
    ['/mine', provider, 403],
    ['/write', secret, 200],
    ['/write', poor, 403],
    ['/hooks', secret, 200],
    ['/hooks', publishable, 403],
    ['/hooks', poor, 403],
    ['/funding', funding, 200],
    ['/funding', secret, 403],
    ['/open', poor, 200],
  ])('answers %s for %j with %d', async (path, caller, status) => {
    const response = await as(caller, path);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.body).toMatchObject({ errors: [{ kind: 'other' }] });
  });

  it('passes the caller on, with the address of the client', async () => {
    expect((await as(secret, '/mine', { 'x-client-ip': '198.51.100.7' })).body).toEqual({
      ...secret,
      clientIp: '198.51.100.7',
    });
  });

  it('rejects requests that did not pass the gateway', async () => {
    expect((await send(`${service.url}/mine`)).status).toBe(401);
    expect((await send(`${service.url}/open`)).status).toBe(200);
    const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const key = parsePrivateKey(JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'test' }));
    const forged = await new InternalTokenIssuer(key).issue(secret);
    const { status, body } = await send(`${service.url}/mine`, {
      headers: { 'x-internal-token': forged },
    });
    expect(status).toBe(401);
    expect(body).toMatchObject({ errors: [{ kind: 'other' }] });
  });
});

describe('a service without keys', () => {
  it('rejects every route that is not public', async () => {
    const keyless = await startTestService({ controllers: [RoutesController], withoutKeys: true });
    try {
      const headers = { 'x-internal-token': await issuer.issue(secret) };
      expect((await send(`${keyless.url}/mine`, { headers })).status).toBe(401);
      expect((await send(`${keyless.url}/open`)).status).toBe(200);
    } finally {
      await keyless.shutdown({ graceMs: 0 });
    }
  });
});

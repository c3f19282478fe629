import { httpEnv, startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { AllowCallers, INTERNAL_TOKEN_HEADER, InternalTokenIssuer } from '@bascule/identity';
import type { PrivateKey } from '@bascule/identity';
import { parseConfig } from '@bascule/process';
import { eventually, keysInUse, RunningLoad, SecretDirectory } from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { aKey, ask, publicKeysOf, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';

const PAYMENT = '0190b2c3-0000-7000-8000-000000001111';
const ORG = '0190b2c3-0000-7000-8000-000000000001';

@Controller()
class AnsweringController {
  @Get('assets')
  assets(): object {
    return {};
  }

  @Get('funding/:id')
  @AllowCallers('funding')
  page(): object {
    return {};
  }
}

@Module({ controllers: [AnsweringController] })
class AnsweringModule {}

const publicKeys = (...keys: PrivateKey[]): string =>
  JSON.stringify({ keys: keys.flatMap((key) => publicKeysOf(key).keys) });

const [oldKey, newKey] = [await aKey('gateway-old'), await aKey('gateway-new')];
const [oldLinkKey, newLinkKey] = [await aKey('links-old'), await aKey('links-new')];

let fixture: GatewayFixture;
let service: RunningService;
let ofGateway: SecretDirectory;
let ofService: SecretDirectory;
let load: RunningLoad | undefined;

beforeEach(async () => {
  ofGateway = new SecretDirectory({
    INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(oldKey),
    FUNDING_TOKEN_PUBLIC_KEYS: publicKeys(oldLinkKey),
  });
  ofService = new SecretDirectory({ INTERNAL_TOKEN_PUBLIC_KEYS: publicKeys(oldKey) });
  service = await startService(
    {
      name: 'answering',
      parseConfig: (env) => parseConfig(env, httpEnv),
      module: () => AnsweringModule,
    },
    { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...ofService.env },
  );
  // Every request reaches the service.
  fixture = await startGateway(service.url, { ...ofGateway.env, ANSWERS_KEPT_MS: '0' });
});
afterEach(async () => {
  await load?.stop();
  await fixture.stop();
  await service.shutdown({ graceMs: 0 });
  ofGateway.remove();
  ofService.remove();
});

const untilInUse = (at: RunningService, variable: string, kids: string[]) =>
  eventually(async () => {
    expect(await keysInUse(at.operationsUrl, variable)).toEqual(kids);
  });

const anAnswer = async (): Promise<void> => {
  const { status } = await ask(fixture);
  if (status !== 200) throw new Error(`answered with ${status}`);
};

const openLink = async (key: PrivateKey): Promise<number> => {
  const claims = { payment_id: PAYMENT, org_id: ORG };
  const token = await fixture.fundingToken(claims, key);
  return (await send(`${fixture.gateway.url}/funding/${PAYMENT}?token=${token}`)).status;
};

const callService = async (key: PrivateKey): Promise<number> => {
  const caller = { orgId: ORG, keyId: ORG, kind: 'secret', permissions: [] } as const;
  const token = await new InternalTokenIssuer(key).issue({ ...caller, permissions: [] });
  return (await send(`${service.url}/assets`, { headers: { [INTERNAL_TOKEN_HEADER]: token } }))
    .status;
};

describe('keys that rotate under load', () => {
  it('sign internal tokens: no request fails, and the removed key is refused at once', async () => {
    const running = (load = new RunningLoad(4, anAnswer));
    await running.progress();
    expect(await callService(oldKey)).toBe(200);

    ofService.replace({ INTERNAL_TOKEN_PUBLIC_KEYS: publicKeys(oldKey, newKey) });
    await untilInUse(service, 'INTERNAL_TOKEN_PUBLIC_KEYS', ['gateway-old', 'gateway-new']);
    ofGateway.replace({ INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(newKey) });
    await untilInUse(fixture.gateway, 'INTERNAL_TOKEN_PRIVATE_KEY', ['gateway-new']);
    await running.progress();
    ofService.replace({ INTERNAL_TOKEN_PUBLIC_KEYS: publicKeys(newKey) });
    await untilInUse(service, 'INTERNAL_TOKEN_PUBLIC_KEYS', ['gateway-new']);
    await running.progress();

    await running.stop();
    expect(running.failures).toEqual([]);
    expect([await callService(oldKey), await callService(newKey)]).toEqual([401, 200]);
  });

  it('verify payment links: old links open while their key is listed', async () => {
    const keys = [oldLinkKey];
    const running = (load = new RunningLoad(4, async () => {
      for (const key of [...keys]) {
        const status = await openLink(key);
        if (status !== 200) throw new Error(`${key.kid}: ${status}`);
      }
    }));
    await running.progress();
    expect(await openLink(newLinkKey)).toBe(401);
    ofGateway.replace({ FUNDING_TOKEN_PUBLIC_KEYS: publicKeys(oldLinkKey, newLinkKey) });
    await untilInUse(fixture.gateway, 'FUNDING_TOKEN_PUBLIC_KEYS', ['links-old', 'links-new']);
    keys.push(newLinkKey);
    await running.progress();
    keys.shift();
    await running.progress();
    ofGateway.replace({ FUNDING_TOKEN_PUBLIC_KEYS: publicKeys(newLinkKey) });
    await untilInUse(fixture.gateway, 'FUNDING_TOKEN_PUBLIC_KEYS', ['links-new']);
    await running.progress();
    await running.stop();
    expect(running.failures).toEqual([]);
    expect(await openLink(oldLinkKey)).toBe(401);
  });

  it('keep their value while a file holds an invalid one', async () => {
    const running = (load = new RunningLoad(2, anAnswer));
    const mixed = { ...newKey, x: oldKey.x };
    ofGateway.replace({ INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(mixed) });
    ofService.replace({ INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({ keys: [oldKey] }) });
    for (const { operationsUrl } of [service, fixture.gateway]) {
      await eventually(async () => {
        const { body } = await send(`${operationsUrl}/metrics`);
        expect(body).toMatch(/^secret_file_invalid\{variable="INTERNAL_TOKEN_\w+"\} 1$/m);
      });
    }
    await running.progress();
    await running.stop();
    expect(running.failures).toEqual([]);
    expect(await keysInUse(fixture.gateway.operationsUrl, 'INTERNAL_TOKEN_PRIVATE_KEY')).toEqual([
      'gateway-old',
    ]);
  });
});

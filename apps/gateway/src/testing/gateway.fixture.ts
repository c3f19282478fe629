import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { parsePrivateKey } from '@bascule/identity';
import type { PrivateKey } from '@bascule/identity';
import { startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { createFirstKeys, gatewayService } from '../index.js';
import type { FirstKeys } from '../index.js';
import type { SwitchesService } from '../operator/switches.service.js';
import type { CountryRulesService } from '../operator/country-rules.service.js';
import {
  withCountryRules,
  withKeyManagement,
  withOrganisationSettings,
  withSwitches,
} from '../operator/operator-database.client.js';
import type { KeyManagementService } from '../operator/key-management.service.js';
import type { OrganisationSettingsService } from '../operator/organisation-settings.service.js';

async function aKey(kid: string): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return parsePrivateKey(JSON.stringify({ ...(await exportJWK(privateKey)), kid }));
}

export function publicKeysOf({ kty, crv, kid, x }: PrivateKey) {
  return { keys: [{ kty, crv, kid, x }] };
}

/** A gateway on its own database with one organisation; all services are one upstream. */
export interface GatewayFixture {
  gateway: RunningService;
  database: ServiceDatabase;
  keys: FirstKeys;
  internalTokenKey: PrivateKey;
  manage<T>(work: (management: KeyManagementService) => Promise<T>): Promise<T>;
  configure<T>(work: (settings: OrganisationSettingsService) => Promise<T>): Promise<T>;
  ruleCountries<T>(work: (rules: CountryRulesService) => Promise<T>): Promise<T>;
  throwSwitches<T>(work: (switches: SwitchesService) => Promise<T>): Promise<T>;
  /** Starts another replica on the same database; the caller stops it. */
  replica(): Promise<RunningService>;
  fundingToken(claims: Record<string, unknown>, key?: PrivateKey): Promise<string>;
  stop(): Promise<void>;
}

const ENVIRONMENT = 'test';
const SERVICE_URLS = ['QUOTE', 'PAYMENT', 'WITHDRAWAL', 'CATALOGUE', 'WEBHOOK_DISPATCH'];

export async function startGateway(
  upstreamUrl: string,
  env: Record<string, string> = {},
): Promise<GatewayFixture> {
  const database = await createServiceDatabase('gateway');
  const [internalTokenKey, fundingTokenKey] = [await aKey('gateway-1'), await aKey('payment-1')];
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ENVIRONMENT,
    DATABASE_URL: database.database.url,
    INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(internalTokenKey),
    FUNDING_TOKEN_PUBLIC_KEYS: JSON.stringify(publicKeysOf(fundingTokenKey)),
    ...Object.fromEntries(SERVICE_URLS.map((service) => [`${service}_URL`, upstreamUrl])),
    ...env,
  };
  await gatewayService.migrate?.(gatewayService.parseConfig(environment));
  const keys = await createFirstKeys(environment, {
    organisation: 'Test',
    label: 'first',
    actor: 'test',
  });
  const gateway = await startService(gatewayService, environment);
  return {
    gateway,
    database,
    keys,
    internalTokenKey,
    manage: (work) => withKeyManagement(environment, 'test', work),
    configure: (work) =>
      withOrganisationSettings(environment, { actor: 'test', environment: ENVIRONMENT }, work),
    ruleCountries: (work) =>
      withCountryRules(environment, { actor: 'test', environment: ENVIRONMENT }, work),
    throwSwitches: (work) =>
      withSwitches(environment, { actor: 'test', environment: ENVIRONMENT }, work),
    replica: () => startService(gatewayService, environment),
    fundingToken: async (claims, key = fundingTokenKey) =>
      new SignJWT({ iss: 'payment', aud: 'funding', ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
        .sign(await importJWK(key, 'EdDSA')),
    stop: async () => {
      await gateway.shutdown({ graceMs: 0, deadlineMs: 20_000 });
      await database.drop();
    },
  };
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

export { aKey };

export async function send(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(url, init);
  const text = await response.text();
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

/** Sends a request that any key may make. */
export const ask = (fixture: GatewayFixture, key = fixture.keys.secret) =>
  send(`${fixture.gateway.url}/assets`, { headers: bearer(key) });

export async function withGatewayBefore(
  upstreamUrl: string,
  env: Record<string, string>,
  work: (fixture: GatewayFixture) => Promise<void>,
): Promise<void> {
  const fixture = await startGateway(upstreamUrl, env);
  try {
    await work(fixture);
  } finally {
    await fixture.stop();
  }
}

import { CLIENT_IP_HEADER, INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import { startService, type RunningService } from '@bascule/service-host';
import { ConfigurationError } from '@bascule/process';
import { createServiceDatabase, internalTokens, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCatalogueConfig } from '../config/catalogue.config.js';
import { catalogueService } from '../index.js';

const CALIFORNIA = { alpha3_country_code: 'USA', state_code: 'CA', default_currency: 'usd' };
const ENGLAND = { alpha3_country_code: 'GBR', state_code: 'ENG', default_currency: 'gbp' };
const tokens = internalTokens();

describe('GET /geolocation', () => {
  let database: ServiceDatabase;
  let service: RunningService;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createServiceDatabase('catalogue');
    env = {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.database.url,
      CHAINS: 'alphanet',
      // Unreachable on purpose: locations need no chain.
      RPC_URLS_ALPHANET: 'http://127.0.0.1:9',
    };
    await catalogueService.migrate?.(parseCatalogueConfig(env));
    service = await startService(catalogueService, env);
  });
  afterAll(async () => {
    await service.shutdown({ graceMs: 0 });
    await database.drop();
  });

  async function ask(query: string, headers: Record<string, string> = {}) {
    const token = await tokens.token({ permissions: ['assets'] });
    const response = await fetch(`${service.url}/geolocation${query}`, {
      headers: { [INTERNAL_TOKEN_HEADER]: token, ...headers },
    });
    const body: unknown = await response.json();
    return { status: response.status, headers: response.headers, body };
  }

  it('locates the requested address in any notation', async () => {
    for (const address of ['81.2.69.142', '::ffff:81.2.69.142', '::FFFF:5102:458E']) {
      const { status, body } = await ask(`?customer_ip_address=${address}`);
      expect([status, body]).toEqual([200, ENGLAND]);
    }
    const { body } = await ask('?customer_ip_address=2600:1700::1');
    expect(body).toMatchObject({ alpha3_country_code: 'USA' });
  });

  it('locates the caller at the address from the gateway by default', async () => {
    const caller = { [CLIENT_IP_HEADER]: '128.32.136.9' };
    expect((await ask('', caller)).body).toEqual(CALIFORNIA);
    expect((await ask('?customer_ip_address=81.2.69.142', caller)).body).toEqual(ENGLAND);
    const forged = { ...caller, 'x-forwarded-for': '81.2.69.142', 'x-real-ip': '81.2.69.142' };
    expect((await ask('', forged)).body).toEqual(CALIFORNIA);
  });

  it('returns JSON null for addresses without a location', async () => {
    for (const address of ['127.0.0.1', '10.1.2.3', '::1', 'fe80::1', '203.0.113.9']) {
      const { status, headers, body } = await ask(`?customer_ip_address=${address}`);
      expect([status, body]).toEqual([200, null]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    expect((await ask('', { [CLIENT_IP_HEADER]: '127.0.0.1' })).body).toBeNull();
    expect((await ask('')).body).toBeNull();
  });

  it.each(['', 'here', '1.2.3', '256.1.1.1', '1.2.3.4/32', '1.2.3.4:80', '1.2.3.4,5.6.7.8'])(
    'refuses "%s" as an address',
    async (address) => {
      const { status, body } = await ask(`?customer_ip_address=${encodeURIComponent(address)}`);
      expect(status).toBe(400);
      expect(body).toEqual({
        errors: [
          {
            code: 'invalid_format',
            path: ['customer_ip_address'],
            message: expect.any(String),
          },
        ],
      });
    },
  );

  it('refuses two addresses', async () => {
    const { status, body } = await ask('?customer_ip_address=8.8.8.8&customer_ip_address=8.8.4.4');
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: ['customer_ip_address'] }] });
  });

  it('is never cached and requires the permission', async () => {
    expect((await ask('')).headers.get('cache-control')).toBe('no-store');
    const token = await tokens.token({ permissions: ['quotes'] });
    const headers = { [INTERNAL_TOKEN_HEADER]: token };
    expect((await fetch(`${service.url}/geolocation`, { headers })).status).toBe(403);
    expect((await fetch(`${service.url}/geolocation`)).status).toBe(401);
  });

  it('reports the age of its database', async () => {
    const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /geolocation_database_built_timestamp_seconds\{file="[^"]+ipv4.mmdb"\}/,
    );
    expect(metrics).toMatch(
      /geolocation_database_built_timestamp_seconds\{file="[^"]+ipv6.mmdb"\}/,
    );
  });

  it('does not start on main networks without a readable database', async () => {
    const real = { ...env, CHAINS: 'alphanet,base', RPC_URLS_BASE: 'http://127.0.0.1:9' };
    const missing = { GEOIP_DB: '/nowhere/places.mmdb' };
    await expect(startService(catalogueService, { ...real, ...missing })).rejects.toThrow(
      ConfigurationError,
    );
    for (const started of [
      await startService(catalogueService, { ...real, GEOIP_DB: 'none' }),
      await startService(catalogueService, { ...env, ...missing }),
    ]) {
      await started.shutdown({ graceMs: 0 });
    }
  });
});

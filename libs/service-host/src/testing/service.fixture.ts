import type { Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import { parseConfig } from '@bascule/process';
import { parsePrivateKey } from '@bascule/identity';
import { httpEnv, serverEnv } from '../service/http-config.js';
import type { RunningService, ServiceDefinition } from '../service/service-definition.js';
import { startService } from '../service/start-service.js';

const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });

/** Key that signs the internal tokens accepted by the services of these tests. */
export const gatewayKey = parsePrivateKey(
  JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'test' }),
);

const environment = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'test' }],
  }),
};

interface Parts {
  name?: string;
  controllers?: Type[];
  imports?: Type[];
  withoutKeys?: boolean;
  configure?: ServiceDefinition['configure'];
}

/** Starts a service with these controllers. */
export function startTestService(
  parts: Parts,
  env: Record<string, string> = {},
): Promise<RunningService> {
  @Module({ controllers: parts.controllers ?? [], imports: parts.imports ?? [] })
  class TestModule {}
  const definition: ServiceDefinition = {
    name: parts.name ?? 'test',
    parseConfig: (given) => parseConfig(given, parts.withoutKeys ? serverEnv : httpEnv),
    module: () => TestModule,
    ...(parts.configure && { configure: parts.configure }),
  };
  return startService(definition, { ...environment, ...env });
}

export async function send(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
  };
}

export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

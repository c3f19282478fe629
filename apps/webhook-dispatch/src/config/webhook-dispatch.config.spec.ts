import { describe, expect, it } from '@jest/globals';
import { parseWebhookDispatchConfig } from './webhook-dispatch.config.js';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const environment = {
  HOST: '127.0.0.1',
  PORT: '0',
  ENVIRONMENT: 'test',
  DATABASE_URL: 'postgres://user:hidden@127.0.0.1/test',
  INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: KEY, kid: 'a' }],
  }),
  WEBHOOK_SECRET_KEYS: JSON.stringify([{ kid: 'a', k: KEY }]),
};

describe('the configuration', () => {
  it('gives receivers the specified ten seconds, and no access to this machine', () => {
    expect(parseWebhookDispatchConfig(environment)).toMatchObject({
      acknowledgeWithinMs: 10_000,
      allowLoopback: false,
    });
  });

  it('allows an organisation fifty webhooks by default, and no more than a list without pages can have', () => {
    const most = (MAX_WEBHOOKS_PER_ORGANISATION?: string) =>
      parseWebhookDispatchConfig({
        ...environment,
        ...(MAX_WEBHOOKS_PER_ORGANISATION && { MAX_WEBHOOKS_PER_ORGANISATION }),
      }).maxWebhooksPerOrganisation;
    expect(most()).toBe(50);
    expect(most('1000')).toBe(1_000);
    expect(() => most('1001')).toThrow('MAX_WEBHOOKS_PER_ORGANISATION');
  });

  it('keeps deliveries no longer than events are known that could make them again', () => {
    const days = (WEBHOOK_RETENTION_DAYS: string) =>
      parseWebhookDispatchConfig({ ...environment, WEBHOOK_RETENTION_DAYS }).retentionDays;
    expect(days('90')).toBe(90);
    expect(() => days('91')).toThrow('WEBHOOK_RETENTION_DAYS');
  });

  it('requires keys for the secrets, and prints none', () => {
    const { WEBHOOK_SECRET_KEYS: _, ...without } = environment;
    expect(() => parseWebhookDispatchConfig(without)).toThrow('WEBHOOK_SECRET_KEYS');
    const printed = JSON.stringify(parseWebhookDispatchConfig(environment));
    expect(printed).not.toContain('hidden');
    expect(JSON.parse(printed).WEBHOOK_SECRET_KEYS).toBe('***');
  });
});

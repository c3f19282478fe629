import { describe, expect, it } from '@jest/globals';
import { announce } from './announcement.js';
import { Progress } from './progress.js';
import { parseSettings } from '../settings/settings.config.js';
import type { StackFile } from '../state/stack-file.js';

const embedded: StackFile = {
  base_url: 'http://127.0.0.1:8080',
  funding_page_base: 'http://127.0.0.1:8080',
  organisation_id: '01936b5e-7d0a-7c4e-9b1c-0242ac120002',
  keys: { publishable: 'pk_one', secret: 'sk_two' },
  chains: {
    alphanet: {
      chain_id: 31337,
      rpc_url: 'http://127.0.0.1:8545',
      tokens: {},
      faucet_private_key: '0x01',
    },
  },
  sandbox_provider: { base_url: 'http://127.0.0.1:8090' },
  solver: { base_url: 'http://127.0.0.1:8091', api_key: 'key' },
  attesters: [],
  webhook_receivers_allowed: [],
  pid: 4711,
};
const distributed: StackFile = {
  ...embedded,
  services: [
    {
      ...{ name: 'quote', replica: 1, pid: 1, port: 8081, operations_port: 9401 },
      log_file: '/logs/quote-1.log',
    },
  ],
  kafka: { brokers: ['127.0.0.1:19092'] },
  redis: { url: 'redis://127.0.0.1:16379' },
};

/** In one line. */
function announced(stack: StackFile): string {
  let text = '';
  announce(new Progress((part) => (text += part)), parseSettings({}), stack);
  return text.replaceAll(/\s+/g, ' ');
}

describe.each([
  ['embedded', embedded],
  ['distributed', distributed],
])('the announcement of the %s stack', (_name, stack) => {
  it('lists addresses and keys', () => {
    const said = announced(stack);
    for (const part of ['http://127.0.0.1:8080', 'pk_one', 'sk_two', 'http://127.0.0.1:8545']) {
      expect(said).toContain(part);
    }
  });

  it('warns that access to this machine allows taking open orders', () => {
    expect(announced(stack)).toContain(
      'This machine holds the keys of the solver and of all attesters, who together could take any open order',
    );
  });

  it('warns that webhooks may reach loopback addresses', () => {
    expect(announced(stack)).toMatch(/never in production: WEBHOOK_ALLOW_LOOPBACK=true/);
  });
});

it('the announcement of the distributed stack lists its servers and how to restart it', () => {
  const said = announced(distributed);
  for (const part of ['127.0.0.1:19092', 'redis://127.0.0.1:16379', 'kill -HUP 4711']) {
    expect(said).toContain(part);
    expect(announced(embedded)).not.toContain(part);
  }
});

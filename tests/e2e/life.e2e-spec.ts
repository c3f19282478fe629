import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAlive } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import { getPayment, quoteAndConfirm } from '../../tools/first-payment/payments.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

let stack: StackProcess;

beforeAll(async () => {
  stack = await StackProcess.create('life');
});

afterAll(() => stack.dispose());

const confirmPayment = async () => {
  const file = stack.stackFile();
  if (!file) throw new Error('no stack');
  const chain = new Chain(file, 'alphanet');
  const { owner, destination } = newTestUser();
  return quoteAndConfirm(new Api(file.base_url, file.keys.secret), {
    input: { asset: chain.token('USDC'), amount: '25' },
    output: chain.token('WETH'),
    owner: owner.address,
    destination,
  });
};

describe('the embedded stack', () => {
  it('prints all addresses once it responds', async () => {
    const file = await stack.start();
    expect(file).toMatchObject({
      base_url: `http://127.0.0.1:${stack.ports.GATEWAY_PORT}`,
      funding_page_base: file.base_url,
      organisation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      keys: { publishable: expect.stringMatching(/^pk_/), secret: expect.stringMatching(/^sk_/) },
      sandbox_provider: { base_url: `http://127.0.0.1:${stack.ports.SANDBOX_PROVIDER_PORT}` },
      webhook_receivers_allowed: ['http://127.0.0.1:*'],
    });
    for (const [name, chainId] of [['alphanet', 31337] as const, ['betanet', 31338] as const]) {
      const chain = file.chains[name];
      expect(chain?.chain_id).toBe(chainId);
      expect(Object.keys(chain?.tokens ?? {})).toEqual(['USDC', 'USDT', 'WBTC', 'WETH']);
      expect(chain?.faucet_private_key).toMatch(/^0x[0-9a-f]{64}$/);
    }
    // The stack writes its file before it prints.
    await eventually(() => {
      for (const said of [file.base_url, file.keys.publishable, file.keys.secret, 'stack.json']) {
        expect(stack.output).toContain(said);
      }
      expect(stack.output).toContain('npm run first-payment');
    });
    expect(stack.output).toContain('WEBHOOK_ALLOW_LOOPBACK');
  });

  it('makes its secret files readable by their owner only', () => {
    for (const file of ['secrets.json', 'organisation.json', 'stack.json']) {
      expect(statSync(join(stack.directory, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('refuses a busy port with its number and the variable to change it', async () => {
    const second = await StackProcess.create('life-second');
    const squatter = createServer();
    await new Promise<void>((resolve) => {
      squatter.listen(second.ports.PAYMENT_PORT, '127.0.0.1', resolve);
    });
    try {
      await expect(second.start()).rejects.toThrow(
        new RegExp(`port ${second.ports.PAYMENT_PORT}.*PAYMENT_PORT`),
      );
      expect((await second.exited(20_000)).code).toBe(1);
      expect(second.stackFile()).toBeNull();
    } finally {
      squatter.close();
      await second.dispose();
    }
  });

  it('stops on SIGTERM, with its children', async () => {
    const servers = stack.serverPids();
    expect(servers.filter(isAlive)).toHaveLength(3);
    const { code } = await stack.stop('SIGTERM');
    expect(code).toBe(0);
    expect(servers.filter(isAlive)).toEqual([]);
    expect(stack.stackFile()).toBeNull();
  });

  it('starts again with its keys and payments', async () => {
    const first = await stack.start();
    const { payment } = await confirmPayment();
    await stack.stop('SIGINT');
    const second = await stack.start();
    expect(second.keys).toEqual(first.keys);
    const api = new Api(first.base_url, first.keys.secret);
    const kept = await getPayment(api, payment.payment_id);
    expect(kept.declaration).toEqual(payment.declaration);
  }, 300_000);

  it('adopts the processes of a killed stack', async () => {
    const servers = stack.serverPids();
    await stack.stop('SIGKILL');
    expect(servers.filter(isAlive)).toEqual(servers);
    await stack.start();
    await eventually(() => expect(stack.output.match(/adopted/g)).toHaveLength(3));
    expect(stack.serverPids()).toEqual(servers);
  });

  it('refuses a reset while it runs and resets afterwards', async () => {
    await expect(stack.reset()).rejects.toThrow('running');
    const { organisation_id } = stack.stackFile() ?? {};
    await stack.stop();
    await stack.reset();
    expect((await stack.start()).organisation_id).not.toBe(organisation_id);
  });
});

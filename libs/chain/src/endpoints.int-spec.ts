import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { Chains } from './chains.js';
import { parseChainsConfig } from './chains-config.js';
import { feesFor } from './fees.js';
import { agreedHead } from './head.js';

const REFUSING = 'http://127.0.0.1:9';

describe('a chain with several endpoints', () => {
  let anvil: TestChain;
  let silent: Server;

  const chainAt = (...urls: string[]) =>
    new Chains(parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: urls.join(',') })).get(
      'alphanet',
    );

  beforeAll(async () => {
    anvil = await startTestChain();
    // Takes connections, and never answers.
    silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    silent.close();
    await anvil.stop();
  });

  it('asks the next one when one does not answer', async () => {
    const { client } = chainAt(REFUSING, anvil.rpcUrl);
    expect(await client.getChainId()).toBe(31337);
  });

  it('has a head even though some do not answer at all', async () => {
    const { port } = silent.address() as AddressInfo;
    const chain = chainAt(REFUSING, `http://127.0.0.1:${port}`, anvil.rpcUrl);
    const head = await agreedHead(chain);
    expect(head.number).toBeGreaterThan(0n);
    expect(head.endpoints).toEqual([chain.endpoints[2]]);
  });

  it('has no head when nobody answers', async () => {
    await expect(agreedHead(chainAt(REFUSING))).rejects.toThrow('alphanet');
  });

  it('says what a transaction should offer', async () => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await feesFor(chainAt(anvil.rpcUrl));
    expect(maxFeePerGas).toBeGreaterThanOrEqual(maxPriorityFeePerGas);
  });
});

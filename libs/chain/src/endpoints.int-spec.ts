import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { createTestClient, http, publicActions } from 'viem';
import { agreedAnswer } from './agreed-answer.js';
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

  describe('asked for what cannot be taken back', () => {
    let fork: TestChain;
    let block: bigint;

    const connect = ({ rpcUrl }: TestChain) =>
      createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(
        publicActions,
      );

    beforeAll(async () => {
      fork = await startTestChain();
      const node = connect(fork);
      const { timestamp } = await node.getBlock();
      await node.setNextBlockTimestamp({ timestamp: timestamp + 1_000_000n });
      await node.mine({ blocks: 1 });
      block = await node.getBlockNumber();
      const missing = block - (await connect(anvil).getBlockNumber());
      if (missing > 0n) await connect(anvil).mine({ blocks: Number(missing) });
    });
    afterAll(() => fork.stop());

    const codeOf = (urls: string[]) => {
      const chain = chainAt(...urls);
      return agreedAnswer(chain, block, async (node) => {
        const { multicall3 } = chain.definition.contracts;
        return (await node.getCode({ address: multicall3, blockNumber: block })) ?? '0x';
      });
    };

    it('answers for all that answer', async () => {
      const { answer } = await codeOf([anvil.rpcUrl, REFUSING, anvil.rpcUrl]);
      expect(answer.length).toBeGreaterThan(2);
      await expect(codeOf([anvil.rpcUrl])).resolves.toMatchObject({ answer });
    });

    it('believes no single one where there are more', async () => {
      await expect(codeOf([anvil.rpcUrl, REFUSING])).rejects.toThrow('too few');
      await expect(codeOf([REFUSING])).rejects.toThrow('too few');
    });

    it('has no answer where one is on another fork, in whatever order they are asked', async () => {
      const urls = [anvil.rpcUrl, anvil.rpcUrl, fork.rpcUrl];
      for (const order of [urls, [...urls].reverse()]) {
        await expect(codeOf(order)).rejects.toThrow('do not agree');
      }
    });
  });

  it('says what a transaction should offer', async () => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await feesFor(chainAt(anvil.rpcUrl));
    expect(maxFeePerGas).toBeGreaterThanOrEqual(maxPriorityFeePerGas);
  });
});

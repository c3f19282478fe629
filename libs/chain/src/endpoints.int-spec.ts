import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { createTestClient, http, publicActions } from 'viem';
import { agreedAnswer } from './agreed-answer.js';
import type { ChainDefinition } from './definitions/chain-definition.js';
import { Chain } from './chain.js';
import { Chains } from './chains.js';
import { parseChainsConfig } from './chains-config.js';
import { feesFor, offeredFees } from './fees.js';
import { finalHeight } from './final-block.js';
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
    // Accepts connections and never answers.
    silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    silent.close();
    await anvil.stop();
  });

  it('fails over to the next endpoint', async () => {
    const {
      anyNode: { client },
    } = chainAt(REFUSING, anvil.rpcUrl);
    expect(await client.getChainId()).toBe(31337);
  });

  it('has a head while some endpoints hang', async () => {
    const { port } = silent.address() as AddressInfo;
    const chain = chainAt(REFUSING, `http://127.0.0.1:${port}`, anvil.rpcUrl);
    const head = await agreedHead(chain);
    expect(head.number).toBeGreaterThan(0n);
    expect(head.endpoints).toEqual([chain.endpoints[2]]);
  });

  it('has no head when no endpoint responds', async () => {
    await expect(agreedHead(chainAt(REFUSING))).rejects.toThrow('alphanet');
  });

  describe('agreement of endpoints', () => {
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

    it('is reached by the responding endpoints', async () => {
      const { answer } = await codeOf([anvil.rpcUrl, REFUSING, anvil.rpcUrl]);
      expect(answer.length).toBeGreaterThan(2);
      await expect(codeOf([anvil.rpcUrl])).resolves.toMatchObject({ answer });
    });

    it('requires more than one of several endpoints', async () => {
      await expect(codeOf([anvil.rpcUrl, REFUSING])).rejects.toThrow('too few');
      await expect(codeOf([REFUSING])).rejects.toThrow('too few');
    });

    it('is that of two when one of three is on a fork, in any order', async () => {
      const urls = [anvil.rpcUrl, anvil.rpcUrl, fork.rpcUrl];
      const { timestamp } = await codeOf([anvil.rpcUrl]);
      for (const order of [urls, urls.toReversed(), [anvil.rpcUrl, fork.rpcUrl, anvil.rpcUrl]]) {
        await expect(codeOf(order)).resolves.toMatchObject({ timestamp });
      }
    });

    it('fails without a majority of the configured endpoints', async () => {
      await expect(codeOf([anvil.rpcUrl, fork.rpcUrl])).rejects.toThrow('disagree');
      await expect(codeOf([anvil.rpcUrl, fork.rpcUrl, REFUSING])).rejects.toThrow('disagree');
      const halves = [anvil.rpcUrl, anvil.rpcUrl, fork.rpcUrl, fork.rpcUrl];
      await expect(codeOf(halves)).rejects.toThrow('disagree');
    });
  });

  it('estimates fees', async () => {
    const chain = chainAt(anvil.rpcUrl);
    const fees = await feesFor(chain);
    expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(fees.maxPriorityFeePerGas);
    expect(fees.price).toBeLessThanOrEqual(fees.maxFeePerGas);
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    expect(offeredFees(chain.definition, fees)).toEqual({
      ...{ type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas },
    });
  });

  it('uses a gas price on chains without EIP-1559', async () => {
    const { definition } = chainAt(anvil.rpcUrl);
    const legacy: ChainDefinition = { ...definition, feeStyle: 'legacy' };
    const fees = await feesFor(new Chain({ definition: legacy, rpcUrls: [anvil.rpcUrl] }));
    expect(fees.maxPriorityFeePerGas).toBe(fees.maxFeePerGas);
    expect(offeredFees(legacy, fees)).toEqual({ type: 'legacy', gasPrice: fees.maxFeePerGas });
  });

  it('finds the final block by confirmations or the finalized tag', async () => {
    const {
      definition,
      anyNode: { client },
      endpoints,
    } = chainAt(anvil.rpcUrl);
    const [node] = endpoints;
    if (!node) throw new Error('the chain has no endpoint');
    const head = await client.getBlockNumber();
    const depth = { ...definition, confirmations: Number(head) - 2 };
    expect(await finalHeight(node, depth)).toBeGreaterThanOrEqual(3n);
    const { number: tagged } = await client.getBlock({ blockTag: 'finalized' });
    const height = await finalHeight(node, { ...definition, finality: 'finalized' });
    expect(height).toBeGreaterThanOrEqual(tagged);
    expect(height).toBeLessThan(head - BigInt(definition.confirmations));
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { numberToHex, parseEther, parseGwei } from 'viem';
import { Chains } from './chains.js';
import { parseChainsConfig } from './chains-config.js';
import { balanceOf, feesFor, gasPriceOf, maxFeeOf } from './fees.js';

const MILLION_GWEI = parseGwei('1000000');
const SOMEBODY = '0x00000000000000000000000000000000000000AA';

describe('fees on a chain with a node that lies', () => {
  let anvil: TestChain;
  let liar: LyingNode;

  const chainAt = (urls: string[], env: NodeJS.ProcessEnv = {}) =>
    new Chains(
      parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: urls.join(','), ...env }),
    ).get('alphanet');
  const lieAbout = (method: string, value: bigint) =>
    liar.lies.set(method, () => Promise.resolve({ result: numberToHex(value) }));

  beforeAll(async () => {
    anvil = await startTestChain();
    liar = await startLyingNode(anvil.rpcUrl);
  });
  afterEach(() => liar.lies.clear());
  afterAll(async () => {
    await liar.stop();
    await anvil.stop();
  });

  it.each([
    ['of three', 2],
    ['of two', 1],
  ])('are those of the others when one %s asks for a million gwei', async (_which, honest) => {
    const others = Array.from({ length: honest }, () => anvil.rpcUrl);
    const asked = await feesFor(chainAt([anvil.rpcUrl]));
    lieAbout('eth_maxPriorityFeePerGas', MILLION_GWEI);
    const chain = chainAt([liar.url, ...others]);
    const fees = await feesFor(chain);
    expect(fees.maxPriorityFeePerGas).toBe(asked.maxPriorityFeePerGas);
    expect(fees.maxFeePerGas).toBeLessThan(parseGwei('10'));
  });

  it('have at least the tip that nodes take by default', async () => {
    lieAbout('eth_maxPriorityFeePerGas', 0n);
    const chain = chainAt([liar.url, anvil.rpcUrl]);
    expect((await feesFor(chain)).maxPriorityFeePerGas).toBe(parseGwei('0.001'));
    const definition = { ...chain.definition, leastTipGwei: 25 };
    const { name, chainId } = chain;
    const demanding = { ...chain, name, chainId, definition };
    expect((await feesFor(demanding)).maxPriorityFeePerGas).toBe(parseGwei('25'));
  });

  it('have a tip that rises to twice the base fee, though one of two nodes asks for a million gwei', async () => {
    lieAbout('eth_maxPriorityFeePerGas', MILLION_GWEI);
    const { maxPriorityFeePerGas, price, risenTip } = await feesFor(
      chainAt([liar.url, anvil.rpcUrl]),
    );
    const twice = 2n * (price - maxPriorityFeePerGas);
    expect(risenTip).toBe(twice > maxPriorityFeePerGas ? twice : maxPriorityFeePerGas);
  });

  it.each(['eip1559', 'legacy'] as const)(
    'have a low tip of a node that alone answers of two (%s)',
    async (feeStyle) => {
      lieAbout('eth_maxPriorityFeePerGas', MILLION_GWEI);
      lieAbout('eth_gasPrice', MILLION_GWEI);
      const chain = chainAt([liar.url, 'http://127.0.0.1:9']);
      const { name, chainId } = chain;
      const definition = { ...chain.definition, feeStyle };
      const fees = await feesFor({ ...chain, name, chainId, definition });
      expect(fees.maxPriorityFeePerGas).toBe(parseGwei('0.01'));
      expect(fees.risenTip).toBeLessThanOrEqual(parseGwei('2'));
    },
  );

  it('are those of the honest one of two nodes where a single gas price is paid', async () => {
    lieAbout('eth_gasPrice', MILLION_GWEI);
    const chain = chainAt([liar.url, anvil.rpcUrl]);
    const { name, chainId } = chain;
    const definition = { ...chain.definition, feeStyle: 'legacy' } as const;
    expect((await feesFor({ ...chain, name, chainId, definition })).maxFeePerGas).toBeLessThan(
      parseGwei('10'),
    );
  });

  it.each(['high', 'low'])(
    'have the lower price of two when one reports a %s base fee',
    async (lie) => {
      const baseFee = lie === 'high' ? MILLION_GWEI : 1n;
      liar.lies.set('eth_getBlockByNumber', async (_call, honest) => {
        const { result } = await honest();
        return { result: { ...(result as object), baseFeePerGas: numberToHex(baseFee) } };
      });
      const honest = await feesFor(chainAt([anvil.rpcUrl]));
      const fees = await feesFor(chainAt([liar.url, anvil.rpcUrl]));
      if (lie === 'high') expect(fees.price).toBeLessThan(parseGwei('10'));
      else expect(fees.price).toBeLessThan(honest.price);
      expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(honest.price);
      const ofThree = await feesFor(chainAt([liar.url, anvil.rpcUrl, anvil.rpcUrl]));
      expect(ofThree.price).toBeLessThan(parseGwei('10'));
      expect(ofThree.price).toBeGreaterThan(fees.maxPriorityFeePerGas + 1n);
    },
  );

  it('have the gas price of most nodes', async () => {
    lieAbout('eth_gasPrice', MILLION_GWEI);
    const chain = chainAt([liar.url, anvil.rpcUrl, anvil.rpcUrl]);
    expect(await gasPriceOf(chain)).toBeLessThan(parseGwei('10'));
  });

  it('are those of slower nodes when the fastest of three lies', async () => {
    lieAbout('eth_maxPriorityFeePerGas', MILLION_GWEI);
    const slow = await Promise.all([startLyingNode(anvil.rpcUrl), startLyingNode(anvil.rpcUrl)]);
    for (const { lies } of slow) {
      lies.set('eth_maxPriorityFeePerGas', async (_call, honest) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        return honest();
      });
    }
    const fees = await feesFor(chainAt([liar.url, ...slow.map(({ url }) => url)]));
    expect(fees.maxPriorityFeePerGas).toBeLessThan(parseGwei('10'));
    await Promise.all(slow.map((node) => node.stop()));
  });

  it('stay below the chain’s highest fee when every node lies', async () => {
    lieAbout('eth_maxPriorityFeePerGas', MILLION_GWEI);
    lieAbout('eth_gasPrice', MILLION_GWEI);
    const chain = chainAt([liar.url, liar.url], { MAX_FEE_GWEI_ALPHANET: '7' });
    expect(maxFeeOf(chain)).toBe(parseGwei('7'));
    // Three quarters of it leave room for replacements.
    const offered = parseGwei('5.25');
    expect(await feesFor(chain)).toMatchObject({
      maxFeePerGas: offered,
      maxPriorityFeePerGas: offered,
      price: offered,
      risenTip: offered,
    });
    expect(await gasPriceOf(chain)).toBe(parseGwei('7'));
  });

  it('are paid from the balance that most nodes report', async () => {
    lieAbout('eth_getBalance', parseEther('1000'));
    expect(await balanceOf(chainAt([liar.url, anvil.rpcUrl, anvil.rpcUrl]), SOMEBODY)).toBe(0n);
  });

  it('fail when no node answers', async () => {
    await expect(feesFor(chainAt(['http://127.0.0.1:9', 'http://127.0.0.1:9']))).rejects.toThrow(
      'no endpoint of alphanet answered',
    );
  });
});

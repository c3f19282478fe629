import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setDataFee, startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { numberToHex, parseEther } from 'viem';
import { Chain } from './chain.js';
import { dataFeeOf, maxDataFeeOf } from './data-fee.js';
import { chainDefinitions } from './definitions/index.js';

describe('the fee of a transaction’s data', () => {
  let anvil: TestChain;
  let liar: LyingNode;
  const base = definitionOf('base');

  beforeAll(async () => {
    anvil = await startTestChain();
    liar = await startLyingNode(anvil.rpcUrl);
  });
  afterAll(async () => {
    await liar.stop();
    await anvil.stop();
  });

  it('is what the oracle of the chain’s definition says', async () => {
    expect(await setDataFee(anvil.rpcUrl, 7n)).toBe(base.dataFeeOracle);
    const chain = new Chain({ definition: base, rpcUrls: [anvil.rpcUrl] });
    expect(await dataFeeOf(chain, '0x010203')).toBe(21n);
    expect(await maxDataFeeOf(chain, 100)).toBe(700n);
  });

  it('is that of most nodes when one lies', async () => {
    await setDataFee(anvil.rpcUrl, 7n);
    const result = numberToHex(parseEther('1'), { size: 32 });
    liar.lies.set('eth_call', () => Promise.resolve({ result }));
    const rpcUrls = [liar.url, anvil.rpcUrl, anvil.rpcUrl];
    const chain = new Chain({ definition: base, rpcUrls });
    expect(await dataFeeOf(chain, '0x010203')).toBe(21n);
  });

  it('is 0, without a request, on a chain without an oracle', async () => {
    const chain = new Chain({
      definition: definitionOf('alphanet'),
      rpcUrls: ['http://127.0.0.1:1'],
    });
    expect(await dataFeeOf(chain, '0x010203')).toBe(0n);
    expect(await maxDataFeeOf(chain, 100)).toBe(0n);
  });

  it('is known of every OP-stack rollup, and of no other chain', () => {
    const charging = Object.values(chainDefinitions).filter((it) => it.dataFeeOracle !== undefined);
    expect(charging.map(({ name }) => name).sort()).toEqual([
      'base',
      'basesepolia',
      'optimism',
      'optimismsepolia',
    ]);
  });
});

function definitionOf(name: string) {
  const definition = chainDefinitions[name];
  if (!definition) throw new Error(`${name} is not defined`);
  return definition;
}

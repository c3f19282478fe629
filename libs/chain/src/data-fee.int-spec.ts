import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setDataFee, startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { numberToHex, parseEther, parseGwei } from 'viem';
import { Chain } from './chain.js';
import { dataFeeOf, maxDataFeeOf, maxDataFeesOf } from './data-fee.js';
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
    expect(await dataFeeOf(chain, '0x010203')).toEqual({ lower: 21n, higher: 21n });
    expect(await maxDataFeeOf(chain, 100)).toBe(700n);
  });

  it('is that of most nodes when one lies', async () => {
    await setDataFee(anvil.rpcUrl, 7n);
    const result = numberToHex(parseEther('1'), { size: 32 });
    liar.lies.set('eth_call', () => Promise.resolve({ result }));
    const rpcUrls = [liar.url, anvil.rpcUrl, anvil.rpcUrl];
    const chain = new Chain({ definition: base, rpcUrls });
    expect(await dataFeeOf(chain, '0x010203')).toEqual({ lower: 21n, higher: 21n });
  });

  it('has both words of two nodes, of which the higher one is charged up to a ceiling only', async () => {
    await setDataFee(anvil.rpcUrl, 7n);
    const chain = new Chain({ definition: base, rpcUrls: [liar.url, anvil.rpcUrl] });
    const invented = parseEther('1000000');
    const result = numberToHex(invented, { size: 32 });
    liar.lies.set('eth_call', () => Promise.resolve({ result }));
    expect(await dataFeeOf(chain, '0x010203')).toEqual({ lower: 21n, higher: invented });
    const ceiling = 100n * 16n * parseGwei(base.maxFeeGwei.toString());
    expect(await maxDataFeesOf(chain, 100)).toEqual({ lower: 700n, higher: ceiling });
    expect(await maxDataFeeOf(chain, 100)).toBe(ceiling);
    const cheap = { ...base, maxFeeGwei: base.maxFeeGwei / 2 };
    const bounded = new Chain({ definition: cheap, rpcUrls: [liar.url, anvil.rpcUrl] });
    expect(await maxDataFeeOf(bounded, 100)).toBe(ceiling / 2n);
  });

  it('is 0, without a request, on a chain without an oracle', async () => {
    const chain = new Chain({
      definition: definitionOf('alphanet'),
      rpcUrls: ['http://127.0.0.1:1'],
    });
    expect(await dataFeeOf(chain, '0x010203')).toEqual({ lower: 0n, higher: 0n });
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

import { chainDefinitions, Chains } from '@bascule/chain';
import { setDataFee, startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RouteLeg } from '../routes/route.js';
import type { BridgeQuoterService } from '../sources/bridge-quoter.service.js';
import { GasPricesService } from '../sources/gas-prices.service.js';
import { legBytes } from './leg-gas.js';
import { NetworkFeesService } from './network-fees.service.js';

const WEI_PER_BYTE = 1_000_000n;
const plain: RouteLeg = {
  ...{ chain: 'alphanet', lane: null },
  ...{ inputToken: 'alphanet:0x', outputToken: 'alphanet:0x' },
};
const parts = { conversion: null, businessFees: 0 };

describe('the network fee of a leg on a rollup that charges for data', () => {
  let anvil: TestChain;
  let node: LyingNode;

  beforeAll(async () => {
    anvil = await startTestChain();
    node = await startLyingNode(anvil.rpcUrl);
    // The price would change with the blocks.
    node.lies.set('eth_gasPrice', () => Promise.resolve({ result: '0x3b9aca00' }));
  });
  afterAll(async () => {
    await node.stop();
    await anvil.stop();
  });

  const feesOn = (dataFeeOracle?: `0x${string}`) => {
    const { alphanet } = chainDefinitions;
    if (!alphanet) throw new Error('alphanet is not defined');
    const definition = { ...alphanet, ...(dataFeeOracle && { dataFeeOracle }) };
    const chains = new Chains({ chains: [{ definition, rpcUrls: [node.url] }] });
    const bridges: Partial<BridgeQuoterService> = {};
    return new NetworkFeesService(chains, bridges as BridgeQuoterService, new GasPricesService());
  };

  it('contains the data, that of custom actions too', async () => {
    const rollup = feesOn(await setDataFee(anvil.rpcUrl, WEI_PER_BYTE));
    const actions = {
      actions: [
        {
          type: 'CallImmediateAction' as const,
          target: `0x${'11'.repeat(20)}`,
          value: '0',
          calldata: `0x${'00'.repeat(5_000)}`,
        },
      ],
      user_estimated_gas: '100000',
    };
    for (const customActions of [null, actions]) {
      const [charged, without] = await Promise.all(
        [rollup, feesOn()].map((fees) => fees.costOf(plain, parts, { customActions })),
      );
      const data = (charged?.units ?? 0n) - (without?.units ?? 0n);
      const least = legBytes(parts) + (customActions === null ? 0 : 5_000);
      expect(data).toBeGreaterThanOrEqual(BigInt(least) * WEI_PER_BYTE);
      expect(data).toBeLessThan(BigInt(least + 1_024) * WEI_PER_BYTE);
    }
  });

  it('asks the oracle once for many quotes', async () => {
    const rollup = feesOn(await setDataFee(anvil.rpcUrl, WEI_PER_BYTE));
    const asked = () => node.requests.get('eth_call') ?? 0;
    const before = asked();
    const ask = () => rollup.costOf(plain, parts, { customActions: null });
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(asked()).toBe(before + 1);
  });
});

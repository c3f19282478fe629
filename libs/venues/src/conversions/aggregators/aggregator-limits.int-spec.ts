import { Chain } from '@bascule/chain';
import { startLyingNode } from '@bascule/testing';
import { expect, it } from '@jest/globals';
import { concat, type Hex } from 'viem';
import type { RequestBudget } from '../venue.js';
import { TOKENS } from './testing/aggregator-stage.fixture.js';
import { describeEachAggregator } from './testing/aggregator-stages.fixture.js';

const { usdc, weth } = TOKENS;
const SOLD = { inputToken: usdc, outputToken: weth };

function budgetOf(requests: number): RequestBudget {
  let left = requests;
  return {
    spend(party) {
      if (left === 0) throw new Error(`${party} was not asked`);
      left -= 1;
    },
  };
}

const LONG: Hex = `0x${'00'.repeat(3 * 1024)}`;

/** Lengthens the data of a swap's call by what its contract does not read. */
function withLongData(answer: unknown): unknown {
  const fields = answer as Record<string, unknown>;
  const name = 'transaction' in fields ? 'transaction' : 'transactionRequest';
  const transaction = fields[name] as { data: Hex };
  return { ...fields, [name]: { ...transaction, data: concat([transaction.data, LONG]) } };
}

describeEachAggregator('the limits of %s', (stageOf) => {
  it('ask no more than the budget of one question of a customer', async () => {
    const { chain, lab, venue } = stageOf();
    const asked = venue();
    const budget = budgetOf(2);
    const quote = (amountIn: bigint) =>
      asked.quoteExactInput(chain.anyNode, { ...SOLD, amountIn, budget });
    expect(await quote(1_000_000n)).not.toBeNull();
    expect(await quote(1_000_000n)).not.toBeNull();
    expect(await quote(1_000_001n)).not.toBeNull();
    await expect(quote(1_000_002n)).rejects.toThrow('lab was not asked');
    const output = { ...SOLD, amountOut: 10n ** 15n, budget };
    await expect(asked.quoteExactOutput(chain.anyNode, output)).rejects.toThrow('not asked');
    expect(lab.swaps.requests).toBe(2);
    const other = { ...SOLD, amountIn: 1_000_002n, budget: budgetOf(1) };
    expect(await asked.quoteExactInput(chain.anyNode, other)).not.toBeNull();
  });

  it('wait for no simulation beyond the time of a question', async () => {
    const { chain, lab, rpcUrl, venueAt } = stageOf();
    const node = await startLyingNode(rpcUrl);
    try {
      node.lies.set('eth_estimateGas', () => new Promise(() => undefined));
      const slow = new Chain({ definition: chain.definition, rpcUrls: [node.url] });
      const quote = venueAt(lab.url, 500).quoteExactInput(slow.anyNode, {
        ...SOLD,
        amountIn: 1_000_000n,
      });
      await expect(quote).rejects.toThrow('timed out after 500 ms');
    } finally {
      await node.stop();
    }
  });

  it('leave a call with much data to others where a chain charges for data', async () => {
    const { chain, lab, rpcUrl, venue } = stageOf();
    const definition = { ...chain.definition, dataFeeOracle: weth };
    const rollup = new Chain({ definition, rpcUrls: [rpcUrl] });
    const quote = ({ anyNode }: Chain) =>
      venue().quoteExactInput(anyNode, { ...SOLD, amountIn: 1_000_000n });
    expect(await quote(rollup)).not.toBeNull();
    lab.swaps.alter = withLongData;
    expect(await quote(chain)).not.toBeNull();
    expect(await quote(rollup)).toBeNull();
  });
});

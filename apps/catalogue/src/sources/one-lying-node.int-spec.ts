import { formatDecimal, parseDecimal } from '@bascule/amounts';
import { Chain, chainDefinitions, type ChainContracts } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, priceFeedAbi } from '@bascule/solidity';
import {
  changedMulticall,
  startLyingNode,
  startTestChain,
  type LyingNode,
  type TestChain,
} from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  concatHex,
  createTestClient,
  createWalletClient,
  http,
  publicActions,
  toFunctionSelector,
  toHex,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { listedTokens } from '../assets/listed-assets.js';
import { OnchainPricesAdapter } from './onchain-prices.adapter.js';

const { weth, usdc, priceFeeds } = developmentAddresses;
const NATIVE = 'alphanet:0x';
const HOUR = 3_600;
/** More than prices are behind the newest block. */
const BLOCKS_BEFORE = 10;
const LATEST_ROUND = toFunctionSelector('latestRoundData()');
const OBSERVE = toFunctionSelector('observe(uint32[])');
const QUOTE = toFunctionSelector('quoteExactInputSingle((address,address,uint256,uint24,uint160))');
const pools = { windowSeconds: 1_800, minDepthUsd: parseDecimal('1000'), toleranceBps: 300 };

const words = (...values: bigint[]): Hex =>
  concatHex(values.map((value) => toHex(value, { size: 32 })));

/** Results of calls in place of the chain's, by selector. */
type FalseResults = Record<Hex, (honest: Hex) => Hex>;

/** A feed's round with another price. */
const roundWith =
  (answer: bigint) =>
  (honest: Hex): Hex =>
    `0x${honest.slice(2, 66)}${words(answer).slice(2)}${honest.slice(130)}`;

/** Pools whose average is tick 0, with endless depth. */
const FALSE_POOLS: FalseResults = {
  [OBSERVE]: () => words(64n, 160n, 2n, 0n, 0n, 2n, 0n, 0n),
  [QUOTE]: () => words(10n ** 40n, 0n, 0n, 0n),
};

describe('prices on a chain of which one node lies', () => {
  let anvil: TestChain;
  let nodes: LyingNode[];
  let owner: ReturnType<typeof walletOf>;
  let node: ReturnType<typeof nodeOf>;

  const walletOf = () =>
    createWalletClient({
      account: privateKeyToAccount(developmentAccounts[1].privateKey),
      transport: http(anvil.rpcUrl),
    }).extend(publicActions);
  const nodeOf = () =>
    createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) }).extend(publicActions);

  beforeAll(async () => {
    anvil = await startTestChain();
    nodes = await Promise.all([1, 2, 3].map(() => startLyingNode(anvil.rpcUrl)));
    [owner, node] = [walletOf(), nodeOf()];
    await node.increaseTime({ seconds: HOUR });
    await node.mine({ blocks: 1 });
  });
  beforeEach(async () => {
    for (const { lies } of nodes) lies.clear();
    await setEther(3_000n);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((each) => each.stop()));
    await anvil.stop();
  });

  async function setEther(dollars: bigint): Promise<void> {
    const hash = await owner.writeContract({
      chain: null,
      address: priceFeeds.ethUsd,
      abi: priceFeedAbi,
      functionName: 'setAnswer',
      args: [dollars * 10n ** 8n],
    });
    await owner.waitForTransactionReceipt({ hash });
    await node.mine({ blocks: BLOCKS_BEFORE });
  }

  const nodeAt = (index: number): LyingNode => {
    const found = nodes[index];
    if (!found) throw new Error(`expected a node ${index}`);
    return found;
  };

  function tell(liar: LyingNode, falseResults: FalseResults): void {
    liar.lies.set('eth_call', async ({ params }, honest) => {
      const { result } = await honest();
      const [{ data }] = params as [{ data: Hex }];
      return {
        result: changedMulticall(data, result as Hex, (callData, each) => {
          const lie = falseResults[callData.slice(0, 10) as Hex];
          return lie ? { success: true, returnData: lie(each.returnData) } : each;
        }),
      };
    });
  }

  function silence(away: LyingNode): void {
    for (const method of ['eth_call', 'eth_blockNumber']) {
      away.lies.set(method, () => Promise.reject(new Error('away')));
    }
  }

  /** Returns an observation by so many nodes, to be repeated. */
  function observer(count: number, contracts: Partial<ChainContracts> = {}) {
    const usual = chainDefinitions['alphanet'];
    if (!usual) throw new Error('alphanet is not defined');
    const definition = { ...usual, contracts: { ...usual.contracts, ...contracts } };
    const rpcUrls = nodes.slice(0, count).map(({ url }) => url);
    const source = new OnchainPricesAdapter(new Chain({ definition, rpcUrls }), 300, pools);
    return async () => {
      const { timestamp } = await node.getBlock();
      const now = new Date(Number(timestamp) * 1000);
      const seen = await source.observe(now, { fiats: [], tokens: listedTokens(definition) });
      const priceBy = (of: string, asset: string): string | undefined => {
        const quote = seen.quotes.find((each) => each.source === of && each.asset === asset);
        return quote && formatDecimal(quote.usd);
      };
      return {
        ether: priceBy('feeds:alphanet', NATIVE),
        dollar: priceBy('feeds:alphanet', `alphanet:${usdc.toLowerCase()}`),
        pooled: priceBy('pools:alphanet', `alphanet:${weth.toLowerCase()}`),
        retracted: seen.retracted ?? [],
        errors: seen.errors.map(String).join(),
      };
    };
  }

  it('are those of the others of three, by feeds and pools', async () => {
    const observe = observer(3);
    const honest = await observe();
    expect(honest).toMatchObject({ ether: '3000', errors: '' });
    expect(Number(honest.pooled)).toBeGreaterThan(2_900);
    tell(nodeAt(0), { [LATEST_ROUND]: roundWith(1n), ...FALSE_POOLS });
    expect(await observe()).toEqual(honest);
  });

  it('are missing where the other one of two contradicts it', async () => {
    const observe = observer(2);
    const honest = await observe();
    tell(nodeAt(0), { [LATEST_ROUND]: roundWith(1n) });
    const seen = await observe();
    expect(seen).toMatchObject({ ether: undefined, dollar: undefined });
    expect(seen.errors).toContain('nodes of alphanet disagree');
    tell(nodeAt(0), FALSE_POOLS);
    expect(await observe()).toMatchObject({ ether: '3000', pooled: undefined });
    nodeAt(0).lies.clear();
    expect(await observe()).toEqual(honest);
  });

  it('stay near the last ones of two while the other one is away', async () => {
    const observe = observer(2);
    silence(nodeAt(1));
    expect(await observe()).toMatchObject({ ether: undefined, pooled: undefined });
    nodeAt(1).lies.clear();
    const both = await observe();
    expect(both.pooled).toBeDefined();
    silence(nodeAt(1));
    expect(await observe()).toEqual(both);
    await setEther(3_060n);
    expect(await observe()).toMatchObject({ ether: '3060' });
    for (const answer of [1n, 3_100n * 10n ** 8n]) {
      tell(nodeAt(0), { [LATEST_ROUND]: roundWith(answer) });
      const seen = await observe();
      expect(seen).toMatchObject({ ether: undefined });
      expect(seen.errors).toContain('one node of alphanet alone quotes');
    }
    tell(nodeAt(0), FALSE_POOLS);
    expect(await observe()).toMatchObject({ ether: '3060', pooled: undefined });
  });

  it('are those of the others where it reports blocks far ahead and another one is a block behind', async () => {
    const observe = observer(3);
    const honest = await observe();
    nodeAt(0).lies.set('eth_blockNumber', () => Promise.resolve({ result: toHex(10n ** 15n) }));
    tell(nodeAt(0), { [LATEST_ROUND]: roundWith(1n), ...FALSE_POOLS });
    nodeAt(1).lies.set('eth_blockNumber', async (_, truth) => ({
      result: toHex(BigInt((await truth()).result as Hex) - 1n),
    }));
    nodeAt(1).lies.set('eth_call', async ({ params: [, block] }, truth) => {
      const newest = await node.getBlockNumber();
      if (BigInt(block as Hex) < newest) return truth();
      return { error: { code: -32_000, message: 'header not found' } };
    });
    expect(await observe()).toEqual(honest);
  });

  it('stay near the last ones of two for an hour', async () => {
    const observe = observer(2);
    expect(await observe()).toMatchObject({ ether: '3000' });
    silence(nodeAt(1));
    await node.increaseTime({ seconds: HOUR - 60 });
    await setEther(3_000n);
    expect(await observe()).toMatchObject({ ether: '3000' });
    await node.increaseTime({ seconds: 120 });
    await setEther(3_000n);
    expect(await observe()).toMatchObject({ ether: undefined });
  });

  it('are not retracted by one of two alone that says that the sequencer is down', async () => {
    // Its answer is not 0, so the sequencer is down.
    const observe = observer(2, { sequencerUptimeFeed: priceFeeds.ethUsd });
    expect((await observe()).retracted).toContain(NATIVE);
    silence(nodeAt(1));
    expect(await observe()).toMatchObject({ ether: undefined, retracted: [] });
  });

  it('are its own where it is the only one', async () => {
    tell(nodeAt(0), { [LATEST_ROUND]: roundWith(10n ** 8n), ...FALSE_POOLS });
    const { ether, pooled } = await observer(1)();
    expect(ether).toBe('1');
    expect(Number(pooled)).toBeGreaterThan(10 ** 9);
  });
});

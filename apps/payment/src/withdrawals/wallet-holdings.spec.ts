import { describe, expect, it } from '@jest/globals';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import {
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  multicall3Abi,
  numberToHex,
  RpcRequestError,
  zeroAddress,
} from 'viem';
import type { Address, Hex } from 'viem';
import { foundry } from 'viem/chains';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import { SharedBalancesClient } from './shared-balances.client.js';
import { readHoldings } from './wallet-holdings.client.js';

const NATIVE = tokenIdentifier('alphanet', `0x${'0'.repeat(40)}`);
const WALLET = `0x${'d'.repeat(40)}` as const;
const BLOCK = 500n;
const MULTICALL3 = `0x${'c'.repeat(40)}` as const;
const facts = (token: typeof USDC) => ({ token, decimals: 6, usdPrice: '1' });
const tokens = [facts(NATIVE), facts(USDC), facts(USDT)];

const failing = (code: number, message: string, data?: string) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code, message, data } });
const PRUNED = failing(-32000, 'missing trie node');
const REVERTED = failing(
  3,
  'execution reverted',
  encodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
    args: ['paused'],
  }),
);

type Failures = Partial<Record<'native' | typeof USDC, Error>>;

/** A node that answers 7 for every balance except the given failures. */
function node(failures: Failures, isMulticallAway = false) {
  const requests: string[] = [];
  const failureOf = (target: string): Error | undefined => {
    const token = [USDC, USDT].find(
      (id) => parseTokenIdentifier(id).address === target.toLowerCase(),
    );
    return failures[token ?? 'native'];
  };
  const single = (target: string, size?: number): Hex => {
    const failure = failureOf(target);
    if (failure !== undefined) throw failure;
    return numberToHex(7n, size === undefined ? {} : { size });
  };
  const all = (data: Hex): Hex => {
    // A node without the state answers no call.
    if (failures.native !== undefined) throw failures.native;
    if (isMulticallAway) throw failing(-32000, 'out of gas');
    const { args } = decodeFunctionData({ abi: multicall3Abi, data });
    const [calls] = args as readonly [readonly { target: Address }[]];
    const result = calls.map(({ target }) => {
      const success = failureOf(target) === undefined;
      return { success, returnData: success ? numberToHex(7n, { size: 32 }) : '0x' } as const;
    });
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
  };
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const [call] = params as [{ to?: string; data?: Hex }];
    const { to = zeroAddress, data = '0x' } = call;
    requests.push(to === MULTICALL3 ? 'all' : method);
    if (method === 'eth_getBalance') return single('');
    return to === MULTICALL3 ? all(data) : single(to, 32);
  };
  const transport = custom({ request }, { retryCount: 0 });
  return { client: createPublicClient({ chain: foundry, transport }), requests };
}

async function read(failures: Failures, isLastResort = false, isMulticallAway = false) {
  const leftOut: string[] = [];
  const { client, requests } = node(failures, isMulticallAway);
  const found = await readHoldings(client, {
    wallet: WALLET,
    blockNumber: BLOCK,
    tokens,
    balances: new SharedBalancesClient(MULTICALL3, [{ wallet: WALLET, tokens }]),
    isLastResort,
    leftOut: (token) => leftOut.push(token),
  });
  return { found: found.map(({ token }) => token), leftOut, requests };
}

describe('the holdings of a wallet after a block', () => {
  it('include every token that the catalogue lists', async () => {
    expect(await read({})).toMatchObject({ found: [NATIVE, USDC, USDT], leftOut: [] });
  });

  it('exclude a token that reverts', async () => {
    expect(await read({ [USDC]: REVERTED })).toMatchObject({
      found: [NATIVE, USDT],
      leftOut: [USDC],
    });
  });

  it('are unavailable from a node without the block’s state, whatever its error text', async () => {
    await expect(read({ native: PRUNED })).rejects.toThrow();
    await expect(read({ native: PRUNED, [USDC]: REVERTED }, true)).rejects.toThrow();
  });

  it('are read again after a node’s error for a token, and finally exclude that token', async () => {
    await expect(read({ [USDT]: PRUNED })).rejects.toThrow();
    expect(await read({ [USDT]: PRUNED }, true)).toMatchObject({
      found: [NATIVE, USDC],
      leftOut: [USDT],
    });
  });

  it('are read by one request for several wallets, whatever the number of tokens', async () => {
    const { client, requests } = node({});
    const wallets = ['a', 'b', 'd'].map((digit) => ({
      wallet: `0x${digit.repeat(40)}` as const,
      tokens,
    }));
    const balances = new SharedBalancesClient(MULTICALL3, wallets);
    const about = { blockNumber: BLOCK, balances, isLastResort: false, leftOut: () => undefined };
    const found = await Promise.all(
      wallets.map((wallet) => readHoldings(client, { ...wallet, ...about })),
    );
    expect(found.map((holdings) => holdings.length)).toEqual([3, 3, 3]);
    expect(requests).toEqual(['all']);
  });

  it('are read one by one where a call for all of them fails', async () => {
    const { found, requests } = await read({}, false, true);
    expect(found).toEqual([NATIVE, USDC, USDT]);
    expect(requests).toEqual(['all', 'eth_getBalance', 'eth_call', 'eth_call']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import { createPublicClient, custom, encodeErrorResult, numberToHex, RpcRequestError } from 'viem';
import { foundry } from 'viem/chains';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import { readHoldings } from './wallet-holdings.client.js';

const NATIVE = tokenIdentifier('alphanet', `0x${'0'.repeat(40)}`);
const WALLET = `0x${'d'.repeat(40)}` as const;
const BLOCK = 500n;
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

/** A node that answers 7 for every balance except the given failures. */
function node(failures: Partial<Record<'native' | typeof USDC, Error>>) {
  const request = ({ method, params }: { method: string; params?: unknown }) => {
    const [call] = params as [{ to?: string }];
    const isNative = method === 'eth_getBalance';
    const of = [USDC, USDT].find(
      (id) => parseTokenIdentifier(id).address === call.to?.toLowerCase(),
    );
    const failure = isNative ? failures.native : of && failures[of];
    return failure === undefined
      ? Promise.resolve(numberToHex(7n, isNative ? {} : { size: 32 }))
      : Promise.reject(failure);
  };
  return createPublicClient({ chain: foundry, transport: custom({ request }, { retryCount: 0 }) });
}

function read(failures: Parameters<typeof node>[0], isLastResort = false) {
  const leftOut: string[] = [];
  const holdings = readHoldings(node(failures), {
    wallet: WALLET,
    blockNumber: BLOCK,
    tokens,
    isLastResort,
    leftOut: (token) => leftOut.push(token),
  });
  return holdings.then((found) => ({ found: found.map(({ token }) => token), leftOut }));
}

describe('the holdings of a wallet after a block', () => {
  it('include every token that the catalogue lists', async () => {
    expect(await read({})).toEqual({ found: [NATIVE, USDC, USDT], leftOut: [] });
  });

  it('exclude a token that reverts', async () => {
    expect(await read({ [USDC]: REVERTED })).toEqual({ found: [NATIVE, USDT], leftOut: [USDC] });
  });

  it('are unavailable from a node without the block’s state, whatever its error text', async () => {
    await expect(read({ native: PRUNED })).rejects.toThrow();
    await expect(read({ native: PRUNED, [USDC]: REVERTED }, true)).rejects.toThrow();
  });

  it('are read again after a node’s error for a token, and finally exclude that token', async () => {
    await expect(read({ [USDT]: PRUNED })).rejects.toThrow();
    expect(await read({ [USDT]: PRUNED }, true)).toEqual({
      found: [NATIVE, USDC],
      leftOut: [USDT],
    });
  });
});

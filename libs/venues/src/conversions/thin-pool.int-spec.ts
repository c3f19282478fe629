import { Chain, chainDefinitions } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { converterAbi, developmentAddresses, type Call } from '@bascule/solidity';
import { startTestChain, type TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createWalletClient,
  erc20Abi,
  http,
  parseEther,
  publicActions,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bestQuote } from './best-quote.js';
import { createVenues } from './create-venues.js';
import { createThinPool } from './testing/thin-pool.fixture.js';
import { encodePath } from './uniswap-v3/paths.js';
import type { VenueQuote } from './venue.js';

const { converter, swapRouter02, usdc, usdt, weth } = developmentAddresses;
const NATIVE = zeroAddress;
const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
const faucet = privateKeyToAccount(developmentAccounts[0].privateKey);
const definition = chainDefinitions['alphanet'];
if (!definition) throw new Error('alphanet is not defined');

const connect = (rpcUrl: string) =>
  createWalletClient({ account: faucet, transport: http(rpcUrl), pollingInterval: 50 }).extend(
    publicActions,
  );

describe('a pool whose liquidity ends', () => {
  let testChain: TestChain;
  let chain: Chain;
  let client: ReturnType<typeof connect>;

  /** Fixed gas limit: an estimate is too low when the pool writes its price in the next block only. */
  const gas = 15_000_000n;
  const mined = async (hash: Hex): Promise<void> => {
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
  };

  beforeAll(async () => {
    testChain = await startTestChain();
    chain = new Chain({ definition, rpcUrls: [testChain.rpcUrl] });
    client = connect(testChain.rpcUrl);
    await createThinPool(faucet.address, async (to, data) =>
      mined(await client.sendTransaction({ chain: null, gas, to, data })),
    );
  });
  afterAll(() => testChain.stop());

  async function quote(inputToken: Address, amountIn: bigint): Promise<VenueQuote> {
    const request = { inputToken, outputToken: usdt, amountIn };
    const best = await bestQuote(createVenues(), chain.anyNode, request);
    if (!best) throw new Error('no quote');
    return best;
  }

  async function convertNative(amountIn: bigint, calls: Call[]): Promise<void> {
    const leg = {
      chainId: 31337n,
      inputToken: NATIVE,
      maxInput: amountIn,
      fees: [],
      outputToken: usdt,
      minOutput: 1n,
      customCalls: [],
      bridgeAdapter: zeroAddress,
      minBridged: 0n,
    };
    await mined(
      await client.writeContract({
        chain: null,
        gas,
        address: converter,
        abi: converterAbi,
        functionName: 'convert',
        args: [leg, RECIPIENT, calls],
        value: amountIn,
      }),
    );
  }

  const wethOf = (owner: Address): Promise<bigint> =>
    client.readContract({ address: weth, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

  it.each([
    ['native currency', NATIVE, parseEther('10')],
    ['a token', weth, parseEther('10')],
    ['what a pool before it gives', usdc, 30_000_000_000n],
  ])('is skipped when it would take only a part of %s', async (_, inputToken, amountIn) => {
    const { amountOut } = await quote(inputToken, amountIn);
    expect(amountOut).toBeGreaterThan(29_000_000_000n);
    expect(amountOut).toBeLessThan(30_000_000_000n);
  });

  it('leaves no native currency in the router when liquidity ends before the swap', async () => {
    const [first, second] = [parseEther('0.03'), parseEther('0.04')];
    const early = await quote(NATIVE, second);
    expect(early.route).toBe(encodePath({ tokens: [weth, usdt], pools: [3000] }));
    const competitor = await quote(NATIVE, first);
    await convertNative(first, competitor.calls({ converter, minOutput: 1n }));

    const owned = await client.getBalance({ address: faucet.address });
    await convertNative(second, early.calls({ converter, minOutput: 1n }));
    const spent = owned - (await client.getBalance({ address: faucet.address }));
    expect(spent).toBeGreaterThan(parseEther('0.01'));
    expect(spent).toBeLessThan(parseEther('0.03'));
    for (const account of [swapRouter02, converter]) {
      expect(await client.getBalance({ address: account })).toBe(0n);
      expect(await wethOf(account)).toBe(0n);
    }
  });
});

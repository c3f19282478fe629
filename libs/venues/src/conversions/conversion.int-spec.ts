import { Chain, chainDefinitions } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { converterAbi, developmentAddresses } from '@bascule/solidity';
import type { Call } from '@bascule/solidity';
import { startTestChain, type TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  isHex,
  publicActions,
  size,
  walletActions,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bestExactOutputQuote, bestQuote } from './best-quote.js';
import { createVenues } from './create-venues.js';
import type { VenueQuote } from './venue.js';

const { converter, swapRouter02, usdc, usdt, wbtc, weth } = developmentAddresses;
const NATIVE = zeroAddress;
const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';

const [faucet] = developmentAccounts;
const definition = chainDefinitions['alphanet'];
if (!definition) throw new Error('alphanet is not defined');

/** Pools of an encoded path of Uniswap V3: 20 bytes of a token, then 23 for each pool; other routes have none. */
const poolsOf = ({ route }: VenueQuote): number => (isHex(route) ? (size(route) - 20) / 23 : 0);

const connect = (rpcUrl: string) =>
  createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(faucet.privateKey),
    transport: http(rpcUrl),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);

describe('conversions on a chain with real pools', () => {
  const venues = createVenues();
  let testChain: TestChain;
  let chain: Chain;
  let client: ReturnType<typeof connect>;

  beforeAll(async () => {
    testChain = await startTestChain();
    chain = new Chain({ definition, rpcUrls: [testChain.rpcUrl] });
    client = connect(testChain.rpcUrl);
  });
  afterAll(() => testChain.stop());

  it('lists the convertible tokens, in agreement with its quotes', async () => {
    const unknown: Address = '0x00000000000000000000000000000000000000ee';
    const tokens = [NATIVE, weth, usdc, usdt, wbtc, unknown];
    const answers = await Promise.all(venues.map((venue) => venue.pairs(chain.anyNode, tokens)));
    const key = (pair: readonly Address[]): string => [...pair].sort().join();
    const said = answers.flat().map(key);
    expect(said).toHaveLength(new Set(said).size);
    const smallAmounts: Record<Address, bigint> = { [NATIVE]: 10n ** 15n, [weth]: 10n ** 15n };
    for (const inputToken of tokens) {
      for (const outputToken of tokens.filter((token) => token !== inputToken)) {
        const amountIn = smallAmounts[inputToken] ?? 1_000_000n;
        const quote = await bestQuote(venues, chain.anyNode, { inputToken, outputToken, amountIn });
        expect([inputToken, outputToken, said.includes(key([inputToken, outputToken]))]).toEqual([
          ...[inputToken, outputToken, quote !== null],
        ]);
      }
    }
  });

  it('throws for an unavailable chain instead of reporting no pools', async () => {
    const silent = new Chain({ definition, rpcUrls: ['http://127.0.0.1:9'] });
    const answers = Promise.all(venues.map((venue) => venue.pairs(silent.anyNode, [NATIVE, usdc])));
    await expect(answers).rejects.toThrow();
  });

  const balance = (token: Address, owner: Address): Promise<bigint> =>
    token === NATIVE
      ? client.getBalance({ address: owner })
      : client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [owner],
        });

  const mined = async (hash: Hex): Promise<bigint> => {
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    return receipt.gasUsed;
  };

  const send = async (token: Address, amount: bigint): Promise<unknown> =>
    mined(
      await client.sendTransaction({
        chain: null,
        to: token,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [converter, amount],
        }),
      }),
    );

  /** As a wallet does it, but in two transactions. */
  async function convert(o: {
    inputToken: Address;
    outputToken: Address;
    amountIn: bigint;
    minOutput: bigint;
    calls: Call[];
  }): Promise<bigint> {
    if (o.inputToken !== NATIVE) await send(o.inputToken, o.amountIn);
    const leg = {
      chainId: 31337n,
      inputToken: o.inputToken,
      maxInput: o.amountIn,
      fees: [],
      outputToken: o.outputToken,
      minOutput: o.minOutput,
      customCalls: [],
      bridgeAdapter: zeroAddress,
      minBridged: 0n,
    };
    return mined(
      await client.writeContract({
        chain: null,
        address: converter,
        abi: converterAbi,
        functionName: 'convert',
        // The first swap of a second writes the pool's oracle, which an estimate within that second misses.
        gas: 1_000_000n,
        args: [leg, RECIPIENT, o.calls],
        value: o.inputToken === NATIVE ? o.amountIn : 0n,
      }),
    );
  }

  const allowance = (token: Address): Promise<bigint> =>
    client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [converter, swapRouter02],
    });

  it.each([
    ['one pool', usdc, weth, 1_000_000_000n, 1],
    ['a token whose approvals return nothing', usdt, usdc, 1_000_000_000n, 1],
    ['an intermediate token', usdt, wbtc, 5_000_000_000n, 2],
    ['native currency in', NATIVE, usdc, 10n ** 18n, 1],
    ['native currency out', usdc, NATIVE, 1_000_000_000n, 1],
    ['native currency out after two pools', usdt, NATIVE, 1_000_000_000n, 2],
    ['wrapping', NATIVE, weth, 10n ** 18n, 0],
  ])(
    'returns exactly the quoted amount: %s',
    async (_, inputToken, outputToken, amountIn, pools) => {
      const quote = await bestQuote(venues, chain.anyNode, { inputToken, outputToken, amountIn });
      if (!quote) throw new Error('no quote');
      expect(poolsOf(quote)).toBe(pools);
      const minOutput = (quote.amountOut * 995n) / 1_000n;
      const before = await balance(outputToken, RECIPIENT);

      const calls = quote.calls({ converter, minOutput });
      const gasUsed = await convert({ inputToken, outputToken, amountIn, minOutput, calls });

      expect((await balance(outputToken, RECIPIENT)) - before).toBe(quote.amountOut);
      expect(await balance(inputToken, converter)).toBe(0n);
      expect(await balance(outputToken, converter)).toBe(0n);
      if (inputToken !== NATIVE) expect(await allowance(inputToken)).toBe(0n);
      expect(quote.gas).toBeLessThan(gasUsed * 2n);
      expect(quote.gas).toBeGreaterThan(gasUsed / 3n);
    },
  );

  it.each([
    ['one pool', usdc, weth, 10n ** 17n],
    ['a token whose approvals return nothing', usdt, usdc, 1_000_000_001n],
    ['an intermediate token', usdt, wbtc, 5_000_001n],
    ['native currency in', NATIVE, usdc, 1_234_567n],
    ['native currency out after two pools', usdt, NATIVE, 10n ** 17n + 1n],
    ['wrapping', NATIVE, weth, 10n ** 18n],
    ['unwrapping', weth, NATIVE, 10n ** 18n],
  ])('quotes the least input of an output: %s', async (_, inputToken, outputToken, amountOut) => {
    const tokens = { inputToken, outputToken };
    const least = await bestExactOutputQuote(venues, chain.anyNode, { ...tokens, amountOut });
    if (!least) throw new Error('no quote');
    const outputOf = async (amountIn: bigint) =>
      (await bestQuote(venues, chain.anyNode, { ...tokens, amountIn }))?.amountOut ?? 0n;
    // Each pool rounds both ways, by a unit.
    expect(await outputOf(least.amountIn + 2n)).toBeGreaterThanOrEqual(amountOut);
    expect(await outputOf(least.amountIn - 2n)).toBeLessThan(amountOut);
    expect(least.gas).toBeGreaterThan(0n);
  });

  it('has no input for more than the pools hold, or for nothing', async () => {
    const tokens = { inputToken: usdc, outputToken: weth };
    for (const amountOut of [10n ** 27n, 0n]) {
      expect(
        await bestExactOutputQuote(venues, chain.anyNode, { ...tokens, amountOut }),
      ).toBeNull();
    }
  });

  it('unwraps one to one', async () => {
    await mined(
      await client.sendTransaction({
        chain: null,
        to: weth,
        value: 10n ** 18n,
        data: '0xd0e30db0',
      }),
    );
    const request = { inputToken: weth, outputToken: NATIVE, amountIn: 10n ** 18n };
    const quote = await bestQuote(venues, chain.anyNode, request);
    if (!quote) throw new Error('no quote');
    expect(quote).toMatchObject({ venue: 'wrapped_native', amountOut: 10n ** 18n });
    const before = await balance(NATIVE, RECIPIENT);
    const minOutput = quote.amountOut;
    await convert({ ...request, minOutput, calls: quote.calls({ converter, minOutput }) });
    expect((await balance(NATIVE, RECIPIENT)) - before).toBe(10n ** 18n);
  });

  it('works after a third party made the Converter grant an allowance', async () => {
    const approve: Call = {
      target: usdt,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [swapRouter02, 1n],
      }),
      value: 0n,
    };
    await send(usdc, 1n);
    const nothing = { amountIn: 0n, minOutput: 0n, inputToken: usdt, outputToken: usdc };
    await convert({ ...nothing, inputToken: NATIVE, calls: [approve] });
    expect(await allowance(usdt)).toBe(1n);

    const request = { inputToken: usdt, outputToken: usdc, amountIn: 1_000_000n };
    const quote = await bestQuote(venues, chain.anyNode, request);
    if (!quote) throw new Error('no quote');
    const minOutput = quote.amountOut;
    await convert({ ...request, minOutput, calls: quote.calls({ converter, minOutput }) });
    expect(await allowance(usdt)).toBe(0n);
  });

  it('has no quote for tokens without a pool or for an amount of zero', async () => {
    const unknown: Address = '0x00000000000000000000000000000000000000bb';
    const none = { inputToken: usdc, outputToken: unknown, amountIn: 1n };
    expect(await bestQuote(venues, chain.anyNode, none)).toBeNull();
    const nothing = { inputToken: usdc, outputToken: weth, amountIn: 0n };
    expect(await bestQuote(venues, chain.anyNode, nothing)).toBeNull();
  });

  it('throws for an unavailable chain instead of reporting no conversion', async () => {
    const unreachable = new Chain({ definition, rpcUrls: ['http://127.0.0.1:9'] });
    const request = { inputToken: usdc, outputToken: weth, amountIn: 1_000_000n };
    await expect(bestQuote(venues, unreachable.anyNode, request)).rejects.toThrow('alphanet');
  });
});

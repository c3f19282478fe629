import { Chain, chainDefinitions } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import {
  endowAggregator,
  type AggregatorLab,
  type LifiToken,
  type SwapChain,
} from '@bascule/providers-lab';
import { converterAbi, developmentAddresses, type Call } from '@bascule/solidity';
import { startTestChain } from '@bascule/testing';
import {
  createTestClient,
  erc20Abi,
  http,
  publicActions,
  walletActions,
  zeroAddress,
  type Address,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createVenues } from '../../create-venues.js';
import type { Venue } from '../../venue.js';
import type { AggregatorAdapterName } from '../aggregator-adapters.js';

const { converter, quoterV2, swapRouter02, usdc, usdt, wbtc, weth } = developmentAddresses;
const [faucet, deployer] = developmentAccounts;

export const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
export const API_KEY = 'key';
export const LISTED: readonly LifiToken[] = [
  { address: zeroAddress, symbol: 'ETH', decimals: 18 },
  { address: weth, symbol: 'WETH', decimals: 18 },
  { address: usdc, symbol: 'USDC', decimals: 6 },
  { address: usdt, symbol: 'USDT', decimals: 6 },
];

/** Pairs of these tokens that an aggregator without a list, or with that of {@link LISTED}, opens. */
export const PAIRS = {
  unlisted: [],
  listed: [
    [zeroAddress, usdc],
    [weth, usdc],
  ],
};

export interface StageOptions {
  /** Whether its API lists the tokens of a chain. */
  lists: boolean;
  /** Contract of the aggregator. */
  contract: Address;
  startLab(chain: SwapChain): Promise<AggregatorLab>;
}

export interface ConversionOptions {
  inputToken: Address;
  outputToken: Address;
  amountIn: bigint;
  /** Minimum that the leg declares. */
  minOutput: bigint;
  calls: Call[];
}

/** A chain with real pools and a simulated aggregator on it. */
export async function startAggregatorStage(
  adapter: AggregatorAdapterName,
  { contract, lists, startLab }: StageOptions,
) {
  const definition = chainDefinitions['alphanet'];
  if (!definition) throw new Error('alphanet is not defined');
  const testChain = await startTestChain();
  const { rpcUrl, chainId } = testChain;
  const lab = await startLab({
    rpcUrl,
    chainId,
    contract,
    quoterV2,
    swapRouter02,
    wrappedNative: weth,
    intermediateTokens: [usdc],
    feeTiers: [500, 3000],
  });
  const client = createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(faucet.privateKey),
    transport: http(rpcUrl),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);

  /** A new one has no answer in its cache. */
  const venueAt = (url: string, timeoutMs = 5_000, apiKey = API_KEY): Venue => {
    const config = { name: 'lab', adapter, baseUrl: url, apiKey, timeoutMs };
    const venue = createVenues([config]).at(-1);
    if (!venue) throw new Error('no venue');
    return venue;
  };
  const balance = (token: Address, owner: Address): Promise<bigint> =>
    token === zeroAddress
      ? client.getBalance({ address: owner })
      : client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [owner],
        });
  const transfer = async (token: Address, to: Address, amount: bigint): Promise<void> => {
    const hash = await client.writeContract({
      chain: null,
      address: token,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to, amount],
    });
    await client.waitForTransactionReceipt({ hash });
  };

  return {
    rpcUrl,
    lab,
    client,
    contract,
    lists,
    chain: new Chain({ definition, rpcUrls: [rpcUrl] }),
    /** The same node by two addresses counts as two. */
    chainOfTwoNodes: new Chain({
      definition,
      rpcUrls: [rpcUrl, rpcUrl.replace('127.0.0.1', 'localhost')],
    }),
    venueAt,
    venue: () => venueAt(lab.url),
    balance,
    transfer,
    allowance: (token: Address): Promise<bigint> =>
      client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [converter, contract],
      }),
    /** Lets the aggregator's contract pay another share than all of the output. */
    pay: (token: Address, payoutBps: bigint): Promise<void> =>
      endowAggregator({
        ...{ rpcUrl, privateKey: deployer.privateKey, contract, token, payoutBps },
        amount: payoutBps > 10_000n ? 10n ** 9n : 0n,
      }),
    /** Converts as a leg does; returns the status and the gas of the transaction. */
    async convert({ calls, ...o }: ConversionOptions) {
      const value = o.inputToken === zeroAddress ? o.amountIn : 0n;
      if (value === 0n) await transfer(o.inputToken, converter, o.amountIn);
      const leg = {
        chainId: BigInt(chainId),
        inputToken: o.inputToken,
        maxInput: o.amountIn,
        fees: [],
        outputToken: o.outputToken,
        minOutput: o.minOutput,
        customCalls: [],
        bridgeAdapter: zeroAddress,
        minBridged: 0n,
      };
      const hash = await client.writeContract({
        chain: null,
        address: converter,
        abi: converterAbi,
        functionName: 'convert',
        gas: 2_000_000n,
        args: [leg, RECIPIENT, calls],
        value,
      });
      const { status, gasUsed } = await client.waitForTransactionReceipt({ hash });
      return { status, gasUsed };
    },
    stop: async () => {
      await lab.stop();
      await testChain.stop();
    },
  };
}

export type AggregatorStage = Awaited<ReturnType<typeof startAggregatorStage>>;
export const TOKENS = { usdc, usdt, wbtc, weth, native: zeroAddress };

import type { NativeCurrency } from '@bascule/contracts';
import type { Address, Hex } from 'viem';

/** Uniswap V2, or a venue with its contracts and another fee. */
export interface UniswapV2Deployment {
  factory: Address;
  router02: Address;
  /** Fee of every pair, in hundredths of a basis point. */
  fee: number;
  /** keccak256 of the creation code of pairs, from which their addresses follow. */
  pairInitCodeHash: Hex;
  /** Intermediate tokens of conversions, besides the wrapped native currency. */
  intermediateTokens: readonly Address[];
}

/** Uniswap V3 with the fee tiers (hundredths of a basis point) to search for pools. */
export interface UniswapV3Deployment {
  factory: Address;
  quoterV2: Address;
  swapRouter02: Address;
  feeTiers: readonly number[];
  /** Intermediate tokens of conversions, besides the wrapped native currency. */
  intermediateTokens: readonly Address[];
}

/** Kind of pools of Uniswap V4. */
export interface UniswapV4PoolKind {
  /** Hundredths of a basis point. */
  fee: number;
  tickSpacing: number;
}

/** Uniswap V4 with the pools to search, which have no hooks. */
export interface UniswapV4Deployment {
  poolManager: Address;
  quoter: Address;
  stateView: Address;
  /** Universal Router of version 2.1.1: version 2.0 takes other parameters. */
  universalRouter: Address;
  pools: readonly UniswapV4PoolKind[];
  /** Intermediate tokens of conversions, besides native currency and its wrapped form. */
  intermediateTokens: readonly Address[];
}

/**
 * Contracts of aggregators by the name of their adapter. Only they are called with what an aggregator answers, and only
 * they are granted an allowance for it.
 */
export type AggregatorContracts = Readonly<Record<string, Address>>;

/** A price feed with Chainlink's aggregator interface. */
export interface PriceFeed {
  address: Address;
  /** Longest interval between updates, even at an unchanged price. */
  heartbeatSeconds: number;
  /** The feed's `description()` where it differs, or once differed, from the pair. */
  description?: string;
}

/** Contracts whose addresses depend on constructor arguments; a deployment configures its own. */
export interface DeploymentContracts {
  executor?: Address;
  /** Intent escrow and the oracle that attests fills on other chains. */
  intentEscrow?: Address;
  attesterOracle?: Address;
}

export interface ChainContracts extends DeploymentContracts {
  multicall3: Address;
  wrappedNative: Address;
  oneTimeWalletFactory: Address;
  oneTimeWalletImplementation: Address;
  converter: Address;
  /** Deploys the runners of wallets' custom calls. */
  actionRunnerFactory: Address;
  uniswapV2?: UniswapV2Deployment;
  uniswapV3?: UniswapV3Deployment;
  uniswapV4?: UniswapV4Deployment;
  aggregators?: AggregatorContracts;
  /** Price feeds by pair, for example `eth/usd`. */
  priceFeeds?: Readonly<Record<string, PriceFeed>>;
  /** Sequencer uptime feed of a rollup: 0 is up, 1 is down, by the same interface. */
  sequencerUptimeFeed?: Address;
}

/** All differences between chains; no other code may depend on a particular chain. */
export interface ChainDefinition {
  /** Letters only, since token identifiers start with it. */
  name: string;
  chainId: number;
  network: string;
  isTestnet: boolean;
  addressFamily: 'EVM';
  nativeCurrency: NativeCurrency;
  /** Block explorer; development chains have none. */
  explorer?: string;
  image: string;
  /** Icon name where it differs from the symbol. */
  nativeIcon?: string;
  /** Public endpoint, so never one with a key; a deployment may configure another. */
  publicRpc: string;
  /** Confirmations of a block, itself included. */
  confirmations: number;
  blockTimeMs: number;
  /**
   * Finality for irreversible statements (attesters): the newest block with the chain's confirmations, or the newest
   * that nodes report as finalized.
   */
  finality: 'confirmations' | 'finalized';
  /** Fee model of transactions: a gas price, or a base fee and a tip (EIP-1559). */
  feeStyle: 'eip1559' | 'legacy';
  /** Highest fee that is offered, in gwei per unit of gas, whatever nodes answer: several times any usual one. */
  maxFeeGwei: number;
  /** Least tip, or single gas price, that nodes take by default, in gwei per unit of gas; 0.001 where absent. */
  leastTipGwei?: number;
  /**
   * Contract of an OP-stack rollup that tells the fee of a transaction's data, which is charged beside the gas. Absent
   * where no such fee exists, or where gas includes it.
   */
  dataFeeOracle?: Address;
  /** Whether the gas of a transaction includes its data on the parent chain: an empty transfer needs more than 21,000. */
  gasIncludesData?: true;
  /** Detection of native transfers to a wallet: `blocks` finds plain transactions, and those of contracts by balances. */
  nativeTransfers: 'trace_block' | 'blocks';
  /** Block range of one log search; by default the smallest limit of hosted nodes. */
  blocksPerSearch?: number;
  /** CoinGecko ids of the chain and its native currency; test networks have none. */
  coingeckoPlatform?: string;
  nativeCoingeckoId?: string;
  contracts: ChainContracts;
}

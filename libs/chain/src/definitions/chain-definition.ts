import type { NativeCurrency } from '@bascule/contracts';
import type { Address } from 'viem';

/** Uniswap V3 and the fee tiers (hundredths of a basis point) in which it has pools worth asking. */
export interface UniswapV3Deployment {
  factory: Address;
  quoterV2: Address;
  swapRouter02: Address;
  feeTiers: readonly number[];
  /** Tokens that a conversion may pass through, besides the wrapped native currency. */
  intermediateTokens: readonly Address[];
}

/** An aggregator of Chainlink's interface. */
export interface PriceFeed {
  address: Address;
  /** How often it is promised to be updated even when its price stands still. */
  heartbeatSeconds: number;
  /** What it calls itself where that is not, or was not always, its pair. */
  description?: string;
}

/** The contracts whose addresses follow from what their deployment was told; a deployment says its own. */
export interface DeploymentContracts {
  executor?: Address;
  /** The bridge adapter of our own, and whom it believes about the other chain. */
  intentEscrow?: Address;
  attesterOracle?: Address;
}

export interface ChainContracts extends DeploymentContracts {
  multicall3: Address;
  wrappedNative: Address;
  oneTimeWalletFactory: Address;
  oneTimeWalletImplementation: Address;
  converter: Address;
  uniswapV3?: UniswapV3Deployment;
  /** By pair, e.g. `eth/usd`. */
  priceFeeds?: Readonly<Record<string, PriceFeed>>;
  /** On a rollup: says since when its sequencer is up (0) or down (1), by the same interface. */
  sequencerUptimeFeed?: Address;
}

/** All that differs between chains; nothing else in the code may know which chain it is on. */
export interface ChainDefinition {
  /** Letters only: it is the first part of token identifiers. */
  name: string;
  chainId: number;
  network: string;
  isTestnet: boolean;
  addressFamily: 'EVM';
  nativeCurrency: NativeCurrency;
  /** Where people look at its transactions; development chains have none. */
  explorer?: string;
  image: string;
  /** In the set of icons, where it is not there under its symbol. */
  nativeIcon?: string;
  /** Shown to clients, so never one with a key in it; a deployment may say another. */
  publicRpc: string;
  /** A block counts when it and the blocks on top of it are this many. */
  confirmations: number;
  blockTimeMs: number;
  /**
   * Which block those build on whose word cannot be taken back (attesters): the newest with the chain's confirmations,
   * or the newest that nodes call finalized.
   */
  finality: 'confirmations' | 'finalized';
  /** Whether a transaction offers a gas price, all of which it pays, or at most a base fee and a tip. */
  feeStyle: 'eip1559' | 'legacy';
  /** How native currency arriving at a wallet is found: `blocks` only sees plain transactions. */
  nativeTransfers: 'trace_block' | 'blocks';
  /** How many blocks its nodes search for logs at once; what hosted ones take at least where it is not said. */
  blocksPerSearch?: number;
  /** What CoinGecko calls the chain, and its native currency; test networks have neither. */
  coingeckoPlatform?: string;
  nativeCoingeckoId?: string;
  contracts: ChainContracts;
}

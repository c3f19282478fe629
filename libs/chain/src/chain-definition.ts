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

export interface ChainContracts {
  multicall3: Address;
  wrappedNative: Address;
  oneTimeWalletFactory: Address;
  oneTimeWalletImplementation: Address;
  converter: Address;
  executor?: Address;
  /** The bridge adapter of our own, and whom it believes about the other chain. */
  intentEscrow?: Address;
  attesterOracle?: Address;
  uniswapV3?: UniswapV3Deployment;
  /** Aggregators of Chainlink's interface, by pair, e.g. `eth/usd`. */
  priceFeeds?: Readonly<Record<string, Address>>;
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
  /** Shown to clients, so never one with a key in it; a deployment may say another. */
  publicRpc: string;
  /** A block counts when it and the blocks on top of it are this many. */
  confirmations: number;
  blockTimeMs: number;
  /** How native currency arriving at a wallet is found: `blocks` only sees plain transactions. */
  nativeTransfers: 'trace_block' | 'blocks';
  /** How many blocks its nodes search for logs at once; what hosted ones take at least where it is not said. */
  blocksPerSearch?: number;
  contracts: ChainContracts;
}

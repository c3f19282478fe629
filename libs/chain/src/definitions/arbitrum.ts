import type { ChainDefinition } from './chain-definition.js';
import {
  DAY,
  feed,
  HOUR,
  PUBLIC_AGGREGATORS,
  PUBLIC_FEE_TIERS,
  PUBLIC_PAIRS,
  PUBLIC_V4_POOLS,
  publicContracts,
} from './public-contracts.js';

/** Stablecoins with deep pools. */
const INTERMEDIATE_TOKENS = [
  '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
] as const;

export const arbitrum: ChainDefinition = {
  name: 'arbitrum',
  chainId: 42161,
  network: 'Arbitrum One',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://arbiscan.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/arbitrum.svg',
  publicRpc: 'https://arb1.arbitrum.io/rpc',
  confirmations: 40,
  blockTimeMs: 250,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 50,
  gasIncludesData: true,
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'arbitrum-one',
  nativeCoingeckoId: 'ethereum',
  contracts: publicContracts({
    wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    uniswapV3: {
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      quoterV2: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
      swapRouter02: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV2: {
      factory: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
      router02: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
      ...PUBLIC_PAIRS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV4: {
      poolManager: '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
      quoter: '0x3972C00f7ed4885e145823eb7C655375d275A1C5',
      stateView: '0x76Fd297e2D437cd7f76d50F01AfE6160f86e9990',
      universalRouter: '0x8B844f885672f333Bc0042cB669255f93a4C1E6b',
      pools: PUBLIC_V4_POOLS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    aggregators: PUBLIC_AGGREGATORS,
    priceFeeds: {
      'eth/usd': feed('0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', DAY),
      'btc/usd': feed('0x6ce185860a4963106506C203335A2910413708e9', DAY),
      'usdc/usd': feed('0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3', DAY),
      'usdt/usd': feed('0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7', DAY),
      'dai/usd': feed('0xc5C8E77B397E531B8EC06BFb0048328B30E9eCfB', DAY),
      'eur/usd': feed('0xA14d53bC1F1c0F31B4aA3BD109344E5009051a84', DAY),
      'link/usd': feed('0x86E53CF1B870786351Da77A57575e79CB55812CB', HOUR),
      'arb/usd': feed('0xb2A824043730FE05F3DA2efaFa1CBbe83fa548D6', DAY),
      'aave/usd': feed('0xaD1d5344AaDE45F43E596773Bcc4c423EAbdD034', DAY),
      'uni/usd': feed('0x9C917083fDb403ab5ADbEC26Ee294f6EcAda2720', DAY),
      'wbtc/usd': feed('0xd0C7101eACbB49F3deCcCc166d238410D6D46d57', DAY),
      'gho/usd': feed('0x3c786e934F23375Ca345C9b8D5aD54838796E8e7', DAY),
    },
    sequencerUptimeFeed: '0xFdB631F5EE196F0ed6FAa767959853A9F217697D',
  }),
};

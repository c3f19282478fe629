import type { ChainDefinition } from './chain-definition.js';
import {
  DAY,
  feed,
  MINUTE,
  PUBLIC_AGGREGATORS,
  PUBLIC_FEE_TIERS,
  PUBLIC_PAIRS,
  PUBLIC_V4_POOLS,
  publicContracts,
} from './public-contracts.js';

/** Stablecoins with deep pools. */
const INTERMEDIATE_TOKENS = [
  '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
] as const;

export const polygon: ChainDefinition = {
  name: 'polygon',
  chainId: 137,
  network: 'Polygon',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  explorer: 'https://polygonscan.com',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/polygon.svg',
  nativeIcon: 'matic',
  publicRpc: 'https://polygon-bor-rpc.publicnode.com',
  confirmations: 32,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 5000,
  leastTipGwei: 25,
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'polygon-pos',
  nativeCoingeckoId: 'polygon-ecosystem-token',
  contracts: publicContracts({
    wrappedNative: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
    uniswapV3: {
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      quoterV2: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
      swapRouter02: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV2: {
      factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
      router02: '0xedf6066a2b290C185783862C7F4776A2C8077AD1',
      ...PUBLIC_PAIRS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV4: {
      poolManager: '0x67366782805870060151383F4BbFF9daB53e5cD6',
      quoter: '0xb3d5c3Dfc3a7aEbFF71895A7191796BFFc2c81b9',
      stateView: '0x5eA1bD7974c8A611cBAB0bDCAFcB1D9CC9b3BA5a',
      universalRouter: '0x8B844f885672f333Bc0042cB669255f93a4C1E6b',
      pools: PUBLIC_V4_POOLS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    aggregators: PUBLIC_AGGREGATORS,
    priceFeeds: {
      'pol/usd': feed('0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', MINUTE, 'MATIC / USD'),
      'eth/usd': feed('0xF9680D99D6C9589e2a93a78A04A279e509205945', MINUTE),
      'btc/usd': feed('0xc907E116054Ad103354f2D350FD2514433D57F6f', MINUTE),
      'usdc/usd': feed('0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7', DAY),
      'usdt/usd': feed('0x0A6513e40db6EB1b165753AD52E80663aeA50545', DAY),
      'dai/usd': feed('0x4746DeC9e833A82EC7C2C1356372CcF2cfcD2F3D', DAY),
      'eur/usd': feed('0x73366Fe0AA0Ded304479862808e02506FE556a98', DAY),
      'link/usd': feed('0xd9FFdb71EbE7496cC440152d43986Aae0AB76665', MINUTE),
      'aave/usd': feed('0x72484B12719E23115761D5DA1646945632979bB6', MINUTE),
      'wbtc/usd': feed('0xDE31F8bFBD8c84b5360CFACCa3539B938dd78ae6', DAY),
    },
  }),
};

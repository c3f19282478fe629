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
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
] as const;

export const ethereum: ChainDefinition = {
  name: 'ethereum',
  chainId: 1,
  network: 'Ethereum',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://etherscan.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/ethereum.svg',
  publicRpc: 'https://ethereum-rpc.publicnode.com',
  confirmations: 12,
  blockTimeMs: 12000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 500,
  leastTipGwei: 0.01,
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'ethereum',
  nativeCoingeckoId: 'ethereum',
  contracts: publicContracts({
    wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    uniswapV3: {
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      quoterV2: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
      swapRouter02: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV2: {
      factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
      router02: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
      ...PUBLIC_PAIRS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV4: {
      poolManager: '0x000000000004444c5dc75cB358380D2e3dE08A90',
      quoter: '0x52F0E24D1c21C8A0cB1e5a5dD6198556BD9E1203',
      stateView: '0x7fFE42C4a5DEeA5b0feC41C94C136Cf115597227',
      universalRouter: '0x4C82D1fBFe28C977cBB58D8C7FF8FCF9F70a2cCA',
      pools: PUBLIC_V4_POOLS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    aggregators: PUBLIC_AGGREGATORS,
    priceFeeds: {
      'eth/usd': feed('0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', HOUR),
      'btc/usd': feed('0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c', HOUR),
      'usdc/usd': feed('0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6', DAY),
      'usdt/usd': feed('0x3E7d1eAB13ad0104d2750B8863b489D65364e32D', DAY),
      'dai/usd': feed('0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9', HOUR),
      'eur/usd': feed('0xb49f677943BC038e9857d61E7d053CaA2C1734C1', DAY),
      'eurc/usd': feed('0x04F84020Fdf10d9ee64D1dcC2986EDF2F556DA11', DAY),
      'cbbtc/usd': feed('0x2665701293fCbEB223D11A08D826563EDcCE423A', DAY),
      'link/usd': feed('0x2c1d072e956AFFC0D435Cb7AC38EF18d24d9127c', HOUR),
      'aave/usd': feed('0x547a514d5e3769680Ce22B2361c10Ea13619e8a9', HOUR),
      'uni/usd': feed('0x553303d460EE0afB37EdFf9bE42922D8FF63220e', HOUR),
      'usde/usd': feed('0xa569d910839Ae8865Da8F8e70FfFb0cBA869F961', DAY),
      'usds/usd': feed('0xfF30586cD0F29eD462364C7e81375FC0C71219b1', DAY),
      'gho/usd': feed('0x3f12643D3f6f874d39C2a4c9f2Cd6f2DbAC877FC', DAY),
      'pyusd/usd': feed('0x8f1dF6D7F2db73eECE86a18b4381F4707b918FB1', DAY),
    },
  }),
};

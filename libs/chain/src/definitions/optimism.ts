import type { ChainDefinition } from './chain-definition.js';
import {
  DAY,
  feed,
  MINUTE,
  OP_STACK_DATA_FEE_ORACLE,
  PUBLIC_AGGREGATORS,
  PUBLIC_FEE_TIERS,
  PUBLIC_PAIRS,
  PUBLIC_V4_POOLS,
  publicContracts,
} from './public-contracts.js';

/** Stablecoins with deep pools. */
const INTERMEDIATE_TOKENS = [
  '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
] as const;

export const optimism: ChainDefinition = {
  name: 'optimism',
  chainId: 10,
  network: 'OP Mainnet',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://optimistic.etherscan.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/optimism.svg',
  publicRpc: 'https://mainnet.optimism.io',
  confirmations: 10,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 50,
  dataFeeOracle: OP_STACK_DATA_FEE_ORACLE,
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'optimistic-ethereum',
  nativeCoingeckoId: 'ethereum',
  contracts: publicContracts({
    wrappedNative: '0x4200000000000000000000000000000000000006',
    uniswapV3: {
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      quoterV2: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
      swapRouter02: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV2: {
      factory: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf',
      router02: '0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2',
      ...PUBLIC_PAIRS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV4: {
      poolManager: '0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3',
      quoter: '0x1f3131A13296FB91C90870043742C3CDBFF1A8d7',
      stateView: '0xc18a3169788F4F75A170290584ECA6395C75Ecdb',
      universalRouter: '0x8B844f885672f333Bc0042cB669255f93a4C1E6b',
      pools: PUBLIC_V4_POOLS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    aggregators: PUBLIC_AGGREGATORS,
    priceFeeds: {
      'eth/usd': feed('0x13e3Ee699D1909E989722E753853AE30b17e08c5', 20 * MINUTE),
      'btc/usd': feed('0xD702DD976Fb76Fffc2D3963D037dfDae5b04E593', 20 * MINUTE),
      'usdc/usd': feed('0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3', DAY),
      'usdt/usd': feed('0xECef79E109e997bCA29c1c0897ec9d7b03647F5E', DAY),
      'dai/usd': feed('0x8dBa75e83DA73cc766A7e5a0ee71F656BAb470d6', DAY),
      'eur/usd': feed('0x3626369857A10CcC6cc3A6e4f5C2f5984a519F20', DAY),
      'link/usd': feed('0xCc232dcFAAE6354cE191Bd574108c1aD03f86450', 20 * MINUTE),
      'op/usd': feed('0x0D276FC14719f9292D5C1eA2198673d1f4269246', 20 * MINUTE),
      'aave/usd': feed('0x338ed6787f463394D24813b297401B9F05a8C9d1', 20 * MINUTE),
      'uni/usd': feed('0x11429eE838cC01071402f21C219870cbAc0a59A0', 20 * MINUTE),
      'wbtc/usd': feed('0x718A5788b89454aAE3A028AE9c111A29Be6c2a6F', DAY),
    },
    sequencerUptimeFeed: '0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389',
  }),
};

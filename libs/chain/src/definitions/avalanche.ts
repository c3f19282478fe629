import type { ChainDefinition } from './chain-definition.js';
import {
  DAY,
  feed,
  PUBLIC_AGGREGATORS,
  PUBLIC_FEE_TIERS,
  PUBLIC_PAIRS,
  PUBLIC_V4_POOLS,
  publicContracts,
} from './public-contracts.js';

/** Stablecoins with deep pools. */
const INTERMEDIATE_TOKENS = [
  '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
] as const;

export const avalanche: ChainDefinition = {
  name: 'avalanche',
  chainId: 43114,
  network: 'Avalanche',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  explorer: 'https://snowtrace.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/avalanche.svg',
  publicRpc: 'https://api.avax.network/ext/bc/C/rpc',
  confirmations: 2,
  blockTimeMs: 1700,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 1000,
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'avalanche',
  nativeCoingeckoId: 'avalanche-2',
  contracts: publicContracts({
    wrappedNative: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    uniswapV3: {
      factory: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD',
      quoterV2: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F',
      swapRouter02: '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV2: {
      factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
      router02: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
      ...PUBLIC_PAIRS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV4: {
      poolManager: '0x06380C0e0912312B5150364B9DC4542BA0DbBc85',
      quoter: '0xbE40675BB704506a3c2Ccfb762DCFd1e979845C2',
      stateView: '0xc3c9e198C735a4b97e3e683f391cCBDD60B69286',
      universalRouter: '0x8B844f885672f333Bc0042cB669255f93a4C1E6b',
      pools: PUBLIC_V4_POOLS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    aggregators: PUBLIC_AGGREGATORS,
    priceFeeds: {
      'avax/usd': feed('0x0A77230d17318075983913bC2145DB16C7366156', DAY),
      'eth/usd': feed('0x976B3D034E162d8bD72D6b9C989d545b839003b0', DAY),
      'btc/usd': feed('0x2779D32d5166BAaa2B2b658333bA7e6Ec0C65743', DAY),
      'usdc/usd': feed('0xF096872672F44d6EBA71458D74fe67F9a77a23B9', DAY),
      'usdt/usd': feed('0xEBE676ee90Fe1112671f19b6B7459bC678B67e8a', DAY),
      'dai/usd': feed('0x51D7180edA2260cc4F6e4EebB82FEF5c3c2B8300', DAY),
      'eur/usd': feed('0x192f2DBA961Bb0277520C082d6bfa87D5961333E', DAY),
      'eurc/usd': feed('0x3368310bC4AeE5D96486A73bae8E6b49FcDE62D3', DAY),
      'link/usd': feed('0x49ccd9ca821EfEab2b98c60dC60F518E765EDe9a', DAY),
      'aave/usd': feed('0x3CA13391E9fb38a75330fb28f8cc2eB3D9ceceED', DAY),
      'wbtc/usd': feed('0x86442E3a98558357d46E6182F4b262f76c4fa26F', DAY),
    },
  }),
};

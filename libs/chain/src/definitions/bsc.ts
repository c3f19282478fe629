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
  '0x55d398326f99059fF775485246999027B3197955',
  '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
] as const;

export const bsc: ChainDefinition = {
  name: 'bsc',
  chainId: 56,
  network: 'BNB Smart Chain',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  explorer: 'https://bscscan.com',
  image: 'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/bsc.svg',
  publicRpc: 'https://bsc-rpc.publicnode.com',
  confirmations: 15,
  blockTimeMs: 750,
  finality: 'finalized',
  feeStyle: 'legacy',
  maxFeeGwei: 100,
  leastTipGwei: 0.05,
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'binance-smart-chain',
  nativeCoingeckoId: 'binancecoin',
  contracts: publicContracts({
    wrappedNative: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    uniswapV3: {
      factory: '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
      quoterV2: '0x78D78E420Da98ad378D7799bE8f4AF69033EB077',
      swapRouter02: '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV2: {
      factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      router02: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
      ...PUBLIC_PAIRS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    uniswapV4: {
      poolManager: '0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF',
      quoter: '0x9F75dD27D6664c475B90e105573E550ff69437B0',
      stateView: '0xd13Dd3D6E93f276FAfc9Db9E6BB47C1180aeE0c4',
      universalRouter: '0x8B844f885672f333Bc0042cB669255f93a4C1E6b',
      pools: PUBLIC_V4_POOLS,
      intermediateTokens: INTERMEDIATE_TOKENS,
    },
    aggregators: PUBLIC_AGGREGATORS,
    priceFeeds: {
      'bnb/usd': feed('0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE', MINUTE),
      'eth/usd': feed('0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e', MINUTE),
      'btc/usd': feed('0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf', MINUTE),
      'usdc/usd': feed('0x51597f405303C4377E36123cBc172b13269EA163', 15 * MINUTE),
      'usdt/usd': feed('0xB97Ad0E74fa7d920791E90258A6E2085088b4320', 15 * MINUTE),
      'dai/usd': feed('0x132d3C0B1D2cEa0BC552588063bdBb210FDeecfA', 15 * MINUTE),
      'eur/usd': feed('0x0bf79F617988C472DcA68ff41eFe1338955b9A80', DAY),
      'link/usd': feed('0xca236E327F629f9Fc2c30A4E95775EbF0B89fac8', 15 * MINUTE),
      'aave/usd': feed('0xA8357BF572460fC40f4B0aCacbB2a6A61c89f475', 15 * MINUTE),
      'cake/usd': feed('0xB6064eD41d4f67e353768aA239cA86f4F73665a1', DAY),
      'fdusd/usd': feed('0x390180e80058A8499930F0c13963AD3E0d86Bfc9', DAY),
    },
  }),
};

import { developmentAddresses } from '@bascule/solidity';
import type { ChainContracts } from './chain-definition.js';
import { PUBLIC_PAIRS } from './public-contracts.js';

const {
  multicall3,
  weth,
  oneTimeWalletFactory,
  oneTimeWalletImplementation,
  converter,
  actionRunnerFactory,
  executor,
  intentEscrow,
  attesterOracle,
  uniswapV3Factory,
  quoterV2,
  swapRouter02,
  uniswapV2Factory,
  uniswapV2Router02,
  poolManager,
  v4Quoter,
  stateView,
  universalRouter,
  zeroXAllowanceHolder,
  lifiDiamond,
  usdc,
  priceFeeds,
} = developmentAddresses;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Contracts of the development chains, at the same addresses on each. */
export const developmentContracts: ChainContracts = {
  multicall3,
  wrappedNative: weth,
  oneTimeWalletFactory,
  oneTimeWalletImplementation,
  converter,
  actionRunnerFactory,
  executor,
  intentEscrow,
  attesterOracle,
  uniswapV3: {
    factory: uniswapV3Factory,
    quoterV2,
    swapRouter02,
    feeTiers: [500, 3000, 10_000],
    intermediateTokens: [usdc],
  },
  aggregators: { 'zero-x': zeroXAllowanceHolder, lifi: lifiDiamond },
  priceFeeds: {
    'eth/usd': { address: priceFeeds.ethUsd, heartbeatSeconds: HOUR },
    'btc/usd': { address: priceFeeds.btcUsd, heartbeatSeconds: HOUR },
    'usdc/usd': { address: priceFeeds.usdcUsd, heartbeatSeconds: DAY },
    'usdt/usd': { address: priceFeeds.usdtUsd, heartbeatSeconds: DAY },
  },
};

/** Alphanet's further venues; the other chains do without. */
export const alphanetVenues: Pick<ChainContracts, 'uniswapV2' | 'uniswapV4'> = {
  uniswapV2: {
    factory: uniswapV2Factory,
    router02: uniswapV2Router02,
    ...PUBLIC_PAIRS,
    intermediateTokens: [usdc],
  },
  uniswapV4: {
    poolManager,
    quoter: v4Quoter,
    stateView,
    universalRouter,
    pools: [
      { fee: 500, tickSpacing: 10 },
      { fee: 3000, tickSpacing: 60 },
    ],
    intermediateTokens: [usdc],
  },
};

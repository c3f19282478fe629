import { developmentAddresses } from '@bascule/solidity';
import type { ChainContracts } from './chain-definition.js';

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
  priceFeeds: {
    'eth/usd': { address: priceFeeds.ethUsd, heartbeatSeconds: HOUR },
    'btc/usd': { address: priceFeeds.btcUsd, heartbeatSeconds: HOUR },
    'usdc/usd': { address: priceFeeds.usdcUsd, heartbeatSeconds: DAY },
    'usdt/usd': { address: priceFeeds.usdtUsd, heartbeatSeconds: DAY },
  },
};

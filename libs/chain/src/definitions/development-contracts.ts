import { developmentAddresses } from '@bascule/solidity';
import type { ChainContracts } from '../chain-definition.js';

const {
  multicall3,
  weth,
  oneTimeWalletFactory,
  oneTimeWalletImplementation,
  converter,
  executor,
  intentEscrow,
  attesterOracle,
  uniswapV3Factory,
  quoterV2,
  swapRouter02,
  usdc,
  priceFeeds,
} = developmentAddresses;

/** Every development chain has the same contracts at the same addresses. */
export const developmentContracts: ChainContracts = {
  multicall3,
  wrappedNative: weth,
  oneTimeWalletFactory,
  oneTimeWalletImplementation,
  converter,
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
    'eth/usd': priceFeeds.ethUsd,
    'btc/usd': priceFeeds.btcUsd,
    'usdc/usd': priceFeeds.usdcUsd,
    'usdt/usd': priceFeeds.usdtUsd,
  },
};

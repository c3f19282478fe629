import type { ChainDefinition } from './chain-definition.js';
import { DAY, feed, PUBLIC_FEE_TIERS, publicContracts } from './public-contracts.js';

export const arbitrumsepolia: ChainDefinition = {
  name: 'arbitrumsepolia',
  chainId: 421614,
  network: 'Arbitrum Sepolia',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Arbitrum Sepolia Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://sepolia.arbiscan.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/arbitrum.svg',
  publicRpc: 'https://sepolia-rollup.arbitrum.io/rpc',
  confirmations: 20,
  blockTimeMs: 250,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 50,
  gasIncludesData: true,
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0x980B62Da83eFf3D4576C647993b0c1D7faf17c73',
    uniswapV3: {
      factory: '0x248AB79Bbb9bC29bB72f7Cd42F17e054Fc40188e',
      quoterV2: '0x2779a0CC1c3e0E44D2542EC3e79e3864Ae93Ef0B',
      swapRouter02: '0x101F443B4d1b059569D643917553c771E1b9663E',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: ['0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'],
    },
    priceFeeds: {
      'eth/usd': feed('0xd30e2101a97dcbAeBCBC04F14C3f624E67A35165', DAY),
      'usdc/usd': feed('0x0153002d20B96532C639313c2d54c3dA09109309', DAY),
    },
  }),
};

import type { ChainDefinition } from './chain-definition.js';
import {
  DAY,
  feed,
  OP_STACK_DATA_FEE_ORACLE,
  PUBLIC_FEE_TIERS,
  publicContracts,
} from './public-contracts.js';

export const basesepolia: ChainDefinition = {
  name: 'basesepolia',
  chainId: 84532,
  network: 'Base Sepolia',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://sepolia.basescan.org',
  image: 'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/base.svg',
  publicRpc: 'https://sepolia.base.org',
  confirmations: 5,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 50,
  dataFeeOracle: OP_STACK_DATA_FEE_ORACLE,
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0x4200000000000000000000000000000000000006',
    uniswapV3: {
      factory: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
      quoterV2: '0xC5290058841028F1614F3A6F0F5816cAd0df5E27',
      swapRouter02: '0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
    },
    priceFeeds: {
      'eth/usd': feed('0x4aDC67696bA383F43DD60A9e78F2C97Fbbfc7cb1', DAY),
      'usdc/usd': feed('0xd30e2101a97dcbAeBCBC04F14C3f624E67A35165', DAY),
    },
  }),
};

import type { ChainDefinition } from './chain-definition.js';
import {
  DAY,
  feed,
  OP_STACK_DATA_FEE_ORACLE,
  PUBLIC_FEE_TIERS,
  publicContracts,
} from './public-contracts.js';

export const optimismsepolia: ChainDefinition = {
  name: 'optimismsepolia',
  chainId: 11155420,
  network: 'OP Sepolia',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://optimism-sepolia.blockscout.com',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/optimism.svg',
  publicRpc: 'https://sepolia.optimism.io',
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
      factory: '0x8CE191193D15ea94e11d327b4c7ad8bbE520f6aF',
      quoterV2: '0x0FBEa6cf957d95ee9313490050F6A0DA68039404',
      swapRouter02: '0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: ['0x5fd84259d66Cd46123540766Be93DFE6D43130D7'],
    },
    priceFeeds: {
      'eth/usd': feed('0x61Ec26aA57019C486B10502285c5A3D4A4750AD7', DAY),
      'usdc/usd': feed('0x6e44e50E3cc14DD16e01C590DC1d7020cb36eD4C', DAY),
    },
  }),
};

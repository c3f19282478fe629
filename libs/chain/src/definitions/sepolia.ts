import type { ChainDefinition } from './chain-definition.js';
import { DAY, feed, PUBLIC_FEE_TIERS, publicContracts } from './public-contracts.js';

export const sepolia: ChainDefinition = {
  name: 'sepolia',
  chainId: 11155111,
  network: 'Sepolia',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://sepolia.etherscan.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/ethereum.svg',
  publicRpc: 'https://ethereum-sepolia-rpc.publicnode.com',
  confirmations: 3,
  blockTimeMs: 12000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 500,
  leastTipGwei: 0.01,
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14',
    uniswapV3: {
      factory: '0x0227628f3F023bb0B980b67D528571c95c6DaC1c',
      quoterV2: '0xEd1f6473345F45b75F8179591dd5bA1888cf2FB3',
      swapRouter02: '0x3bFA4769FB09eefC5a80d6E87c3B9C650f7Ae48E',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: ['0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'],
    },
    priceFeeds: {
      'eth/usd': feed('0x694AA1769357215DE4FAC081bf1f309aDC325306', DAY),
      'usdc/usd': feed('0xA2F78ab2355fe2f984D808B5CeE7FD0A93D5270E', DAY),
    },
  }),
};

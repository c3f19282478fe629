import type { ChainDefinition } from './chain-definition.js';
import { DAY, feed, publicContracts } from './public-contracts.js';

export const bsctestnet: ChainDefinition = {
  name: 'bsctestnet',
  chainId: 97,
  network: 'BNB Smart Chain Testnet',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'BNB', symbol: 'tBNB', decimals: 18 },
  explorer: 'https://testnet.bscscan.com',
  image: 'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/bsc.svg',
  nativeIcon: 'bnb',
  publicRpc: 'https://bsc-testnet-rpc.publicnode.com',
  confirmations: 5,
  blockTimeMs: 750,
  finality: 'finalized',
  feeStyle: 'legacy',
  maxFeeGwei: 100,
  leastTipGwei: 0.1,
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd',
    priceFeeds: {
      'tbnb/usd': feed('0x2514895c72f50D8bd4B4F9b1110F0D6bD2c97526', DAY, 'BNB / USD'),
    },
  }),
};

import type { ChainDefinition } from './chain-definition.js';
import { DAY, feed, publicContracts } from './public-contracts.js';

export const polygonamoy: ChainDefinition = {
  name: 'polygonamoy',
  chainId: 80002,
  network: 'Polygon Amoy',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  explorer: 'https://amoy.polygonscan.com',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/polygon.svg',
  nativeIcon: 'matic',
  publicRpc: 'https://polygon-amoy-bor-rpc.publicnode.com',
  confirmations: 10,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 5000,
  leastTipGwei: 25,
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0x360ad4f9a9A8EFe9A8DCB5f461c4Cc1047E1Dcf9',
    priceFeeds: {
      'pol/usd': feed('0x001382149eBa3441043c1c66972b4772963f5D43', DAY, 'MATIC / USD'),
    },
  }),
};

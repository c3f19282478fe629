import type { ChainDefinition } from './chain-definition.js';
import { DAY, feed, publicContracts } from './public-contracts.js';

export const avalanchefuji: ChainDefinition = {
  name: 'avalanchefuji',
  chainId: 43113,
  network: 'Avalanche Fuji',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Avalanche Fuji', symbol: 'AVAX', decimals: 18 },
  explorer: 'https://testnet.snowtrace.io',
  image:
    'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/avalanche.svg',
  publicRpc: 'https://api.avax-test.network/ext/bc/C/rpc',
  confirmations: 2,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  maxFeeGwei: 1000,
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    priceFeeds: {
      'avax/usd': feed('0x5498BB86BC934c8D34FDA08E81D444153d0D06aD', DAY),
      'usdc/usd': feed('0x97FE42a7E96640D932bbc0e1580c73E705A8EB73', DAY),
    },
  }),
};

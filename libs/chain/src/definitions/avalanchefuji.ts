import type { ChainDefinition } from '../chain-definition.js';
import { publicContracts } from './public-contracts.js';

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
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
  }),
};

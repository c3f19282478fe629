import type { ChainDefinition } from '../chain-definition.js';
import { publicContracts } from './public-contracts.js';

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
  publicRpc: 'https://polygon-amoy-bor-rpc.publicnode.com',
  confirmations: 10,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  nativeTransfers: 'blocks',
  contracts: publicContracts({
    wrappedNative: '0x360ad4f9a9A8EFe9A8DCB5f461c4Cc1047E1Dcf9',
  }),
};

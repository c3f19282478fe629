import type { ChainDefinition } from './chain-definition.js';
import { alphanetVenues, developmentContracts } from './development-contracts.js';

export const alphanet: ChainDefinition = {
  name: 'alphanet',
  chainId: 31337,
  network: 'Alphanet',
  isTestnet: true,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  image:
    'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%201%201%22/%3E',
  publicRpc: 'http://127.0.0.1:8545',
  confirmations: 2,
  blockTimeMs: 1000,
  finality: 'confirmations',
  feeStyle: 'eip1559',
  maxFeeGwei: 1000,
  nativeTransfers: 'trace_block',
  contracts: { ...developmentContracts, ...alphanetVenues },
};

import type { ChainDefinition } from '../chain-definition.js';
import { DAY, feed, MINUTE, PUBLIC_FEE_TIERS, publicContracts } from './public-contracts.js';

export const base: ChainDefinition = {
  name: 'base',
  chainId: 8453,
  network: 'Base',
  isTestnet: false,
  addressFamily: 'EVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorer: 'https://basescan.org',
  image: 'https://raw.githubusercontent.com/lifinance/types/main/src/assets/icons/chains/base.svg',
  publicRpc: 'https://mainnet.base.org',
  confirmations: 10,
  blockTimeMs: 2000,
  finality: 'finalized',
  feeStyle: 'eip1559',
  nativeTransfers: 'blocks',
  coingeckoPlatform: 'base',
  nativeCoingeckoId: 'ethereum',
  contracts: publicContracts({
    wrappedNative: '0x4200000000000000000000000000000000000006',
    uniswapV3: {
      factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
      quoterV2: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
      swapRouter02: '0x2626664c2603336E57B271c5C0b26F421741e481',
      feeTiers: PUBLIC_FEE_TIERS,
      intermediateTokens: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    },
    priceFeeds: {
      'eth/usd': feed('0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', 20 * MINUTE),
      'btc/usd': feed('0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F', 20 * MINUTE),
      'cbbtc/usd': feed('0x07DA0E54543a844a80ABE69c8A12F22B3aA59f9D', 20 * MINUTE),
      'usdc/usd': feed('0x7e860098F58bBFC8648a4311b374B1D669a2bc6B', DAY),
      'usdt/usd': feed('0xf19d560eB8d2ADf07BD6D13ed03e1D11215721F9', DAY),
      'dai/usd': feed('0x591e79239a7d679378eC8c847e5038150364C78F', DAY),
      'eur/usd': feed('0xc91D87E81faB8f93699ECf7Ee9B44D11e1D53F0F', DAY),
      'eurc/usd': feed('0xDAe398520e2B67cd3f27aeF9Cf14D93D927f8250', DAY),
      'link/usd': feed('0x17CAb8FE31E32f08326e5E27412894e49B0f9D65', 20 * MINUTE),
      'aave/usd': feed('0x3d6774EF702A10b20FCa8Ed40FC022f7E4938e07', DAY),
    },
    sequencerUptimeFeed: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433',
  }),
};

import type { ChainDefinition } from '@bascule/chain';
import type { Chain } from '@bascule/contracts';

/** A chain's definition as `GET /chains` shows it. Without an explorer, its public endpoint is the only place to look. */
export const toPublicChain = (definition: ChainDefinition): Chain => ({
  chain_id: { '#': String(definition.chainId) },
  network: definition.network,
  address_family: definition.addressFamily,
  native_currency: definition.nativeCurrency,
  is_testnet: definition.isTestnet,
  explorer: definition.explorer ?? definition.publicRpc,
  image: definition.image,
  rpc: definition.publicRpc,
});

import type { ChainDefinition } from '@bascule/chain';
import type { Chain } from '@bascule/contracts';

/** A chain's definition as `GET /chains` shows it. */
export const toPublicChain = (definition: ChainDefinition): Chain => ({
  chain_id: { '#': String(definition.chainId) },
  network: definition.network,
  address_family: definition.addressFamily,
  native_currency: definition.nativeCurrency,
  is_testnet: definition.isTestnet,
  explorer: definition.explorer,
  image: definition.image,
  rpc: definition.publicRpc,
});

import type { ChainDefinition } from '@bascule/chain';
import type { Chain } from '@bascule/contracts';

/** Converts a chain definition to its `GET /chains` entry. Without an explorer, the public endpoint stands in. */
export const toPublicChain = (definition: ChainDefinition): Chain => ({
  chain_id: { '#': String(definition.chainId) },
  network: definition.network,
  address_family: definition.addressFamily,
  native_currency: definition.nativeCurrency,
  is_testnet: definition.isTestnet,
  explorer: withTrailingSlash(definition.explorer ?? definition.publicRpc),
  image: definition.image,
  rpc: definition.publicRpc,
});

/** Lets clients append `tx/<hash>`. */
const withTrailingSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

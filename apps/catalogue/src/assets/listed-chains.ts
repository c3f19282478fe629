import type { ChainDefinition } from '@bascule/chain';
import type { Chain } from '@bascule/contracts';
import { imageUri } from './image-uri.js';

/** Converts a chain definition to its `GET /chains` entry. Without an explorer, the public endpoint stands in. */
export const toPublicChain = (definition: ChainDefinition): Chain => ({
  chain_id: { '#': String(definition.chainId) },
  network: definition.network,
  address_family: definition.addressFamily,
  native_currency: definition.nativeCurrency,
  is_testnet: definition.isTestnet,
  explorer: linkBase(definition.explorer ?? definition.publicRpc),
  image: imageUri(definition.image),
  rpc: definition.publicRpc,
});

/** Lets clients append `tx/<hash>`: ends with a slash, has neither query nor fragment. */
function linkBase(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/*$/, '/')}`;
}

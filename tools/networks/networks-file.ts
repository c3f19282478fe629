import { join } from 'node:path';
import { chainDefinitions } from '@bascule/chain';
import { format, resolveConfig } from 'prettier';
import { networksDocument, type TokenSymbols } from './document.js';

export const NETWORKS_FILE = join(import.meta.dirname, '../../docs/networks.md');

interface TokenListings {
  tokenListings: (
    chainIds: Record<string, number>,
  ) => Record<string, readonly { symbol: string }[]>;
}

/** Writes the document as the formatter leaves it. */
export async function formattedDocument(): Promise<string> {
  const text = networksDocument(await listedSymbols());
  return format(text, { ...(await resolveConfig(NETWORKS_FILE)), filepath: NETWORKS_FILE });
}

/** Symbols of the tokens that the catalogue lists, from the same data. */
async function listedSymbols(): Promise<TokenSymbols> {
  const module = `${import.meta.dirname}/../token-lists/token-listings.mjs`;
  const { tokenListings } = (await import(module)) as TokenListings;
  const ids = Object.fromEntries(
    Object.values(chainDefinitions).map(({ name, chainId }) => [name, chainId]),
  );
  return Object.fromEntries(
    Object.entries(tokenListings(ids)).map(([chain, tokens]) => [
      chain,
      tokens.map(({ symbol }) => symbol),
    ]),
  );
}

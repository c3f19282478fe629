import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { fiatListings } from './fiat-listings.mjs';
import { tokenListings } from './token-listings.mjs';

const root = join(import.meta.dirname, '../..');
const DATA = 'apps/catalogue/src/assets/data';
const TOKENS_FROM =
  '// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.';
const FIATS_FROM =
  '// From currency-codes (ISO 4217), country-to-currency and CLDR: `npm run tokens` writes it.';

const tokensFile = (listings) => `${TOKENS_FROM}
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = ${JSON.stringify(listings)};
`;

const fiatsFile = (listings) => `${FIATS_FROM}
import type { FiatListing } from '../fiat-listing.js';

/** The fiat currencies that prices and onramps can be in, by lower-case ISO 4217 code. */
export const fiats: Readonly<Record<string, FiatListing>> = ${JSON.stringify(listings)};
`;

const indexFile = (chains) => `${TOKENS_FROM}
import type { TokenListing } from '../token-listing.js';
import { developmentTokens } from './development-tokens.js';
${chains.map((chain) => `import { tokens as ${chain} } from './tokens/${chain}.js';`).join('\n')}

/** By the chain's name, beside its native currency and the wrapped form of that. */
export const tokensByChain: Readonly<Record<string, readonly TokenListing[]>> = {
  alphanet: developmentTokens,
  betanet: developmentTokens,
  deltanet: developmentTokens,
  ${chains.map((chain) => `${chain},`).join('\n')}
};
`;

/** Generated files as [path, text]. */
export async function generatedFiles(chainIds) {
  const tokens = tokenListings(chainIds);
  const files = [
    [`${DATA}/fiats.ts`, fiatsFile(fiatListings())],
    [`${DATA}/tokens.ts`, indexFile(Object.keys(tokens).sort())],
    ...Object.entries(tokens).map(([chain, listings]) => [
      `${DATA}/tokens/${chain}.ts`,
      tokensFile(listings),
    ]),
  ];
  return Promise.all(
    files.map(async ([path, text]) => {
      const absolute = join(root, path);
      return [
        absolute,
        await format(text, { ...(await resolveConfig(absolute)), filepath: absolute }),
      ];
    }),
  );
}

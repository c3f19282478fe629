// `npm run tokens`: writes the fiat currencies and tokens that the catalogue lists, from packages that are kept up to
// date elsewhere and our choice among them. What it wrote is reviewed and committed; nothing of it runs in a service.
import { writeFileSync } from 'node:fs';
import { chainDefinitions } from '@bascule/chain';
import { generatedFiles } from './files.mjs';

const chainIds = Object.fromEntries(
  Object.values(chainDefinitions).map(({ name, chainId }) => [name, chainId]),
);
for (const [path, text] of await generatedFiles(chainIds)) writeFileSync(path, text);

// `npm run networks`: writes docs/networks.md from the definitions of chains.
import { writeFileSync } from 'node:fs';
import { formattedDocument, NETWORKS_FILE } from './networks-file.js';

writeFileSync(NETWORKS_FILE, await formattedDocument());

import type { EndpointClient } from '@bascule/chain';
import { createHash } from 'node:crypto';

/** Names a node by its address, which holds a secret: the same in all replicas. */
export const nodeIdOf = ({ transport: { url = '' } }: EndpointClient): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 16);

import { startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { PaymentStack } from './payment-stack.fixture.js';

/**
 * Starts a stack whose service asks the chain through nodes that are honest until they are told to lie.
 * @param nodes gets the nodes, which the caller stops
 */
export const startBehindNodes = (
  nodes: LyingNode[],
  count: number,
  more: NodeJS.ProcessEnv = {},
): Promise<PaymentStack> =>
  PaymentStack.start(async (rpcUrl) => {
    const started = Array.from({ length: count }, () => startLyingNode(rpcUrl));
    nodes.push(...(await Promise.all(started)));
    const urls = nodes.map(({ url }) => url).join(',');
    return { RPC_URLS_ALPHANET: urls, CONFIRMATIONS_ALPHANET: '2', ...more };
  });

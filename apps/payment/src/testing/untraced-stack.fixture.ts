import { startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { PaymentStack } from './payment-stack.fixture.js';

/** A stack whose chain is read without traces, through one node. */
export async function startUntracedStack(): Promise<{ stack: PaymentStack; node: LyingNode }> {
  let node: LyingNode | undefined;
  const stack = await PaymentStack.start(async (rpcUrl) => {
    node = await startLyingNode(rpcUrl);
    return {
      RPC_URLS_ALPHANET: node.url,
      CONFIRMATIONS_ALPHANET: '2',
      NATIVE_TRANSFERS_ALPHANET: 'blocks',
    };
  });
  if (node === undefined) throw new Error('the stack has started no node');
  return { stack, node };
}

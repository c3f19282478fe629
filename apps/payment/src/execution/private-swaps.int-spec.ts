import type { TokenIdentifier } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 100_000_000n;

describe('payments on a chain with a private endpoint', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let node: LyingNode;
  let relay: LyingNode;

  beforeAll(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      node = await startLyingNode(rpcUrl);
      relay = await startLyingNode(rpcUrl);
      return {
        RPC_URLS_ALPHANET: node.url,
        PRIVATE_RPC_URLS_ALPHANET: relay.url,
        EXECUTION_PRIVATE_MS: '600000',
      };
    });
    service = await stack.startProcess();
  });
  beforeEach(() => {
    node.requests.clear();
    relay.requests.clear();
  });
  afterAll(async () => {
    await stack.stop();
    await Promise.all([node.stop(), relay.stop()]);
  });

  const sentTo = ({ requests }: LyingNode): number => requests.get('eth_sendRawTransaction') ?? 0;

  async function pay(output: TokenIdentifier) {
    const payment = await stack.confirm(service, { input: USDC, output, amount: AMOUNT });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    // The customer's deposit was sent to the node.
    return { node: sentTo(node) > 1, relay: sentTo(relay) > 0 };
  }

  it('shows a swap to no node before its block', async () => {
    expect(await pay(WETH)).toEqual({ node: false, relay: true });
  });

  it('sends a payment without a swap to all nodes', async () => {
    expect(await pay(USDC)).toEqual({ node: true, relay: false });
  });
});

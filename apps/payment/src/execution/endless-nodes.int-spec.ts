import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startEndlessNode } from '@bascule/testing';
import type { EndlessNode } from '@bascule/testing';
import { USDC } from '../testing/a-quote.fixture.js';
import { onChain, PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 200_000_000n;
const WISH = { input: USDC, output: USDC, amount: AMOUNT };
/** Slots of the worker of transactions on a chain. */
const SLOTS = 8;
/** Each read of the node costs 20 s, with its retry. */
const PATIENT = { timeoutMs: 150_000 };

describe('one node of three that does not end its answers', () => {
  let stack: PaymentStack;
  let node: EndlessNode;

  async function start(names: readonly string[]): Promise<void> {
    stack = await PaymentStack.start(async (rpcUrl) => {
      node = await startEndlessNode(rpcUrl);
      return {
        RPC_URLS_ALPHANET: [node.url, rpcUrl, rpcUrl].join(','),
        CONFIRMATIONS_ALPHANET: '2',
      };
    }, names);
  }

  afterEach(async () => {
    await stack.stop();
    await node.stop();
  });

  it.each(['eth_getLogs', 'eth_estimateGas'])('stops no payment by %s', async (method) => {
    await start(['alphanet']);
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    node.endless.add(method);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.node.mine({ blocks: 4 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' }, PATIENT);
    await eventually(() => expect(node.begun()).toBeGreaterThan(0), PATIENT);
  });

  it('stops no payment of another chain by transactions of its own', async () => {
    await start(['alphanet', 'betanet']);
    const service = await stack.startProcess();
    const stuck = await Promise.all(
      Array.from({ length: SLOTS + 2 }, () => stack.confirm(service, WISH)),
    );
    for (const { walletAddress } of stuck) await stack.send(USDC, walletAddress, AMOUNT);
    node.endless.add('eth_getTransactionCount');
    await stack.stopMining();
    await stack.node.mine({ blocks: 3 });
    await eventually(() => expect(node.begun()).toBeGreaterThanOrEqual(SLOTS), PATIENT);

    const token = onChain('betanet', USDC);
    const amount = AMOUNT.toString();
    const payment = await stack.confirmPlan(
      service,
      [
        {
          ...{ chain: 'betanet', input_token: token, input_amount: amount, max_input: amount },
          ...{ fees: [], output_token: token, output_amount: amount, min_output: amount },
        },
      ],
      { input: token, amount: AMOUNT },
    );
    await stack.send(token, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { status: 'COMPLETE' }, PATIENT);
  });
});

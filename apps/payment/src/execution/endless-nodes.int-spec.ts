import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startEndlessNode } from '@bascule/testing';
import type { EndlessNode } from '@bascule/testing';
import { USDC } from '../testing/a-quote.fixture.js';
import { onChain, PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 200_000_000n;
const WISH = { input: USDC, output: USDC, amount: AMOUNT };
/** Slots of the worker of legs, and connections of the pool. */
const SLOTS = 4;
/** Each read of the node costs 20 s, with its retry. */
const PATIENT = { timeoutMs: 150_000 };

describe('one node of three that does not end its answers', () => {
  let stack: PaymentStack;
  let node: EndlessNode;

  beforeEach(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      node = await startEndlessNode(rpcUrl);
      return {
        RPC_URLS_ALPHANET: [node.url, rpcUrl, rpcUrl].join(','),
        CONFIRMATIONS_ALPHANET: '2',
      };
    });
  });
  afterEach(async () => {
    await stack.stop();
    await node.stop();
  });

  it.each(['eth_getLogs', 'eth_estimateGas'])('stops no payment by %s', async (method) => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    node.endless.add(method);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.node.mine({ blocks: 4 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' }, PATIENT);
    await eventually(() => expect(node.begun()).toBeGreaterThan(0), PATIENT);
  });
});

describe('a chain whose only node does not end its answers', () => {
  let stack: PaymentStack;
  let node: EndlessNode;

  beforeEach(async () => {
    stack = await PaymentStack.start(
      async (rpcUrl) => {
        node = await startEndlessNode(rpcUrl);
        return { RPC_URLS_ALPHANET: node.url, DATABASE_POOL_SIZE: String(SLOTS) };
      },
      ['alphanet', 'betanet'],
    );
  });
  afterEach(async () => {
    // The passes that ask it end first: the worker waits for them when it stops.
    await node.stop();
    await stack.stop();
  });

  /** Transactions that were open during the whole request of a leg to the node. */
  const openTransactions = () =>
    stack.sql(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'
         AND xact_start < now() - interval '5 s'`,
    );

  it('holds no connection for its legs: one of another chain is executed, and reads answer', async () => {
    const service = await stack.startProcess();
    const stuck = await Promise.all(
      Array.from({ length: SLOTS + 1 }, () => stack.confirm(service, WISH)),
    );
    node.endless.add('eth_estimateGas');
    for (const { walletAddress } of stuck) await stack.send(USDC, walletAddress, AMOUNT);
    // The node was asked by each slot, and then again after ten seconds.
    await eventually(() => expect(node.begun()).toBeGreaterThan(SLOTS), PATIENT);
    expect(await openTransactions()).toEqual([]);

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
    for (const { id } of stuck) expect((await stack.read(id)).status).toBe('PENDING');
  });
});

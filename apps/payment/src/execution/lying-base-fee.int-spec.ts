import { afterEach, describe, it } from '@jest/globals';
import { startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { numberToHex } from 'viem';
import { USDC } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 200_000_000n;

describe('one node of two that reports a wrong base fee', () => {
  let stack: PaymentStack;
  let liar: LyingNode;

  afterEach(async () => {
    await stack.stop();
    await liar.stop();
  });

  it.each([
    ['of a million gwei', 10n ** 15n],
    ['of nothing', 0n],
  ])('stops no payment by one %s', async (_which, baseFee) => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      liar = await startLyingNode(rpcUrl);
      return { RPC_URLS_ALPHANET: `${liar.url},${rpcUrl}`, CONFIRMATIONS_ALPHANET: '2' };
    });
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount: AMOUNT },
      gasCost: 10n ** 15n,
    });
    liar.lies.set('eth_getBlockByNumber', async ({ params: [at] }, honest) => {
      const { result } = await honest();
      if (at !== 'latest') return { result };
      return { result: { ...(result as object), baseFeePerGas: numberToHex(baseFee) } };
    });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.node.mine({ blocks: 4 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });
});

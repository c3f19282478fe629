import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asksForDataFee, setDataFee, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { numberToHex } from 'viem';
import type { Address } from 'viem';
import { withChains } from '../testing/fast-service.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 200_000_000n;

describe('one node of two that reports a wrong data fee of a rollup', () => {
  let stack: PaymentStack;
  let dataFeeOracle: Address;
  let liar: LyingNode;

  beforeEach(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      dataFeeOracle = await setDataFee(rpcUrl, 1_000n);
      liar = await startLyingNode(rpcUrl);
      return { RPC_URLS_ALPHANET: `${liar.url},${rpcUrl}`, CONFIRMATIONS_ALPHANET: '2' };
    });
  });
  afterEach(async () => {
    await stack.stop();
    await liar.stop();
  });

  it('stops no payment by one of a million ether', async () => {
    const service = await stack.startProcess({}, withChains({ dataFeeOracle }));
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount: AMOUNT },
      gasCost: 10n ** 15n,
    });
    let lies = 0;
    liar.lies.set('eth_call', async ({ params }, honest) => {
      if (!asksForDataFee(params)) return honest();
      lies += 1;
      return { result: numberToHex(10n ** 24n, { size: 32 }) };
    });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.node.mine({ blocks: 4 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(lies).toBeGreaterThan(0);
  });
});

import type { RunningService } from '@bascule/service-host';
import { eventually, falseQuotes, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 100_000_000n;
const WISH = { input: USDC, output: WETH, amount: AMOUNT };

const LIES: [string, (amount: bigint) => bigint | null][] = [
  ['there is no route', () => null],
  ['the route yields a hundredth', (amount) => amount / 100n],
  ['the route yields a hundred times as much', (amount) => amount * 100n],
];

describe('a leg with a conversion', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let liar: LyingNode;
  /** Number of answers that the liar has changed. */
  let told = 0;

  async function start(urlsOf: (rpcUrl: string) => string[]): Promise<void> {
    stack = await PaymentStack.start(async (rpcUrl) => {
      liar = await startLyingNode(rpcUrl);
      return {
        RPC_URLS_ALPHANET: urlsOf(rpcUrl).join(','),
        EXECUTION_PATIENCE_MS: '500',
        EXECUTION_RETRY_MS: '100',
      };
    });
    service = await stack.startProcess();
  }
  const lie = (change: (amount: bigint) => bigint | null): void => {
    told = 0;
    liar.lies.set('eth_call', async (call, honest) => {
      let isChanged = false;
      const changing = falseQuotes((amount) => {
        isChanged = true;
        return change(amount);
      });
      const answer = await changing(call, honest);
      told += Number(isChanged);
      return answer;
    });
  };
  afterEach(async () => {
    await stack.stop();
    await liar.stop();
  });

  async function funded() {
    const payment = await stack.confirm(service, WISH);
    return { payment, fund: () => stack.send(USDC, payment.walletAddress, AMOUNT) };
  }

  it.each(LIES)('is executed though one node of three says that %s', async (_, change) => {
    await start((rpcUrl) => [liar.url, rpcUrl, rpcUrl]);
    const { payment, fund } = await funded();
    lie(change);
    await fund();
    const done = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(told).toBeGreaterThan(0);
    expect(done.legs[0]?.attempts).toBe(1);
  });

  it('is executed while one node of two does not answer', async () => {
    await start((rpcUrl) => [liar.url, rpcUrl]);
    const { payment, fund } = await funded();
    lie(() => {
      throw new Error('no answer');
    });
    await fund();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(liar.requests.get('eth_call')).toBeGreaterThan(0);
  });

  it('waits while one node of two says that there is no route, and is executed later', async () => {
    await start((rpcUrl) => [liar.url, rpcUrl]);
    const { payment, fund } = await funded();
    lie(() => null);
    await fund();
    // More than the tries after which a leg is given up.
    await eventually(() => expect(told).toBeGreaterThan(5), { timeoutMs: 60_000 });
    const waiting = await stack.read(payment.id);
    expect([waiting.status, waiting.legs[0]?.failure ?? null]).toEqual(['PENDING', null]);
    liar.lies.clear();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('fails once two nodes of three say that there is no route', async () => {
    await start((rpcUrl) => [liar.url, liar.url, rpcUrl]);
    const { payment, fund } = await funded();
    lie(() => null);
    await fund();
    const failed = await stack.expectToBecome(payment, { status: 'FAILED' });
    expect(failed.legs[0]?.failure).toMatchObject({ reason: 'unroutable' });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(AMOUNT);
  });
});

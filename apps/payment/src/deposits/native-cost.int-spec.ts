import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { GET_BALANCE } from '../testing/balance-calls.fixture.js';
import { payByContract } from '../testing/contract-payments.fixture.js';
import { copyPayment } from '../testing/copied-payments.fixture.js';
import { NATIVE } from '../testing/payment-stack.fixture.js';
import type { PaymentStack } from '../testing/payment-stack.fixture.js';
import { startUntracedStack } from '../testing/untraced-stack.fixture.js';

const AMOUNT = 10n ** 16n;
const WISH = { input: NATIVE, output: NATIVE, amount: AMOUNT };

describe('the requests of a chain without traces', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let node: LyingNode;

  beforeEach(async () => {
    ({ stack, node } = await startUntracedStack());
    service = await stack.startProcess();
  });
  afterEach(async () => {
    await stack.stop();
    await node.stop();
  });

  /** Counts calls that read balances, by block. */
  function countLooks(): Map<unknown, number> {
    const looks = new Map<unknown, number>();
    node.lies.set('eth_call', ({ params }, honest) => {
      const [call, block] = params as [{ data: string }, unknown];
      // Legs read single balances.
      if (call.data.split(GET_BALANCE).length > 100) looks.set(block, (looks.get(block) ?? 0) + 1);
      return honest();
    });
    return looks;
  }

  it('are one for each 500 open wallets and final block', async () => {
    const payment = await stack.confirm(service, WISH);
    await copyPayment(stack, payment, 1_700);
    const looks = countLooks();
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    // The first look may have begun with fewer wallets, the last one may not be over.
    const whole = await eventually(() => {
      const counts = [...looks.values()].slice(1, -1);
      expect(counts.length).toBeGreaterThan(2);
      return Promise.resolve(counts);
    });
    expect(new Set(whole)).toEqual(new Set([4]));
  });

  it('are at most ten for a final block, while all wallets have their turn', async () => {
    const payment = await stack.confirm(service, { ...WISH, expirationSeconds: 700 });
    await copyPayment(stack, await stack.confirm(service, WISH), 7_000);
    const looks = countLooks();
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(Math.max(...looks.values())).toBeLessThanOrEqual(10);
    expect(looks.size).toBeGreaterThan(1);
  });

  it('read and trace a block once, however many wallets a contract pays in it', async () => {
    const payments: PaymentRecord[] = [];
    for (let count = 0; count < 5; count++) payments.push(await stack.confirm(service, WISH));
    const traced: unknown[] = [];
    const read: unknown[] = [];
    node.lies.set('trace_block', ({ params: [block] }, honest) => {
      traced.push(block);
      return honest();
    });
    node.lies.set('eth_getBlockByNumber', ({ params: [block, isFull] }, honest) => {
      if (isFull === true) read.push(block);
      return honest();
    });
    const paid = payments.map(({ walletAddress: to }) => ({ to, value: AMOUNT }));
    const hash = await payByContract(stack, paid);
    for (const payment of payments) await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    const inBlock = (blocks: unknown[]) => blocks.filter((it) => it === numberToHex(blockNumber));
    expect(inBlock(traced)).toHaveLength(1);
    // The scanner reads it, too.
    expect(inBlock(read)).toHaveLength(2);
  });

  it('ask for receipts of matched transactions only', async () => {
    const payment = await stack.confirm(service, WISH);
    await stack.stopMining();
    const stranger = privateKeyToAddress(generatePrivateKey());
    for (let count = 0; count < 30; count++) await stack.alphanet.submit(NATIVE, stranger, 1n);
    await stack.alphanet.submit(NATIVE, payment.walletAddress, 1n);
    const head = await stack.node.getBlockNumber();
    node.requests.clear();
    await stack.node.mine({ blocks: 1 });
    await eventually(async () => {
      expect((await stack.read(payment.id)).deposits).toHaveLength(1);
    });
    const { transactions } = await stack.node.getBlock({ blockNumber: head + 1n });
    expect(transactions).toHaveLength(31);
    expect(node.requests.get('eth_getTransactionReceipt')).toBe(1);
    expect(node.requests.get('eth_getLogs')).toBeLessThanOrEqual(2);
    await stack.resumeMining();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts } from '@bascule/local-stack';
import type { RunningService } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
import { deploySafe, eventually, SanctionedFile } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { getAddress } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { payByContract, submitByContract } from '../testing/contract-payments.fixture.js';
import { NATIVE } from '../testing/payment-stack.fixture.js';
import type { PaymentStack } from '../testing/payment-stack.fixture.js';
import { startUntracedStack } from '../testing/untraced-stack.fixture.js';

const AMOUNT = 10n ** 16n;
const WISH = { input: NATIVE, output: NATIVE, amount: AMOUNT };
const MULTICALL = developmentAddresses.multicall3.toLowerCase();
const NO_METHOD = { error: { code: -32601, message: 'the method does not exist' } };

describe('native currency from a contract on a chain without traces', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let node: LyingNode;

  beforeAll(async () => {
    ({ stack, node } = await startUntracedStack());
  });
  afterEach(async () => {
    node.lies.clear();
    await stack.stopServices();
    await stack.resumeMining();
  });
  afterAll(async () => {
    await stack.stop();
    await node.stop();
  });

  const depositsOf = async ({ id }: PaymentRecord) => {
    const { deposits } = await stack.read(id);
    return deposits.map(({ amount, sender }) => [amount, sender]);
  };

  /** Makes the node refuse to trace. */
  function refuseTraces(): void {
    for (const method of ['trace_block', 'debug_traceBlockByHash']) {
      node.lies.set(method, () => Promise.resolve(NO_METHOD));
    }
  }

  /** Waits until all blocks up to the newest are final for the scanner. */
  async function untilFinal(): Promise<void> {
    const head = await stack.node.getBlockNumber();
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      const [cursor] = await stack.sql<{ final: string }>(
        'SELECT confirmed_block_number AS final FROM chain_cursors',
      );
      expect(BigInt(cursor?.final ?? 0)).toBeGreaterThanOrEqual(head);
    });
  }

  it('funds a payment, and names its transaction and sender', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const hash = await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    const now = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(now.deposits).toMatchObject([
      { amount: AMOUNT, sender: MULTICALL, transactionHash: hash, confirmed: true },
    ]);
  });

  it('funds a payment from a Safe', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const owner = privateKeyToAccount(developmentAccounts[4].privateKey);
    const safe = await deploySafe(node.url, [owner.address], 1);
    await stack.send(NATIVE, safe.address, AMOUNT);
    const data = safe.payment(owner.address, getAddress(payment.walletAddress), AMOUNT);
    await stack.alphanet.mined(
      await stack.wallet(owner).sendTransaction({ to: safe.address, data }),
    );
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await depositsOf(payment)).toEqual([[AMOUNT, safe.address.toLowerCase()]]);
  });

  it('is found by the tracer of geth, too', async () => {
    node.lies.set('trace_block', () => Promise.resolve(NO_METHOD));
    node.lies.set('debug_traceBlockByHash', async ({ params }) => {
      const block = await stack.node.getBlock({ blockHash: params[0] as Hex });
      const trace = (hash: Hex) =>
        stack.node.request<{ Parameters: unknown[]; ReturnType: object }>({
          method: 'debug_traceTransaction',
          params: [hash, { tracer: 'callTracer' }],
        });
      const result = await Promise.all(
        block.transactions.map(async (txHash) => ({ txHash, result: await trace(txHash) })),
      );
      return { result };
    });
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    const now = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(now.deposits).toMatchObject([
      { amount: AMOUNT, sender: MULTICALL, position: expect.stringMatching(/^call:/) },
    ]);
  });

  it('counts once beside a plain transfer and other payments in its block', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const other = await stack.confirm(service, WISH);
    await stack.stopMining();
    await stack.alphanet.submit(NATIVE, payment.walletAddress, AMOUNT / 4n);
    await submitByContract(stack, [
      { to: payment.walletAddress, value: AMOUNT / 4n },
      { to: other.walletAddress, value: AMOUNT },
      { to: payment.walletAddress, value: AMOUNT / 2n },
    ]);
    await stack.node.mine({ blocks: 1 });
    await stack.resumeMining();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    const faucet = privateKeyToAddress(developmentAccounts[0].privateKey).toLowerCase();
    expect(await depositsOf(payment)).toEqual([
      [AMOUNT / 4n, faucet],
      [AMOUNT / 4n, MULTICALL],
      [AMOUNT / 2n, MULTICALL],
    ]);
    expect(await depositsOf(other)).toEqual([[AMOUNT, MULTICALL]]);
  });

  it('is found in each of several blocks between two looks', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await untilFinal();
    await stack.stopServices();
    for (let part = 0; part < 4; part++) {
      await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT / 4n }]);
      await stack.node.mine({ blocks: 3 });
    }
    service = await stack.startProcess();
    const now = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const blocks = new Set(now.deposits.map(({ blockNumber }) => blockNumber));
    expect([now.deposits.length, blocks.size]).toEqual([4, 4]);
  });

  it('is undone by a reorg of final blocks, and counts once in its new block', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.stopMining();
    await submitByContract(stack, [{ to: payment.walletAddress, value: AMOUNT / 2n }]);
    await stack.node.mine({ blocks: 3 });
    await stack.expectToBecome(payment, { funded: true });
    await stack.reorganise(4);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { funded: false, deposits: [] });
    await submitByContract(stack, [{ to: payment.walletAddress, value: AMOUNT / 2n }]);
    await stack.node.mine({ blocks: 3 });
    await stack.expectToBecome(payment, { funded: true });
    await untilFinal();
    expect(await depositsOf(payment)).toEqual([[AMOUNT / 2n, MULTICALL]]);
  });

  it('counts nothing twice while a leg takes the money in the same blocks', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.send(NATIVE, payment.walletAddress, AMOUNT);
    const extra = payByContract(stack, [{ to: payment.walletAddress, value: 7n }]);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    await extra;
    await untilFinal();
    const deposits = await depositsOf(payment);
    const sum = deposits.reduce((total, [amount]) => total + (amount as bigint), 0n);
    const left = await stack.balance(NATIVE, payment.walletAddress);
    expect(left).toBe(7n);
    expect([AMOUNT, AMOUNT + left]).toContain(sum);
  });

  it('counts once when the blocks are read again with traces', async () => {
    refuseTraces();
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT / 2n }]);
    await stack.expectToBecome(payment, { funded: true });
    await stack.stopServices();
    node.lies.clear();
    await stack.sql('TRUNCATE chain_cursors, scanned_blocks');
    service = await stack.startProcess({ NATIVE_TRANSFERS_ALPHANET: 'trace_block' });
    await untilFinal();
    expect(await depositsOf(payment)).toEqual([[AMOUNT / 2n, null]]);
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT / 2n }]);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await depositsOf(payment)).toEqual([
      [AMOUNT / 2n, null],
      [AMOUNT / 2n, MULTICALL],
    ]);
  });

  it('is found in blocks that were scanned before traces were configured', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.stopMining();
    await submitByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await stack.node.mine({ blocks: 1 });
    const head = await stack.node.getBlockNumber();
    await eventually(async () => {
      const rows = await stack.sql('SELECT FROM chain_cursors WHERE block_number = $1', [head]);
      expect(rows).toHaveLength(1);
    });
    await stack.stopServices();
    service = await stack.startProcess({ NATIVE_TRANSFERS_ALPHANET: 'trace_block' });
    await stack.resumeMining();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('in time counts although the deadline has passed when it is scanned', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, { ...WISH, expirationSeconds: 3 });
    await stack.stopServices();
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await eventually(async () => {
      const { timestamp } = await stack.node.getBlock();
      expect(Number(timestamp) * 1000).toBeGreaterThan(payment.initiateFundBy.getTime());
    });
    await stack.startProcess();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('holds up no other payment while nodes hang that should trace, and counts in the end', async () => {
    service = await stack.startProcess();
    let asked = 0;
    const hanging = Promise.withResolvers<object>();
    for (const method of ['trace_block', 'debug_traceBlockByHash']) {
      node.lies.set(method, () => {
        asked += 1;
        return hanging.promise;
      });
    }
    const waiting = await stack.confirm(service, WISH);
    const other = await stack.confirm(service, WISH);
    await payByContract(stack, [{ to: waiting.walletAddress, value: AMOUNT }]);
    await eventually(() => {
      expect(asked).toBeGreaterThan(0);
      return Promise.resolve();
    });
    await stack.send(NATIVE, other.walletAddress, AMOUNT);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    await eventually(
      async () => {
        await stack.node.mine({ blocks: 1 });
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        expect((await stack.read(waiting.id)).status).toBe('COMPLETE');
      },
      { timeoutMs: 90_000 },
    );
    expect(await depositsOf(waiting)).toEqual([[AMOUNT, null]]);
    hanging.resolve(NO_METHOD);
  });

  it('waits for an unknown sender where senders are screened, unless it is accepted', async () => {
    refuseTraces();
    const list = new SanctionedFile();
    const screened = { SCREENING_FILE: list.path };
    service = await stack.startProcess(screened);
    const payment = await stack.confirm(service, WISH);
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await stack.expectToBecome(payment, { senders: 'WAITING', fundedInFullAt: expect.any(Date) });
    await untilFinal();
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING', senders: 'WAITING' });
    await stack.stopServices();
    service = await stack.startProcess({ ...screened, SCREENING_UNKNOWN_SENDERS: 'accept' });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const accepted = await stack.confirm(service, WISH);
    await payByContract(stack, [{ to: accepted.walletAddress, value: AMOUNT }]);
    await stack.expectToBecome(accepted, { status: 'COMPLETE', senders: 'CLEAR' });
  });
});

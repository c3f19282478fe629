import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { GET_BALANCE } from '../testing/balance-calls.fixture.js';
import { payByContract, submitByContract } from '../testing/contract-payments.fixture.js';
import { copyPayment } from '../testing/copied-payments.fixture.js';
import { checkDeadline, minePast, passDeadline } from '../testing/deadlines.fixture.js';
import { NATIVE } from '../testing/payment-stack.fixture.js';
import type { PaymentStack } from '../testing/payment-stack.fixture.js';
import { startUntracedStack } from '../testing/untraced-stack.fixture.js';

const AMOUNT = 10n ** 16n;
const WISH = { input: NATIVE, output: NATIVE, amount: AMOUNT };

describe('the end of funding in native currency on a chain without traces', () => {
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

  /** Makes the node refuse the balances of wallets. */
  const refuseBalances = () =>
    node.lies.set('eth_call', ({ params: [call] }, honest) =>
      JSON.stringify(call).includes(GET_BALANCE)
        ? Promise.resolve({ error: { code: -32_000, message: 'missing trie node' } })
        : honest(),
    );

  it('waits for balances that no node tells while it passes', async () => {
    const payment = await stack.confirm(service, WISH);
    refuseBalances();
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await passDeadline(stack, payment, 60);
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING', deposits: [] });
    node.lies.clear();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('waits for them for an hour at most', async () => {
    const payment = await stack.confirm(service, WISH);
    refuseBalances();
    await passDeadline(stack, payment, 60);
    const tellNothingSince = async (minutes: number) => {
      const sql = `UPDATE chain_cursors SET uncompared_since = now() - $1 * interval '1 minute'
        WHERE uncompared_since IS NOT NULL RETURNING chain`;
      expect(await stack.sql(sql, [minutes])).toHaveLength(1);
    };
    await tellNothingSince(59);
    await passDeadline(stack, payment, 120);
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING' });
    await tellNothingSince(61);
    await stack.expectToBecome(payment, { status: 'EXPIRED' });
  });

  it('waits for its look after that end, whatever crowd ends later', async () => {
    const payment = await stack.confirm(service, WISH);
    await copyPayment(stack, await stack.confirm(service, WISH), 7_600);
    await stack.stopMining();
    const wallet = payment.walletAddress.slice(2).toLowerCase();
    let newest: unknown;
    let isSeen = false;
    node.lies.set('eth_call', ({ params: [call, block] }, honest) => {
      const { data } = call as { data: string };
      if (data.includes(GET_BALANCE)) {
        isSeen = data.includes(wallet) || (isSeen && block === newest);
        newest = block;
      }
      return honest();
    });
    /** Mines a block, and waits for the look at the one before. */
    const look = async (mine: () => Promise<unknown> = () => stack.node.mine({ blocks: 1 })) => {
      await mine();
      const final = (await stack.node.getBlockNumber()) - 1n;
      await eventually(
        async () => {
          const sql = 'SELECT FROM chain_cursors WHERE confirmed_block_number = $1';
          expect(await stack.sql(sql, [final.toString()])).toHaveLength(1);
        },
        { timeoutMs: 60_000 },
      );
      return isSeen;
    };
    // Of four turns, the wallet has the first one.
    for (let turn = 0; !(await look()); turn++) expect(turn).toBeLessThan(8);
    await submitByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    expect(await look()).toBe(false);
    expect(await look(() => minePast(stack, payment, 60))).toBe(false);
    expect(await look()).toBe(true);
    await checkDeadline(stack, payment);
    await stack.resumeMining();
    await stack.expectToBecome(payment, { status: 'COMPLETE' }, { timeoutMs: 60_000 });
  });
});

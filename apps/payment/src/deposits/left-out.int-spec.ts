import { afterEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import {
  decodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
  numberToHex,
  toFunctionSelector,
} from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startBehindNodes } from '../testing/behind-nodes.fixture.js';
import { payByContract } from '../testing/contract-payments.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { NATIVE, type PaymentStack } from '../testing/payment-stack.fixture.js';

const GET_BALANCE = toFunctionSelector('getEthBalance(address)').slice(2);
const ONE_USDC = 1_000_000n;
const ONE_ETHER = 10n ** 18n;
const WISH = { input: USDC, output: USDC, amount: 200n * ONE_USDC };
const NATIVE_WISH = { input: NATIVE, output: USDC, amount: ONE_ETHER };

describe('a chain whose first node leaves things out', () => {
  let stack: PaymentStack;
  let service: RunningService;
  const nodes: LyingNode[] = [];

  async function startWith(count: number, more: NodeJS.ProcessEnv = {}): Promise<void> {
    stack = await startBehindNodes(nodes, count, more);
    service = await stack.startProcess();
  }
  afterEach(async () => {
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  const lie = (method: string, change: (result: unknown) => unknown): void => {
    nodes[0]?.lies.set(method, async (_, honest) => ({
      result: change((await honest()).result),
    }));
  };
  const without = (list: unknown, address: string): unknown =>
    (list as object[]).filter((it) => !JSON.stringify(it).toLowerCase().includes(address));

  /** Has the first node leave a wallet out of all logs, blocks, traces and balances. */
  function hide({ walletAddress }: PaymentRecord): void {
    const address = walletAddress.slice(2).toLowerCase();
    lie('eth_getLogs', (logs) => without(logs, address));
    lie('trace_block', (traces) => without(traces, address));
    lie('eth_getBlockByNumber', (block) => {
      const { transactions, ...rest } = block as { transactions: unknown };
      return { ...rest, transactions: without(transactions, address) };
    });
    nodes[0]?.lies.set('eth_call', async ({ params: [call] }, honest) => {
      const { data = '0x', input = data } = call as { data?: Hex; input?: Hex };
      if (!input.includes(address) || !input.includes(GET_BALANCE)) return honest();
      const { args } = decodeFunctionData({ abi: multicall3Abi, data: input });
      const returnData = numberToHex(0, { size: 32 });
      const [calls] = args as readonly [readonly unknown[]];
      const result = calls.map(() => ({ success: true, returnData }));
      return {
        result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
      };
    });
  }
  const leftOut = async (): Promise<number> => {
    const metrics = await service.app.get(ServiceContext).metrics.metrics();
    const [, value] = /payment_scanner_left_out_total\{[^}]*\} (\d+)/.exec(metrics) ?? [];
    return Number(value);
  };

  it.each([
    ['a token', 'trace_block', WISH],
    ['native currency', 'trace_block', NATIVE_WISH],
    ['native currency', 'blocks', NATIVE_WISH],
  ])('hides no transfer of %s where blocks are read by %s', async (_, way, wish) => {
    await startWith(2, { NATIVE_TRANSFERS_ALPHANET: way });
    expect(await leftOut()).toBe(0);
    const payment = await stack.confirm(service, wish);
    hide(payment);
    const hash = await stack.send(wish.input, payment.walletAddress, wish.amount);
    await stack.node.mine({ blocks: 2 });
    const deposits = [{ transactionHash: hash, amount: wish.amount }];
    await stack.expectToBecome(payment, { deposits });
    expect(await leftOut()).toBe(1);
    nodes[0]?.lies.clear();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('hides no money that a contract sends', async () => {
    await startWith(3, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const payment = await stack.confirm(service, NATIVE_WISH);
    hide(payment);
    await payByContract(stack, [{ to: payment.walletAddress, value: ONE_ETHER }]);
    await stack.expectToBecome(payment, { deposits: [{ amount: ONE_ETHER }] });
  });

  it('hides no withdrawal', async () => {
    await startWith(2);
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await stack.confirm(service, { ...WISH, owner: owner.address });
    const amount = 100n * ONE_USDC;
    await stack.send(USDC, payment.walletAddress, amount);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }] });
    hide(payment);
    await withdrawFromOutside(stack, payment, owner, { token: USDC, amount, acceptBlame: true });
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
  });

  it('hides nothing for longer than the other one is away', async () => {
    await startWith(2);
    const payment = await stack.confirm(service, WISH);
    hide(payment);
    const [, other] = nodes;
    const fails = () => Promise.resolve({ error: { code: -32_000, message: 'away' } });
    let asked = 0;
    other?.lies.set('eth_getLogs', () => {
      asked += 1;
      return fails();
    });
    const hash = await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 2 });
    await eventually(() => expect(asked).toBeGreaterThan(0));
    const { number } = await stack.node.getBlock();
    await eventually(async () => {
      const cursors = await stack.sql(
        'SELECT 1 FROM chain_cursors WHERE confirmed_block_number >= $1',
        [(number - 1n).toString()],
      );
      expect(cursors).toHaveLength(1);
    });
    expect(await stack.read(payment.id)).toMatchObject({ deposits: [] });
    other?.lies.clear();
    await eventually(
      async () => {
        await stack.node.mine({ blocks: 1 });
        const { deposits } = await stack.read(payment.id);
        expect(deposits).toMatchObject([{ transactionHash: hash }]);
      },
      { timeoutMs: 60_000 },
    );
  });
});

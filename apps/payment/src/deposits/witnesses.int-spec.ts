import { Chain } from '@bascule/chain';
import { afterEach, describe, expect, it } from '@jest/globals';
import { developmentAccounts } from '@bascule/local-stack';
import type { RunningService } from '@bascule/service-host';
import { developmentAddresses, oneTimeWalletAbi, withdrawalNonce } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  getAbiItem,
  getAddress,
  isHex,
  multicall3Abi,
  numberToHex,
  toFunctionSelector,
} from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { payByContract } from '../testing/contract-payments.fixture.js';
import { startBehindNodes } from '../testing/behind-nodes.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { NATIVE, type PaymentStack } from '../testing/payment-stack.fixture.js';
import { SINGLE_DEPOSITS } from './deposit-room.js';
import { DepositWitnessesService } from './deposit-witnesses.service.js';
import { DepositsService } from './deposits.service.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';

const ONE_USDC = 1_000_000n;
const WISH = { input: USDC, output: USDC, amount: 200n * ONE_USDC };
const OTHER: Hex = `0x${'ab'.repeat(20)}`;
const NOWHERE: Hex = `0x${'fe'.repeat(32)}`;

interface LogsQuery {
  blockHash?: Hex;
  toBlock?: Hex;
  topics?: unknown[];
}

interface InventedLog {
  blockHash: Hex;
  blockNumber: Hex;
}
const BALANCE_OF = toFunctionSelector('balanceOf(address)');

const topicOf = (address: string): Hex =>
  encodeAbiParameters([{ type: 'address' }], [getAddress(address)]);

const isSame = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

describe('a chain whose first node lies', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let liar: LyingNode;
  const nodes: LyingNode[] = [];

  /** Starts the service with the liar and honest nodes. */
  async function startWith(honest: number, more: NodeJS.ProcessEnv = {}): Promise<void> {
    stack = await startBehindNodes(nodes, 1 + honest, more);
    const [first] = nodes;
    if (!first) throw new Error('no nodes');
    liar = first;
    service = await stack.startProcess();
  }

  /** Adds logs to the first block, or range of blocks, of which the liar is asked for these events. */
  function invent(
    isMeant: (query: LogsQuery) => boolean,
    logs: readonly object[],
    firstIndex = 90,
  ): () => readonly InventedLog[] {
    let place: string | undefined;
    let invented: InventedLog[] = [];
    liar.lies.set('eth_getLogs', async ({ params }, honest) => {
      const given = await honest();
      const query = params[0] as LogsQuery;
      if (!isMeant(query)) return given;
      const asked = query.blockHash ?? query.toBlock;
      place ??= asked;
      if (asked !== place) return given;
      const block = await stack.node.getBlock(
        query.blockHash === undefined
          ? { blockNumber: BigInt(query.toBlock ?? 0) }
          : { blockHash: query.blockHash },
      );
      const about = {
        ...{ blockHash: block.hash, blockNumber: numberToHex(block.number), removed: false },
        ...{ transactionHash: NOWHERE, transactionIndex: '0x0' },
      };
      invented = logs.map((log, n) => ({
        ...log,
        ...about,
        logIndex: numberToHex(firstIndex + n),
      }));
      return { result: [...(given.result as object[]), ...invented] };
    });
    return () => invented;
  }
  /** Invents a deposit in parts of one transaction, with a receipt if wished. */
  async function inventDepositOf(
    { walletAddress }: PaymentRecord,
    { amount = WISH.amount, parts = 1n, hasReceipt = false, firstIndex = 90 } = {},
  ): Promise<void> {
    const args = { from: OWNER, to: getAddress(walletAddress) } as const;
    const log = {
      address: developmentAddresses.usdc,
      topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args }),
      data: encodeAbiParameters([{ type: 'uint256' }], [amount / parts]),
    };
    const logs = Array.from({ length: Number(parts) }, () => log);
    const invented = invent(({ blockHash }) => blockHash !== undefined, logs, firstIndex);
    if (hasReceipt) {
      liar.lies.set('eth_getTransactionReceipt', async ({ params: [hash] }, honest) => {
        const [first] = invented();
        return hash === NOWHERE && first !== undefined ? receiptOf(first) : honest();
      });
    }
    // The scanner asks for the logs of blocks with transactions only.
    await stack.send(USDC, OWNER, 1n);
  }
  /** Has the liar say of all transactions and logs that pay a wallet that another one has sent them, or of those of an amount. */
  function inventSenderTo({ walletAddress }: PaymentRecord, amount?: bigint): void {
    const wallet = topicOf(walletAddress);
    const isMeant = (data: unknown) => amount === undefined || BigInt(data as Hex) === amount;
    const bent = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(bent);
      if (typeof value !== 'object' || value === null) return value;
      const { topics, logs, transactions, ...others } = value as Record<string, unknown>;
      const [event, , to] = (topics ?? []) as Hex[];
      return {
        ...others,
        ...(topics !== undefined && {
          topics: to === wallet && isMeant(others['data']) ? [event, topicOf(OTHER), to] : topics,
        }),
        ...(logs !== undefined && { logs: bent(logs) }),
        ...(transactions !== undefined && { transactions: bent(transactions) }),
        ...(isSame(others['to'], walletAddress) && { from: OTHER }),
      };
    };
    for (const method of [
      'eth_getBlockByNumber',
      'eth_getLogs',
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
    ]) {
      liar.lies.set(method, async (_call, honest) => {
        const { result, ...given } = await honest();
        return { ...given, result: bent(result) };
      });
    }
  }
  /** Has the liar show what pays a wallet as a payment of one unit to another one, too. */
  function copyTo(
    { walletAddress: other }: PaymentRecord,
    { walletAddress: wallet }: PaymentRecord,
  ): void {
    liar.lies.set('eth_getBlockByNumber', async (_call, honest) => {
      const { result, ...given } = await honest();
      const block = result as { transactions: ({ to?: string } | string)[] };
      const transactions = block.transactions.flatMap((it) =>
        typeof it === 'object' && isSame(it.to, wallet)
          ? [{ ...it, to: other, value: '0x1' }, it]
          : [it],
      );
      return { ...given, result: { ...block, transactions } };
    });
    liar.lies.set('eth_getLogs', async (_call, honest) => {
      const { result, ...given } = await honest();
      const logs = (result as { topics: Hex[] }[]).flatMap((log) => {
        const [event, from, to] = log.topics;
        const copy = {
          ...log,
          topics: [event, from, topicOf(other)],
          data: numberToHex(1n, { size: 32 }),
        };
        return to === topicOf(wallet) ? [copy, log] : [log];
      });
      return { ...given, result: logs };
    });
  }
  /** Has the liar show a token transfer to a wallet in the next block again, with another amount. */
  async function showAgain(
    hash: Hex,
    { walletAddress }: PaymentRecord,
    amount: bigint,
  ): Promise<void> {
    const { logs } = await stack.node.getTransactionReceipt({ hash });
    const log = logs.find(({ topics }) =>
      topics[2]?.endsWith(walletAddress.slice(2).toLowerCase()),
    );
    if (log === undefined) throw new Error('no transfer');
    liar.lies.set('eth_getLogs', async ({ params: [query] }, honest) => {
      const { result, ...given } = await honest();
      const { blockHash } = query as LogsQuery;
      if (blockHash === undefined || blockHash === log.blockHash) return { ...given, result };
      const { number } = await stack.node.getBlock({ blockHash });
      const shown = {
        ...{ address: log.address, topics: log.topics, transactionHash: hash, blockHash },
        ...{ logIndex: numberToHex(log.logIndex), blockNumber: numberToHex(number) },
        ...{ transactionIndex: '0x0', removed: false, data: numberToHex(amount, { size: 32 }) },
      };
      return { ...given, result: [...(result as object[]), shown] };
    });
    await stack.send(USDC, OWNER, 1n);
  }
  /** Has the liar show what pays a wallet again, with its transaction hash in capitals. */
  function spellAgain({ walletAddress }: PaymentRecord): void {
    const inCapitals = (hash: Hex): Hex => `0x${hash.slice(2).toUpperCase()}`;
    liar.lies.set('eth_getLogs', async (_call, honest) => {
      const { result, ...given } = await honest();
      const logs = (result as { topics: Hex[]; transactionHash: Hex }[]).flatMap((log) =>
        log.topics[2] === topicOf(walletAddress)
          ? [log, { ...log, transactionHash: inCapitals(log.transactionHash) }]
          : [log],
      );
      return { ...given, result: logs };
    });
    liar.lies.set('eth_getBlockByNumber', async (_call, honest) => {
      const { result, ...given } = await honest();
      const block = result as { transactions: ({ to?: string; hash: Hex } | string)[] };
      const transactions = block.transactions.flatMap((it) =>
        typeof it === 'object' && isSame(it.to, walletAddress)
          ? [it, { ...it, hash: inCapitals(it.hash) }]
          : [it],
      );
      return { ...given, result: { ...block, transactions } };
    });
  }
  /** Has the liar show a call that pays a wallet in one block; returns its height once there is one. */
  function inventCallTo(
    { walletAddress: to }: PaymentRecord,
    amount: bigint,
  ): () => bigint | undefined {
    let inventedIn: Hex | undefined;
    liar.lies.set('trace_block', async ({ params: [number] }, honest) => {
      const given = await honest();
      const [first, ...others] = given.result as object[];
      if (first === undefined) return given;
      inventedIn ??= number as Hex;
      if (inventedIn !== number) return given;
      const action = { callType: 'call', from: OWNER, to, value: numberToHex(amount) };
      const invented = { ...first, type: 'call', traceAddress: [7], action };
      return { result: [first, ...others, invented] };
    });
    return () => (inventedIn === undefined ? undefined : BigInt(inventedIn));
  }
  /** Has all nodes refuse balances up to a height. */
  function pruneUpTo(height: () => bigint | undefined): void {
    const error = { code: -32_000, message: 'missing trie node' };
    for (const node of nodes) {
      node.lies.set('eth_getBalance', ({ params: [, block] }, honest) =>
        isHex(block) && BigInt(block) <= (height() ?? -1n) ? Promise.resolve({ error }) : honest(),
      );
    }
  }
  const receiptOf = (log: InventedLog) => ({
    result: {
      ...{ transactionHash: NOWHERE, transactionIndex: '0x0', type: '0x2', status: '0x1' },
      ...{ blockHash: log.blockHash, blockNumber: log.blockNumber, from: OWNER, to: OWNER },
      ...{ logs: [log], logsBloom: `0x${'0'.repeat(512)}`, contractAddress: null },
      ...{ gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' },
    },
  });
  const retryNow = () => stack.sql('UPDATE payment.set_aside_payments SET due_at = now()');
  const attemptsOf = async ({ id }: PaymentRecord): Promise<number> => {
    const sql = 'SELECT attempts FROM payment.set_aside_payments WHERE payment_id = $1';
    return (await stack.sql<{ attempts: number }>(sql, [id]))[0]?.attempts ?? 0;
  };
  /** Has the liar report native currency of a wallet from a block on. */
  function inventBalanceOf({ walletAddress }: PaymentRecord, amount: bigint, from: bigint): void {
    const result = numberToHex(amount);
    liar.lies.set('eth_getBalance', ({ params }, honest) =>
      isSame(params[0], walletAddress) && BigInt(params[1] as Hex) >= from
        ? Promise.resolve({ result })
        : honest(),
    );
    liar.lies.set('eth_call', async ({ params }, honest) => {
      const [{ data }, block] = params as [{ data: Hex }, Hex];
      const given = await honest();
      const wallet = topicOf(walletAddress);
      if (!data.includes(wallet.slice(2)) || BigInt(block) < from) return given;
      const { args } = decodeFunctionData({ abi: multicall3Abi, data });
      const [calls] = args as readonly [readonly { callData: Hex }[]];
      const balances = calls.map(({ callData }) =>
        callData.includes(wallet.slice(2)) ? amount : 0n,
      );
      const values = balances.map((balance) => ({
        success: true,
        returnData: numberToHex(balance, { size: 32 }),
      }));
      const abi = { abi: multicall3Abi, functionName: 'aggregate3', result: values } as const;
      return { result: encodeFunctionResult(abi) };
    });
  }
  const reasonOf = async ({ id }: PaymentRecord): Promise<string | undefined> => {
    const sql = 'SELECT failure FROM payment.set_aside_payments WHERE payment_id = $1';
    return (await stack.sql<{ failure: string }>(sql, [id]))[0]?.failure;
  };
  const untilAside = (payment: PaymentRecord) =>
    eventually(async () => {
      expect(await reasonOf(payment)).toContain('no second node of alphanet confirms');
    });
  /** Waits until money that only one node shows was searched for in vain three times. */
  const untilSearched = ({ id }: PaymentRecord) =>
    eventually(
      async () => {
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        const sql = 'SELECT attempts FROM native_searches WHERE payment_id = $1';
        const [search] = await stack.sql<{ attempts: number }>(sql, [id]);
        expect(search?.attempts ?? 0).toBeGreaterThan(2);
      },
      { timeoutMs: 60_000 },
    );
  /** Waits until it is not set aside any more, and has it retried at once meanwhile. */
  const untilRecorded = (payment: PaymentRecord) =>
    eventually(
      async () => {
        await retryNow();
        expect(await reasonOf(payment)).toBeUndefined();
      },
      { timeoutMs: 60_000 },
    );
  /** Records a deposit that one node has invented in the block of another one. */
  async function recordInvented(
    { id, walletAddress }: PaymentRecord,
    {
      blockNumber: number,
      blockHash,
      blockTimestamp: timestamp,
    }: PaymentRecord['deposits'][number],
    amount: bigint,
  ): Promise<void> {
    const to = getAddress(walletAddress);
    const arrival = {
      ...{ token: developmentAddresses.usdc, from: getAddress(OWNER), to, chain: 'alphanet' },
      ...{ amount, transactionHash: NOWHERE, position: 'log:90' },
      block: { number, hash: blockHash as Hex, timestamp },
    };
    const deposits = service.app.get(DepositsService);
    const described = await deposits.describedArrivals('alphanet', [arrival]);
    const recorder = service.app.get(PaymentRecorderService);
    const record = (manager: EntityManager) => recorder.record(manager, id, described);
    await service.app.get(DataSource).transaction(record);
  }
  async function payAnother(): Promise<void> {
    const other = await stack.confirm(service, WISH);
    await stack.send(USDC, other.walletAddress, WISH.amount);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
  }

  afterEach(async () => {
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  it('has no payment funded by a large deposit that it invents, and pays the others', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    await inventDepositOf(robbed);
    await untilAside(robbed);
    await payAnother();
    expect(await stack.read(robbed.id)).toMatchObject({ status: 'PENDING', funded: false });
    expect(await reasonOf(robbed)).toBeDefined();
  });

  it('confirms no deposit of its own, whichever node is asked first', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    await inventDepositOf(robbed, { hasReceipt: true });
    await untilAside(robbed);
    await eventually(async () => {
      await retryNow();
      expect(await attemptsOf(robbed)).toBeGreaterThan(4);
    });
    expect(await stack.read(robbed.id)).toMatchObject({ status: 'PENDING', funded: false });
  });

  it.each([
    ['a plain transaction', NATIVE, 10n ** 18n],
    ['a token', USDC, WISH.amount],
  ])('has no large deposit of %s confirmed whose sender it invents', async (_, input, amount) => {
    await startWith(1, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const payment = await stack.confirm(service, { input, output: USDC, amount });
    inventSenderTo(payment);
    const hash = await stack.send(input, payment.walletAddress, amount);
    await untilAside(payment);
    await eventually(async () => {
      await retryNow();
      expect(await attemptsOf(payment)).toBeGreaterThan(4);
    });
    const unconfirmed = [{ transactionHash: hash, sender: OTHER, confirmed: false }];
    expect(await stack.read(payment.id)).toMatchObject({ deposits: unconfirmed });
    liar.lies.clear();
    await untilRecorded(payment);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const { from } = await stack.node.getTransaction({ hash });
    const confirmed = [{ transactionHash: hash, sender: from.toLowerCase(), confirmed: true }];
    expect(await stack.read(payment.id)).toMatchObject({ deposits: confirmed });
  });

  it('has a large deposit whose sender it invents recorded with the true one by two others', async () => {
    await startWith(2, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const payment = await stack.confirm(service, WISH);
    inventSenderTo(payment);
    const hash = await stack.send(USDC, payment.walletAddress, WISH.amount);
    await untilAside(payment);
    await untilRecorded(payment);
    const { from } = await stack.node.getTransaction({ hash });
    const sender = from.toLowerCase();
    await stack.expectToBecome(payment, { deposits: [{ sender, confirmed: true }] });
  });

  it.each([
    ['a plain transaction', NATIVE, 10n ** 16n],
    ['a token', USDC, 20n * ONE_USDC],
  ])('keeps %s from no payment by showing it as one to another, too', async (_, input, amount) => {
    await startWith(1, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const payment = await stack.confirm(service, { input, output: USDC, amount });
    const other = await stack.confirm(service, { input, output: USDC, amount });
    copyTo(other, payment);
    const hash = await stack.send(input, payment.walletAddress, amount);
    await stack.expectToBecome(other, { deposits: [{ transactionHash: hash, amount: 1n }] });
    const deposits = [{ transactionHash: hash, amount, confirmed: true }];
    await stack.expectToBecome(payment, { status: 'COMPLETE', deposits });
  });

  it('changes no deposit that two nodes have confirmed by showing it in another block', async () => {
    await startWith(1);
    const payment = await stack.confirm(service, WISH);
    const amount = (WISH.amount * 3n) / 4n;
    const hash = await stack.send(USDC, payment.walletAddress, amount);
    await untilRecorded(payment);
    const deposit = { transactionHash: hash, amount, confirmed: true };
    await stack.expectToBecome(payment, { deposits: [deposit] });
    await showAgain(hash, payment, 10_000n * ONE_USDC);
    await untilAside(payment);
    const { deposits, funded, status } = await stack.read(payment.id);
    expect(deposits).toContainEqual(expect.objectContaining(deposit));
    expect({ status, isFull: funded && status !== 'PENDING' }).toEqual({
      status: 'PENDING',
      isFull: false,
    });
  });

  it('funds no payment by many deposits that are small each', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    await inventDepositOf(robbed, { parts: 40n });
    await untilAside(robbed);
    await payAnother();
    expect(await stack.read(robbed.id)).toMatchObject({ status: 'PENDING', funded: false });
  });

  it('funds no payment by small deposits beside as much true money, which are only summed', async () => {
    await startWith(2);
    const robbed = await stack.confirm(service, WISH);
    for (let count = 0; count < SINGLE_DEPOSITS; count += 1) {
      await stack.send(USDC, robbed.walletAddress, 4n * ONE_USDC);
    }
    await stack.node.mine({ blocks: 2 });
    await untilRecorded(robbed);
    await stack.expectToBecome(robbed, { funded: true });
    await inventDepositOf(robbed, { amount: 100n * ONE_USDC, parts: 40n });
    await untilAside(robbed);
    await untilRecorded(robbed);
    const { status, deposits } = await stack.read(robbed.id);
    expect(status).toBe('PENDING');
    expect(deposits.map(({ amount }) => amount)).toEqual(
      Array.from({ length: SINGLE_DEPOSITS }, () => 4n * ONE_USDC),
    );
    await stack.send(USDC, robbed.walletAddress, 100n * ONE_USDC);
    await stack.expectToBecome(robbed, { status: 'COMPLETE' });
  });

  it('has no deposits confirmed that are only summed whose sender it invents', async () => {
    await startWith(1);
    const payment = await stack.confirm(service, WISH);
    inventSenderTo(payment, 3n * ONE_USDC);
    for (let count = 0; count < SINGLE_DEPOSITS; count += 1) {
      await stack.send(USDC, payment.walletAddress, 4n * ONE_USDC);
    }
    for (let count = 0; count < 34; count += 1) {
      await stack.send(USDC, payment.walletAddress, 3n * ONE_USDC);
    }
    await stack.node.mine({ blocks: 2 });
    await untilAside(payment);
    await payAnother();
    expect(await reasonOf(payment)).toContain('the deposits in block');
    liar.lies.clear();
    await untilRecorded(payment);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('funds no payment by deposits that are small each and confirmed one after the other', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    await inventDepositOf(robbed, { amount: 90n * ONE_USDC });
    await stack.expectToBecome(robbed, { deposits: [{ confirmed: true }] });
    await inventDepositOf(robbed, { amount: 90n * ONE_USDC, firstIndex: 91 });
    await untilAside(robbed);
    await payAnother();
    const { status, deposits } = await stack.read(robbed.id);
    expect({ status, confirmed: deposits.filter(({ confirmed }) => confirmed) }).toMatchObject({
      status: 'PENDING',
      confirmed: [{ amount: 90n * ONE_USDC }],
    });
  });

  it('asks no second node about dust once a large deposit was witnessed', async () => {
    await startWith(1);
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, WISH.amount - ONE_USDC);
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }] });
    const sql = 'SELECT is_witnessed FROM payment.deposits WHERE payment_id = $1';
    expect(await stack.sql(sql, [payment.id])).toEqual([{ is_witnessed: true }]);
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await stack.sql(`${sql} ORDER BY amount`, [payment.id])).toEqual([
      { is_witnessed: false },
      { is_witnessed: true },
    ]);
  });

  it('marks no deposit as witnessed that no second node was asked about', async () => {
    await startWith(1);
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await stack.confirm(service, { ...WISH, owner: owner.address });
    await stack.stopServices();
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    const taken = { token: USDC, amount: ONE_USDC, acceptBlame: true };
    const { hash } = await withdrawFromOutside(stack, payment, owner, taken);
    await stack.alphanet.mined(hash);
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 2 });
    await stack.letLeasesRunOut();
    await stack.startProcess();
    await stack.expectToBecome(payment, {
      deposits: [{ confirmed: true }, { confirmed: true }],
    });
    const sql = `SELECT amount::text, is_witnessed FROM payment.deposits
      WHERE payment_id = $1 ORDER BY block_number`;
    expect(await stack.sql(sql, [payment.id])).toEqual([
      { amount: ONE_USDC.toString(), is_witnessed: false },
      { amount: WISH.amount.toString(), is_witnessed: true },
    ]);
  });

  it('invents no native currency within a real transaction', async () => {
    await startWith(2);
    const wish = { input: NATIVE, output: USDC, amount: 10n ** 18n };
    const robbed = await stack.confirm(service, wish);
    inventCallTo(robbed, wish.amount);
    await stack.send(USDC, OWNER, 1n);
    await untilAside(robbed);
    await payAnother();
    expect(await stack.read(robbed.id)).toMatchObject({ status: 'PENDING', funded: false });
  });

  it.each([
    ['log', USDC, 110n * ONE_USDC, WISH.amount],
    ['plain transaction', NATIVE, 6n * 10n ** 17n, 10n ** 18n],
  ])('has no %s counted twice by another spelling of its hash', async (_, input, paid, amount) => {
    await startWith(2, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const robbed = await stack.confirm(service, { input, output: USDC, amount });
    spellAgain(robbed);
    const hash = await stack.send(input, robbed.walletAddress, paid);
    await stack.node.mine({ blocks: 3 });
    await untilRecorded(robbed);
    await stack.expectToBecome(robbed, { funded: true });
    const { deposits, fundedInFullAt } = await stack.read(robbed.id);
    expect(fundedInFullAt).toBeNull();
    expect(deposits).toMatchObject([{ transactionHash: hash, amount: paid }]);
  });

  it('shows no approval of the wallet as a transfer to it', async () => {
    await startWith(2);
    const robbed = await stack.confirm(service, WISH);
    const [transfer] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
    const event = getAbiItem({ abi: erc20Abi, name: 'Approval' });
    const args = { spender: getAddress(robbed.walletAddress) };
    liar.lies.set('eth_getLogs', async ({ params: [query] }, honest) => {
      const { result, ...given } = await honest();
      const { blockHash } = query as LogsQuery;
      if (blockHash === undefined) return { ...given, result };
      const approvals = await stack.node.getLogs({ blockHash, event, args });
      const shown = approvals.map(({ topics: [, ...addresses], ...log }) => ({
        ...{ address: log.address, topics: [transfer, ...addresses], data: log.data },
        ...{ transactionHash: log.transactionHash, transactionIndex: '0x0', removed: false },
        ...{ blockHash, blockNumber: numberToHex(log.blockNumber) },
        logIndex: numberToHex(log.logIndex),
      }));
      return { ...given, result: [...(result as object[]), ...shown] };
    });
    await stack.wallet(privateKeyToAccount(developmentAccounts[4].privateKey)).writeContract({
      address: developmentAddresses.usdc,
      abi: erc20Abi,
      functionName: 'approve',
      args: [args.spender, WISH.amount],
    });
    await stack.node.mine({ blocks: 2 });
    await untilAside(robbed);
    await untilRecorded(robbed);
    expect(await stack.read(robbed.id)).toMatchObject({ fundedInFullAt: null, deposits: [] });
  });

  it('holds up no large deposit by dust of its block that the second node does not tell', async () => {
    await startWith(1);
    const payment = await stack.confirm(service, WISH);
    const wallet = topicOf(payment.walletAddress);
    nodes[1]?.lies.set('eth_getLogs', ({ params: [query] }, honest) =>
      JSON.stringify(query).includes(wallet)
        ? Promise.resolve({ error: { code: -32_005, message: 'more than 10000 results' } })
        : honest(),
    );
    await stack.stopMining();
    const amounts = [WISH.amount, ...Array.from({ length: SINGLE_DEPOSITS }, () => 1n)];
    for (const amount of amounts) {
      await stack.alphanet.submit(USDC, payment.walletAddress, amount);
    }
    await stack.node.mine({ blocks: 1 });
    await stack.resumeMining();
    await stack.node.mine({ blocks: 3 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const sql = 'SELECT is_summed FROM payment.deposits WHERE payment_id = $1 AND NOT is_witnessed';
    expect(await stack.sql(sql, [payment.id])).toContainEqual({ is_summed: true });
  });

  it('keeps no native currency of a contract unconfirmed by one unit that it has invented', async () => {
    await startWith(1);
    const amount = 10n ** 18n;
    const payment = await stack.confirm(service, { input: NATIVE, output: USDC, amount });
    const { walletAddress: to } = payment;
    inventCallTo(payment, 1n);
    await stack.send(USDC, OWNER, 1n);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { deposits: [{ amount: 1n, confirmed: true }] });
    liar.lies.clear();
    const old = (await stack.node.getBlockNumber()) + 4n;
    pruneUpTo(() => old);
    await payByContract(stack, [{ to, value: amount }]);
    await stack.node.mine({ blocks: 8 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('invents no native currency beside as much true money where no node has old states', async () => {
    await startWith(1);
    const wish = { input: NATIVE, output: USDC, amount: 10n ** 18n };
    const robbed = await stack.confirm(service, wish);
    const { walletAddress: to } = robbed;
    const half = wish.amount / 2n;
    await stack.send(NATIVE, to, half);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(robbed, { deposits: [{ amount: half, confirmed: true }] });
    pruneUpTo(inventCallTo(robbed, half));
    await stack.send(USDC, OWNER, 1n);
    await stack.node.mine({ blocks: 4 });
    await untilAside(robbed);
    await untilRecorded(robbed);
    const { status, fundedInFullAt, deposits } = await stack.read(robbed.id);
    expect({ status, fundedInFullAt, deposits }).toMatchObject({
      ...{ status: 'PENDING', fundedInFullAt: null, deposits: [{ amount: half }] },
    });
    await stack.send(NATIVE, to, half);
    await stack.node.mine({ blocks: 2 });
    await untilRecorded(robbed);
    await stack.expectToBecome(robbed, { status: 'COMPLETE' });
  });

  it('loses the deposit that it invents once two nodes deny it', async () => {
    await startWith(2);
    const robbed = await stack.confirm(service, WISH);
    await inventDepositOf(robbed);
    await untilAside(robbed);
    await untilRecorded(robbed);
    expect(await stack.read(robbed.id)).toMatchObject({ status: 'PENDING', deposits: [] });
    await stack.send(USDC, robbed.walletAddress, WISH.amount);
    await stack.expectToBecome(robbed, { status: 'COMPLETE' });
  });

  it('has no payment funded by a large balance that it invents', async () => {
    await startWith(1, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const wish = { input: NATIVE, output: NATIVE, amount: 10n ** 17n };
    const robbed = await stack.confirm(service, wish);
    const from = await stack.node.getBlockNumber();
    inventBalanceOf(robbed, wish.amount, from + 1n);
    await untilSearched(robbed);
    await payAnother();
    const { status, deposits } = await stack.read(robbed.id);
    expect({ status, deposits }).toEqual({ status: 'PENDING', deposits: [] });
    liar.lies.clear();
  });

  it('has no large balance confirmed that it invents while the other node is away', async () => {
    await startWith(1, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const wish = { input: NATIVE, output: NATIVE, amount: 10n ** 17n };
    const robbed = await stack.confirm(service, wish);
    const away = () => Promise.resolve({ error: { code: -32_005, message: 'limit exceeded' } });
    nodes[1]?.lies.set('eth_getBalance', away);
    inventBalanceOf(robbed, wish.amount, (await stack.node.getBlockNumber()) + 1n);
    await untilAside(robbed);
    await payAnother();
    expect(await stack.read(robbed.id)).toMatchObject({
      ...{ status: 'PENDING', fundedInFullAt: null },
      deposits: [{ amount: wish.amount, confirmed: false }],
    });
  });

  it('holds no deadline by a balance that it invents, beside a node that is a block behind', async () => {
    await startWith(2, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const wish = { input: NATIVE, output: NATIVE, amount: 10n ** 17n };
    const attacked = await stack.confirm(service, wish);
    nodes[2]?.lies.set('eth_blockNumber', async (_, honest) => {
      const { result } = await honest();
      return { result: numberToHex(BigInt(result as Hex) - 1n) };
    });
    inventBalanceOf(attacked, wish.amount, (await stack.node.getBlockNumber()) + 1n);
    await stack.node.mine({ blocks: 3 });
    await eventually(
      async () => {
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        const sql = 'SELECT is_explained FROM native_searches WHERE payment_id = $1';
        expect(await stack.sql(sql, [attacked.id])).toEqual([{ is_explained: true }]);
      },
      { timeoutMs: 60_000 },
    );
  });

  it('counts no balance twice beside a real deposit in its block', async () => {
    await startWith(1, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const half = 10n ** 17n;
    const wish = { input: NATIVE, output: NATIVE, amount: 2n * half };
    const robbed = await stack.confirm(service, wish);
    const from = await stack.node.getBlockNumber();
    inventBalanceOf(robbed, wish.amount, from + 1n);
    await stack.send(NATIVE, robbed.walletAddress, half);
    await untilSearched(robbed);
    await eventually(async () => {
      const { deposits } = await stack.read(robbed.id);
      expect(deposits).toMatchObject([{ amount: half, position: 'trace:', confirmed: true }]);
    });
    const { status, fundedInFullAt } = await stack.read(robbed.id);
    expect({ status, fundedInFullAt }).toEqual({ status: 'PENDING', fundedInFullAt: null });
  });

  it('has no deposit confirmed that is recorded while others are confirmed', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    await stack.node.mine({ blocks: 2 });
    await stack.stopMining();
    await stack.alphanet.submit(USDC, robbed.walletAddress, ONE_USDC);
    await stack.node.mine({ blocks: 1 });
    const [dust] = await eventually(async () => {
      const { deposits } = await stack.read(robbed.id);
      expect(deposits).toMatchObject([{ amount: ONE_USDC, confirmed: false }]);
      return deposits;
    });
    if (!dust) throw new Error('no deposit');
    const dataSource = service.app.get(DataSource);
    const transaction: ScanGuardRepository['transaction'] = async (write) => {
      await recordInvented(robbed, dust, WISH.amount);
      return dataSource.transaction(write);
    };
    const rpcUrls = nodes.map(({ url }) => url);
    const chain = new Chain({ definition: stack.chain.definition, rpcUrls });
    const guard = { transaction } as Partial<ScanGuardRepository> as ScanGuardRepository;
    const deposits = service.app.get(DepositsService);
    const { failed } = await deposits.confirm(guard, chain, dust.blockNumber);
    expect(failed).toEqual([{ paymentId: robbed.id, blocks: [] }]);
    const { fundedInFullAt, deposits: recorded } = await stack.read(robbed.id);
    expect({ fundedInFullAt, recorded }).toMatchObject({
      fundedInFullAt: null,
      recorded: [{ confirmed: false }, { confirmed: false }],
    });
    await stack.resumeMining();
  });

  it('has no deposit confirmed that is recorded while nodes confirm those of a payment set aside', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    const witnesses = service.app.get(DepositWitnessesService);
    const require = witnesses.require.bind(witnesses);
    let invented = 0;
    witnesses.require = async (...asked) => {
      await require(...asked);
      const [real] = (await stack.read(robbed.id)).deposits;
      if (real === undefined || invented > 0) return;
      invented += 1;
      await recordInvented(robbed, real, real.amount);
    };
    await stack.send(USDC, robbed.walletAddress, (WISH.amount * 3n) / 4n);
    await stack.node.mine({ blocks: 2 });
    await eventually(
      async () => {
        await retryNow();
        expect((await stack.read(robbed.id)).deposits).toMatchObject([
          { amount: (WISH.amount * 3n) / 4n, confirmed: true },
        ]);
      },
      { timeoutMs: 60_000 },
    );
    expect(invented).toBe(1);
    expect((await stack.read(robbed.id)).fundedInFullAt).toBeNull();
  });

  it('sets nothing aside that its owner has withdrawn before it was final', async () => {
    await startWith(1);
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input: NATIVE, output: USDC, amount: 10n ** 18n, owner: owner.address };
    const payment = await stack.confirm(service, wish);
    await stack.stopServices();
    await stack.send(NATIVE, payment.walletAddress, wish.amount);
    const taken = { token: NATIVE, amount: wish.amount, acceptBlame: true };
    const { hash } = await withdrawFromOutside(stack, payment, owner, taken);
    await stack.alphanet.mined(hash);
    await stack.node.mine({ blocks: 2 });
    await stack.letLeasesRunOut();
    await stack.startProcess();
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    await eventually(async () => {
      expect((await stack.read(payment.id)).deposits).toMatchObject([{ confirmed: true }]);
    });
    expect(await reasonOf(payment)).toBeUndefined();
  });

  it('ends no payment by hiding what a withdrawal left, and does not date the withdrawal', async () => {
    await startWith(2);
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await stack.confirm(service, { ...WISH, owner: owner.address });
    await stack.send(USDC, payment.walletAddress, 100n * ONE_USDC);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }] });
    let hidden = 0;
    liar.lies.set('eth_call', async ({ params: [call] }, honest) => {
      const { data = '0x', input = data } = call as { data?: Hex; input?: Hex };
      const isMeant =
        input.includes(BALANCE_OF.slice(2)) &&
        input.includes(payment.walletAddress.slice(2).toLowerCase());
      if (!isMeant) return honest();
      hidden += 1;
      const returnData = numberToHex(0, { size: 32 });
      if (input.startsWith(BALANCE_OF)) return { result: returnData };
      const { args } = decodeFunctionData({ abi: multicall3Abi, data: input });
      const [calls] = args as readonly [readonly unknown[]];
      const result = calls.map(() => ({ success: true, returnData }));
      return {
        result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
      };
    });
    liar.lies.set('eth_getBlockByNumber', async ({ params: [at, isFull] }, honest) => {
      const given = await honest();
      const block = given.result as { timestamp: Hex } | null;
      // The scanner reads whole blocks.
      if (block === null || at === 'latest' || isFull === true) return given;
      return { result: { ...block, timestamp: numberToHex(BigInt(block.timestamp) + 7_200n) } };
    });
    const taken = { token: USDC, amount: 40n * ONE_USDC, acceptBlame: true };
    const { hash } = await withdrawFromOutside(stack, payment, owner, taken);
    const { blockNumber } = await stack.node.waitForTransactionReceipt({ hash });
    const { timestamp } = await stack.node.getBlock({ blockNumber });
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      const { status, withdrawals } = await stack.read(payment.id);
      const blockTimestamp = new Date(Number(timestamp) * 1000);
      const remaining = [{ token: USDC, amount: 60n * ONE_USDC }];
      expect(withdrawals).toMatchObject([{ mined: { blockNumber, blockTimestamp, remaining } }]);
      expect(status).not.toBe('WITHDRAWN');
    });
    expect(hidden).toBeGreaterThan(0);
  });

  it('ends no payment by a withdrawal that it invents', async () => {
    await startWith(1);
    const robbed = await stack.confirm(service, WISH);
    const nonce = withdrawalNonce(uuidv7(), 2_000_000_000n);
    const args = { nonce, declarationHash: robbed.declarationHash };
    invent(
      ({ toBlock }) => toBlock !== undefined,
      [
        {
          address: getAddress(robbed.walletAddress),
          topics: encodeEventTopics({ abi: oneTimeWalletAbi, eventName: 'Withdrawn', args }),
          data: encodeAbiParameters([{ type: 'bool' }], [true]),
        },
      ],
    );
    await untilAside(robbed);
    await payAnother();
    expect(await stack.read(robbed.id)).toMatchObject({ status: 'PENDING', withdrawals: [] });
    // Of two that contradict each other, nobody knows who lies: the payment waits.
    await retryNow();
    await untilAside(robbed);
    liar.lies.clear();
    await untilRecorded(robbed);
    await stack.send(USDC, robbed.walletAddress, WISH.amount);
    await stack.expectToBecome(robbed, { status: 'COMPLETE' });
  });
});

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { eventually, startLyingNode } from '@bascule/testing';
import type { LyingNode, RpcAnswer, RpcCall } from '@bascule/testing';
import { getAddress, numberToHex, padHex, toEventSelector } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { payByContract } from '../testing/contract-payments.fixture.js';
import { NATIVE, PaymentStack } from '../testing/payment-stack.fixture.js';

const WISH = { input: USDC, output: USDC, amount: 200_000_000n };
const NATIVE_WISH = { input: NATIVE, output: NATIVE, amount: 10n ** 16n };
const EMITTER: Address = '0x00000000000000000000000000000000000e1710';
const TRANSFER = 'Transfer(address,address,uint256)';
const [, , , , stranger] = developmentAccounts;
/** Logs whose answer is larger than a client reads, for less gas than an eighth of a block of Base. */
const LOGS = { transactions: 4, each: 6_000 };
/** Transactions of which each has almost the largest calldata that nodes accept. */
const CALLDATA = { transactions: 45, bytes: 126 * 1024 };

/** Code that emits as many logs with two indexed words as its input says. */
const emitterOf = (event: string): Hex =>
  `0x6000355b8015603a5760026001${`7f${toEventSelector(event).slice(2)}`}60206000a3600190036003565b00`;

/** A mebibyte that means nothing in JSON. */
const BLANKS = ' '.repeat(2 ** 20);
const TIMED_OUT: RpcAnswer = { error: { code: -32002, message: 'request timed out' } };
const TOO_MANY: RpcAnswer = {
  error: { code: -32005, message: 'query returned more than 10000 results' },
};

describe('a block that strangers filled', () => {
  let stack: PaymentStack;
  afterEach(() => stack.stop());

  /** Stores many transactions of a stranger in one block. */
  async function fill(transactions: number, transaction: { to: Address; data: Hex; gas: bigint }) {
    await stack.node.setBlockGasLimit({ gasLimit: 200_000_000n });
    await stack.stopMining();
    const wallet = stack.wallet(privateKeyToAccount(stranger.privateKey));
    for (let n = 0; n < transactions; n += 1) await wallet.sendTransaction(transaction);
  }

  it.each([
    ['transfers', TRANSFER],
    ['withdrawals', 'Withdrawn(uint256,bytes32,bool)'],
  ])('with logs of %s stops no payment', async (_name, event) => {
    stack = await PaymentStack.start();
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.node.setCode({ address: EMITTER, bytecode: emitterOf(event) });
    await fill(LOGS.transactions, {
      to: EMITTER,
      data: numberToHex(LOGS.each, { size: 32 }),
      gas: 16_000_000n,
    });
    await stack.alphanet.submit(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 1 });
    await stack.resumeMining();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('with calldata stops no payment, and loses no money in it', async () => {
    stack = await PaymentStack.start({ NATIVE_TRANSFERS_ALPHANET: 'blocks' });
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, NATIVE_WISH);
    await fill(CALLDATA.transactions, {
      to: EMITTER,
      data: `0x${'00'.repeat(CALLDATA.bytes)}`,
      gas: 1_400_000n,
    });
    await stack.alphanet.submit(NATIVE, payment.walletAddress, NATIVE_WISH.amount);
    await stack.node.mine({ blocks: 1 });
    await stack.resumeMining();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });
});

describe('blocks whose answers are large', () => {
  let stack: PaymentStack;
  let node: LyingNode;
  afterEach(async () => {
    await stack.stop();
    await node.stop();
  });

  it('are read one after the other, with one large answer at a time', async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      node = await startLyingNode(rpcUrl);
      return { RPC_URLS_ALPHANET: node.url };
    });
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.stopServices();
    for (let n = 0; n < 10; n += 1) await stack.send(USDC, EMITTER, 1n);
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    const large = largeAnswers();
    node.senders.set('eth_getLogs', (text, response, call) =>
      isOfTransfers(call) ? large.send(text, response) : response.end(text),
    );
    node.senders.set('trace_block', large.send);
    await stack.letLeasesRunOut();
    await stack.startProcess();
    // Each of more than twenty answers has several megabytes.
    await stack.expectToBecome(payment, { status: 'COMPLETE' }, { timeoutMs: 150_000 });
    expect(large.ended()).toBeGreaterThan(20);
  });
});

/** Answers with blanks before them, each of which ends only while it is the only one that somebody reads. */
function largeAnswers() {
  const open = new Map<ServerResponse, string>();
  let ended = 0;
  const endTheOnlyOne = () => {
    const [first, another] = open;
    if (first === undefined || another !== undefined) return;
    const [response, text] = first;
    if (response.writableEnded) return;
    ended += 1;
    response.end(BLANKS.repeat(7) + text);
  };
  const send = (text: string, response: ServerResponse): void => {
    open.set(response, text);
    response.on('close', () => {
      open.delete(response);
      endTheOnlyOne();
    });
    // The client has read more of it than of an answer beside others before it ends.
    response.write(BLANKS.repeat(2), endTheOnlyOne);
  };
  return { send, ended: () => ended };
}

describe('a node that refuses answers for their size', () => {
  let stack: PaymentStack;
  let node: LyingNode;

  beforeEach(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      node = await startLyingNode(rpcUrl);
      return { RPC_URLS_ALPHANET: node.url };
    });
  });
  afterEach(async () => {
    await stack.stop();
    await node.stop();
  });

  /** Payments whose wallets the node refuses to read, like all that is asked for without wallets. */
  async function confirmFlooded(service: RunningService, count: number): Promise<PaymentRecord[]> {
    const flooded: PaymentRecord[] = [];
    for (let n = 0; n < count; n += 1) flooded.push(await stack.confirm(service, WISH));
    const refused = new Set(flooded.map(({ walletAddress }) => topicOf(walletAddress)));
    node.lies.set('eth_getLogs', (call, honest) => {
      const { wallets } = askedFor(call);
      const isRefused = wallets.length === 0 || wallets.some((wallet) => refused.has(wallet));
      return isOfTransfers(call) && isRefused ? Promise.resolve(TOO_MANY) : honest();
    });
    return flooded;
  }
  const untilAside = ({ id }: PaymentRecord) =>
    eventually(async () => {
      const sql = 'SELECT 1 FROM set_aside_payments WHERE payment_id = $1';
      expect(await stack.sql(sql, [id])).toHaveLength(1);
    });

  it('is asked for the logs of one wallet and one token', async () => {
    const service = await stack.startProcess();
    const others = [await stack.confirm(service, WISH), await stack.confirm(service, WISH)];
    const payment = await stack.confirm(service, WISH);
    const asked = new Set<string>();
    node.lies.set('eth_getLogs', async (call, honest) => {
      const { addresses, wallets } = askedFor(call);
      if (addresses === 1 && wallets.length === 1) asked.add(wallets[0] ?? '');
      return isOfTransfers(call) && (addresses !== 1 || wallets.length !== 1) ? TOO_MANY : honest();
    });
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    for (const { walletAddress } of [payment, ...others]) {
      expect(asked).toContain(topicOf(walletAddress));
    }
  });

  it.each([
    ['they are too large', { error: { code: -32008, message: 'Response is too big' } }],
    ['they time out', TIMED_OUT],
  ])(
    'has its traces replaced by balances where %s, and no native money is lost',
    async (_name, refusal) => {
      const service = await stack.startProcess();
      const plain = await stack.confirm(service, NATIVE_WISH);
      const byContract = await stack.confirm(service, NATIVE_WISH);
      node.lies.set('trace_block', () => Promise.resolve(refusal));
      await payByContract(stack, [{ to: byContract.walletAddress, value: NATIVE_WISH.amount }]);
      await stack.send(NATIVE, plain.walletAddress, NATIVE_WISH.amount);
      await stack.expectToBecome(byContract, { status: 'COMPLETE' });
      await stack.expectToBecome(plain, { status: 'COMPLETE' });
    },
  );

  it('sets aside only the payment whose wallet it refuses, which is recorded later', async () => {
    const service = await stack.startProcess();
    const flooded = await stack.confirm(service, WISH);
    const other = await stack.confirm(service, WISH);
    node.lies.set('eth_getLogs', (call, honest) => {
      const { wallets } = askedFor(call);
      const isRefused = wallets.length === 0 || wallets.includes(topicOf(flooded.walletAddress));
      return isOfTransfers(call) && isRefused ? Promise.resolve(TOO_MANY) : honest();
    });
    await stack.send(USDC, flooded.walletAddress, WISH.amount);
    await stack.send(USDC, other.walletAddress, WISH.amount);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    expect(await stack.sql<{ failure: string }>('SELECT failure FROM set_aside_payments')).toEqual([
      { failure: expect.stringContaining("node refused the wallet's logs as too large") },
    ]);
    expect(await stack.read(flooded.id)).toMatchObject({ status: 'PENDING', deposits: [] });
    node.lies.clear();
    await eventually(
      async () => {
        await stack.sql('UPDATE set_aside_payments SET due_at = now()');
        expect(await stack.read(flooded.id)).toMatchObject({ status: 'COMPLETE' });
      },
      { timeoutMs: 60_000, intervalMs: 1_000 },
    );
  });

  it('is asked for less where it times out', async () => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    node.lies.set('eth_getLogs', (call, honest) =>
      isOfTransfers(call) && askedFor(call).wallets.length === 0
        ? Promise.resolve(TIMED_OUT)
        : honest(),
    );
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('sets aside as many payments as are flooded, and stops no other', async () => {
    const service = await stack.startProcess();
    const flooded = await confirmFlooded(service, 12);
    const other = await stack.confirm(service, WISH);
    await stack.send(USDC, other.walletAddress, WISH.amount);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    const sql = 'SELECT DISTINCT payment_id AS id, is_unread FROM set_aside_payments ORDER BY 1';
    const expected = flooded.map(({ id }) => ({ id, is_unread: true }));
    expect(await stack.sql(sql)).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it('is asked again for the flooded wallet alone, less and less often', async () => {
    const service = await stack.startProcess();
    const [flooded] = await confirmFlooded(service, 1);
    if (flooded === undefined) throw new Error('no payment is flooded');
    const hash = await stack.send(USDC, flooded.walletAddress, WISH.amount);
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await eventually(async () => {
      const rows = await stack.sql<{ number: string }>(
        'SELECT block_number::text AS number FROM set_aside_blocks',
      );
      expect(rows.map(({ number }) => BigInt(number))).toContain(blockNumber);
    });
    const asked: string[][] = [];
    const refuse = node.lies.get('eth_getLogs');
    node.lies.set('eth_getLogs', (call, honest) => {
      if (isOfTransfers(call)) asked.push(askedFor(call).wallets);
      return refuse?.(call, honest) ?? honest();
    });
    // A replica of the version before has set it aside.
    await stack.sql(
      'UPDATE set_aside_payments SET attempts = 30, is_unread = false, due_at = now()',
    );
    const isLate = `due_at > now() + interval '50 minutes' AS "isLate"`;
    await eventually(async () => {
      const rows = await stack.sql(`SELECT attempts, is_unread, ${isLate} FROM set_aside_payments`);
      expect(rows).toEqual([{ attempts: 31, is_unread: true, isLate: true }]);
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.flat())).toEqual(new Set([topicOf(flooded.walletAddress)]));
    expect(asked).not.toContainEqual([]);
  });

  it('takes no slot of other payments that are set aside, though it does not answer', async () => {
    const service = await stack.startProcess();
    const flooded = await confirmFlooded(service, 6);
    const other = await stack.confirm(service, WISH);
    await stack.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`,
    );
    await stack.sql(
      `CREATE TRIGGER refuse BEFORE INSERT ON deposits FOR EACH ROW
       WHEN (NEW.payment_id = '${other.id}') EXECUTE FUNCTION refuse()`,
    );
    await stack.send(USDC, other.walletAddress, WISH.amount);
    for (const payment of [...flooded, other]) await untilAside(payment);
    const wallets = new Set(flooded.map(({ walletAddress }) => topicOf(walletAddress)));
    let release = (): void => undefined;
    const released = new Promise<RpcAnswer>((resolve) => (release = () => resolve(TOO_MANY)));
    const hanging = new Set<string>();
    node.lies.set('eth_getLogs', (call, honest) => {
      const [wallet = '', another] = askedFor(call).wallets;
      if (another !== undefined || !wallets.has(wallet)) return honest();
      hanging.add(wallet);
      return released;
    });
    await stack.sql('DROP TRIGGER refuse ON deposits');
    await stack.sql('UPDATE set_aside_payments SET due_at = now() WHERE is_unread');
    try {
      await eventually(() => expect(hanging.size).toBe(1));
      await stack.sql('UPDATE set_aside_payments SET due_at = now() WHERE NOT is_unread');
      await eventually(async () => {
        const { deposits } = await stack.read(other.id);
        expect(deposits).toHaveLength(1);
      });
      expect(hanging.size).toBe(1);
    } finally {
      release();
    }
  });

  it('has failed where it refuses all wallets, with an alert until it answers', async () => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    for (let n = 0; n < 10; n += 1) await stack.confirm(service, WISH);
    const failedPasses = async (): Promise<number> => {
      const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
      return Number(
        /payment_scanner_failed_passes\{.*chain="alphanet".*\} (\d+)\n/.exec(metrics)?.[1],
      );
    };
    await eventually(async () => expect(await failedPasses()).toBe(0));
    node.lies.set('eth_getLogs', (call, honest) =>
      isOfTransfers(call) ? Promise.resolve(TOO_MANY) : honest(),
    );
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await eventually(async () => expect(await failedPasses()).toBeGreaterThan(2));
    expect(await stack.sql('SELECT 1 FROM set_aside_payments')).toEqual([]);
    node.lies.clear();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    await eventually(async () => expect(await failedPasses()).toBe(0));
  });
});

const topicOf = (wallet: string): string => padHex(getAddress(wallet), { size: 32 }).toLowerCase();

function isOfTransfers({ params }: RpcCall): boolean {
  const [{ blockHash, topics }] = params as [{ blockHash?: Hex; topics: unknown }];
  return blockHash !== undefined && JSON.stringify(topics).includes(toEventSelector(TRANSFER));
}

function askedFor({ params }: RpcCall): { addresses: number; wallets: string[] } {
  const [{ address, topics }] = params as [
    { address?: string | string[]; topics: (string | string[] | null)[] },
  ];
  const wallets = [topics[2] ?? []].flat();
  return {
    addresses: [address ?? []].flat().length,
    wallets: wallets.map((it) => it.toLowerCase()),
  };
}

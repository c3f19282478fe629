import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import {
  declarationHash,
  developmentAddresses,
  oneTimeWalletAbi,
  oneTimeWalletFactoryAbi,
  parseDeclaration,
} from '@bascule/solidity';
import { eventually, startLyingNode } from '@bascule/testing';
import type { LyingNode, RpcAnswer } from '@bascule/testing';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, getAddress, multicall3Abi } from 'viem';
import type { Address, Hash, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { RELAY, signedByOwner } from '../testing/owner-withdrawal.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const WISH = { input: USDC, output: USDC, amount: 10_000_000n };
const CROWD = 120;
/** Payments that a pass observes itself. */
const OBSERVED = 16;
const OWNER = privateKeyToAccount(generatePrivateKey());

interface Call {
  target: Address;
  callData: Hex;
}

describe('withdrawals of nothing from many wallets of one owner', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let node: LyingNode;

  beforeAll(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      node = await startLyingNode(rpcUrl);
      return { RPC_URLS_ALPHANET: node.url };
    });
  });
  afterEach(async () => {
    node.lies.clear();
    await stack.stopServices();
    await stack.sql('TRUNCATE set_aside_payments, set_aside_blocks');
  });
  afterAll(async () => {
    await stack.stop();
    await node.stop();
  });

  async function confirm(count: number): Promise<PaymentRecord[]> {
    const payments: PaymentRecord[] = [];
    for (let done = 0; done < count; done += 1) {
      payments.push(await stack.confirm(service, { ...WISH, owner: OWNER.address }));
    }
    return payments;
  }

  const send = (calls: readonly Call[], gas: bigint): Promise<Hash> =>
    stack.wallet(RELAY).writeContract({
      address: developmentAddresses.multicall3,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [calls.map((call) => ({ ...call, allowFailure: false }))],
      gas,
    });

  async function submit(calls: readonly Call[]): Promise<Hash> {
    const hash = await send(calls, 29_000_000n);
    await stack.alphanet.mined(hash);
    return hash;
  }

  async function createWallets(payments: readonly PaymentRecord[]): Promise<void> {
    const deployments = payments.map(({ declaration: stored }): Call => {
      const declaration = parseDeclaration(stored);
      const args = [declarationHash(declaration)] as const;
      const deploy = { abi: oneTimeWalletFactoryAbi, functionName: 'deploy', args } as const;
      return { target: declaration.factory, callData: encodeFunctionData(deploy) };
    });
    await submit(deployments);
  }

  /** Signs a withdrawal of nothing from each wallet. */
  async function withdrawalsOf(payments: readonly PaymentRecord[]): Promise<Call[]> {
    const { timestamp: now } = await stack.node.getBlock();
    const nothing = { actions: [], acceptBlame: false, now };
    const withdrawals = payments.map(async (payment): Promise<Call> => {
      const signed = await signedByOwner(payment, OWNER, stack.chain.chainId, nothing);
      const args = [signed.declaration, signed.authorization, signed.signature] as const;
      const withdraw = { abi: oneTimeWalletAbi, functionName: 'withdraw', args } as const;
      return { target: getAddress(payment.walletAddress), callData: encodeFunctionData(withdraw) };
    });
    return Promise.all(withdrawals);
  }

  /** Withdraws nothing from each wallet by one transaction. */
  async function withdrawNothing(payments: readonly PaymentRecord[]): Promise<Hash> {
    await createWallets(payments);
    return submit(await withdrawalsOf(payments));
  }

  /** Answers in place of the node where a payment that is set aside looks for withdrawals from its wallet. */
  function answerLooksAt(payments: readonly PaymentRecord[], answer: () => Promise<RpcAnswer>) {
    const wallets = new Set(payments.map(({ walletAddress }) => walletAddress.toLowerCase()));
    node.lies.set('eth_getLogs', ({ params: [filter] }, honest) => {
      const { address } = filter as { address?: string | string[] };
      const isMeant = [address ?? []].flat().some((it) => wallets.has(it.toLowerCase()));
      return isMeant ? answer() : honest();
    });
  }
  const refuse = () => Promise.resolve({ error: { code: -32000, message: 'refused by the test' } });

  /** Counts requests that name one of these. */
  function countRequests(method: string, names: readonly string[]): () => number {
    let count = 0;
    const meant = names.map((name) => name.replace('0x', '').toLowerCase());
    node.lies.set(method, ({ params }, honest) => {
      const text = JSON.stringify(params).toLowerCase();
      if (meant.some((name) => text.includes(name))) count += 1;
      return honest();
    });
    return () => count;
  }

  const idsOf = (payments: readonly PaymentRecord[]) => payments.map(({ id }) => id);
  const recorded = async (payments: readonly PaymentRecord[]): Promise<number> => {
    const sql = 'SELECT FROM withdrawals WHERE payment_id = ANY($1) AND landed IS NOT NULL';
    return (await stack.sql(sql, [idsOf(payments)])).length;
  };
  const finalHeight = async (): Promise<bigint> => {
    const sql = 'SELECT confirmed_block_number AS height FROM chain_cursors';
    const [row] = await stack.sql<{ height: string }>(sql);
    return BigInt(row?.height ?? -1n);
  };
  const payAnother = async (): Promise<void> => {
    const other = await stack.confirm(service, WISH);
    await stack.send(USDC, other.walletAddress, WISH.amount);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
  };

  it('are set aside but for a few, while the scan goes on and another payment completes', async () => {
    service = await stack.startProcess();
    const crowd = await confirm(CROWD);
    answerLooksAt(crowd, refuse);
    const hash = await withdrawNothing(crowd);
    await payAnother();
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    expect(await finalHeight()).toBeGreaterThan(blockNumber);
    // A pass that loses its lease may be followed by another one.
    const done = await recorded(crowd);
    expect(done).toBeLessThan(CROWD / 2);
    const aside = 'SELECT FROM set_aside_payments WHERE payment_id = ANY($1)';
    expect(await stack.sql(aside, [idsOf(crowd)])).toHaveLength(CROWD - done);
    node.lies.clear();
    const receipts = countRequests('eth_getTransactionReceipt', [hash]);
    await eventually(
      async () => {
        await stack.sql('UPDATE set_aside_payments SET due_at = now() WHERE attempts > 0');
        expect(await recorded(crowd)).toBe(CROWD);
      },
      { timeoutMs: 60_000 },
    );
    await eventually(async () => {
      expect(await stack.sql(aside, [idsOf(crowd)])).toEqual([]);
    });
    expect(receipts()).toBe(0);
    const statuses = 'SELECT DISTINCT status FROM payments WHERE id = ANY($1)';
    expect(await stack.sql(statuses, [idsOf(crowd)])).toEqual([{ status: 'WITHDRAWN' }]);
  });

  it('are set aside where one wallet has them by many transactions', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, { ...WISH, owner: OWNER.address });
    await createWallets([payment]);
    const calls = await withdrawalsOf(Array.from({ length: OBSERVED + 1 }, () => payment));
    answerLooksAt([payment], refuse);
    await stack.stopMining();
    for (const { target: to, callData: data } of calls) {
      await stack.wallet(RELAY).sendTransaction({ to, data, gas: 500_000n });
    }
    await stack.node.mine({ blocks: 1 });
    await stack.resumeMining();
    await payAnother();
    const aside = 'SELECT failure FROM set_aside_payments WHERE payment_id = $1';
    expect(await stack.sql(aside, [payment.id])).toHaveLength(1);
    expect(await recorded([payment])).toBe(0);
    node.lies.clear();
    await eventually(async () => {
      await stack.sql('UPDATE set_aside_payments SET due_at = now() WHERE attempts > 0');
      expect(await recorded([payment])).toBe(calls.length);
    });
  });

  it('cost one receipt, one call for balances and one gas price where they are observed at once', async () => {
    service = await stack.startProcess();
    const crowd = await confirm(OBSERVED);
    const wallets = walletsOf(crowd);
    const receipts: unknown[] = [];
    const calls = countRequests('eth_call', wallets);
    const balances = countRequests('eth_getBalance', wallets);
    node.lies.set('eth_getTransactionReceipt', ({ params: [hash] }, honest) => {
      receipts.push(hash);
      return honest();
    });
    await createWallets(crowd);
    const withdrawals = await withdrawalsOf(crowd);
    node.requests.delete('eth_gasPrice');
    const hash = await submit(withdrawals);
    await eventually(async () => {
      expect(await recorded(crowd)).toBe(OBSERVED);
    });
    // Answers about payments refresh it every 15 s.
    expect(node.requests.get('eth_gasPrice')).toBeLessThan(OBSERVED / 2);
    expect(receipts.filter((it) => it === hash)).toHaveLength(1);
    expect({ calls: calls(), balances: balances() }).toEqual({ calls: 1, balances: 0 });
  });

  it('cost one receipt of each transaction, two at a time, where each withdraws from all of them', async () => {
    service = await stack.startProcess();
    const crowd = await confirm(OBSERVED);
    await createWallets(crowd);
    const hashes: Hash[] = [];
    await stack.stopMining();
    for (let sent = 0; sent < OBSERVED; sent += 1) {
      hashes.push(await send(await withdrawalsOf(crowd), 1_800_000n));
    }
    const asked: Hash[] = [];
    let [running, most] = [0, 0];
    node.lies.set('eth_getTransactionReceipt', async ({ params }, honest) => {
      const hash = hashes.find((it) => params.includes(it));
      if (hash === undefined) return honest();
      asked.push(hash);
      running += 1;
      most = Math.max(most, running);
      const receipt = await honest();
      running -= 1;
      return receipt;
    });
    await stack.node.mine({ blocks: 1 });
    await stack.resumeMining();
    await eventually(async () => {
      expect(await recorded(crowd)).toBe(OBSERVED * OBSERVED);
    });
    expect(asked.sort()).toEqual(hashes.sort());
    expect(most).toBe(2);
  });

  it('are asked for no more once they are recorded, where a range is read again', async () => {
    service = await stack.startProcess();
    const crowd = await confirm(3);
    const hash = await withdrawNothing(crowd);
    await eventually(async () => {
      expect(await recorded(crowd)).toBe(3);
    });
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await eventually(async () => {
      expect(await finalHeight()).toBeGreaterThan(blockNumber);
    });
    await stack.stopServices();
    await stack.sql('UPDATE chain_cursors SET confirmed_block_number = $1', [
      (blockNumber - 1n).toString(),
    ]);
    const receipts = countRequests('eth_getTransactionReceipt', [hash]);
    const calls = countRequests('eth_call', walletsOf(crowd));
    service = await stack.startProcess();
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      expect(await finalHeight()).toBeGreaterThan(blockNumber);
    });
    expect({ receipts: receipts(), calls: calls() }).toEqual({ receipts: 0, calls: 0 });
  });

  it('delay neither another visitor, nor another organisation, nor what waits for a second node', async () => {
    service = await stack.startProcess();
    const [visitors = [], others = [], crowd = []] = [
      await confirm(1),
      await confirm(20),
      await confirm(60),
    ];
    await stack.sql('UPDATE payments SET visitor = $2 WHERE id = ANY($1)', [idsOf(crowd), 'crowd']);
    await stack.sql('UPDATE payments SET org_id = $2 WHERE id = ANY($1)', [
      idsOf(others),
      uuidv7(),
    ]);
    const held = Promise.withResolvers<RpcAnswer>();
    answerLooksAt(crowd, () => held.promise);
    try {
      await withdrawNothing([...crowd, ...others, ...visitors]);
      await eventually(async () => {
        expect(await recorded(visitors)).toBe(1);
        expect(await recorded(others)).toBe(20);
      });
      const waiting = await stack.confirm(service, WISH);
      const aside = 'SELECT FROM set_aside_payments WHERE payment_id = $1';
      await stack.sql(
        `INSERT INTO set_aside_payments (payment_id, chain, failure, due_at)
         VALUES ($1, 'alphanet', 'set aside by the test', now())`,
        [waiting.id],
      );
      await eventually(async () => {
        expect(await stack.sql(aside, [waiting.id])).toEqual([]);
      });
      expect(await recorded(crowd)).toBeLessThan(crowd.length / 2);
    } finally {
      held.resolve({ error: { code: -32000, message: 'released by the test' } });
    }
  });
});

const walletsOf = (payments: readonly PaymentRecord[]) =>
  payments.map(({ walletAddress }) => walletAddress);

import type { RunningService } from '@bascule/service-host';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { eventually, startLyingNode } from '@bascule/testing';
import type { Lie, LyingNode } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAddress,
  keccak256,
  numberToHex,
  parseEther,
  parseTransaction,
} from 'viem';
import type { Address, Hex } from 'viem';
import { OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { findExecution } from './wallet.client.js';

const AMOUNT = 200_000_000n;
const [, TOKEN = ''] = USDC.split(':');
const WISH = { input: USDC, output: USDC, amount: AMOUNT };
const NOWHERE: Hex = `0x${'fe'.repeat(32)}`;

const reverted = (errorName: 'LegAlreadyExecuted' | 'ExecutorEnded') => ({
  code: 3,
  message: 'execution reverted',
  data: encodeErrorResult({ abi: oneTimeWalletAbi, errorName }),
});

describe('a leg beside one lying node of three', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let liar: LyingNode;

  beforeEach(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      liar = await startLyingNode(rpcUrl);
      return {
        RPC_URLS_ALPHANET: [liar.url, rpcUrl, rpcUrl].join(','),
        CONFIRMATIONS_ALPHANET: '2',
        EXECUTION_PATIENCE_MS: '1000',
      };
    });
    service = await stack.startProcess();
  });
  afterEach(async () => {
    await stack.stop();
    await liar.stop();
  });

  it.each<[string, object]>([
    ['reverts', { error: { code: 3, message: 'execution reverted' } }],
    ['reverts, since the leg is executed', { error: reverted('LegAlreadyExecuted') }],
    ['reverts, since the owner has ended it', { error: reverted('ExecutorEnded') }],
    ['needs a hundred million gas', { result: numberToHex(100_000_000) }],
  ])('is executed though that one says that it %s', async (_, answer) => {
    const payment = await stack.confirm(service, WISH);
    liar.lies.set('eth_estimateGas', () => Promise.resolve(answer));
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(liar.requests.get('eth_estimateGas')).toBeGreaterThan(0);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(0n);
  });

  it.each([
    ['less gas than any transaction', 15_000],
    ['less gas than the leg', 60_000],
  ])('is executed at once though that one says that it needs %s', async (_, gas) => {
    const payment = await stack.confirm(service, WISH);
    liar.lies.set('eth_estimateGas', () => Promise.resolve({ result: numberToHex(gas) }));
    // Deposits of the test pass through the same node.
    liar.lies.set('eth_sendRawTransaction', async ({ params }, honest) => {
      const bytes = params[0] as Hex;
      const isDeposit = parseTransaction(bytes).to?.toLowerCase() === TOKEN.toLowerCase();
      return isDeposit ? honest() : { result: keccak256(bytes) };
    });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(liar.requests.get('eth_estimateGas')).toBeGreaterThan(0);
    await eventually(async () => {
      const sent = await stack.sql<{ status: string }>(
        'SELECT status FROM chain_transactions WHERE reference LIKE $1',
        [`leg:${payment.id}:%`],
      );
      expect(sent).toEqual([{ status: 'success' }]);
    });
  });

  it('is recorded with the time of the others though that one reports a time beyond all dates', async () => {
    const payment = await stack.confirm(service, WISH);
    const told = { count: 0 };
    const lie: Lie = async ({ params: [block, isFull] }, honest) => {
      const answer = await honest();
      // The scanner's reads, whole blocks and heads, are not what this is about.
      if (block === 'latest' || isFull === true || answer.result === null) return answer;
      told.count += 1;
      const timestamp = numberToHex(2n ** 60n);
      return { ...answer, result: { ...(answer.result as object), timestamp } };
    };
    for (const method of ['eth_getBlockByHash', 'eth_getBlockByNumber']) liar.lies.set(method, lie);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    const { legs } = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(told.count).toBeGreaterThan(0);
    const { blockNumber, blockTimestamp } = legs[0]?.settlement ?? {};
    if (blockNumber === undefined) throw new Error('expected a settlement');
    const { timestamp } = await stack.node.getBlock({ blockNumber });
    expect(blockTimestamp).toEqual(new Date(Number(timestamp) * 1000));
  });

  it('is not found executed where that one alone shows it', async () => {
    const payment = await stack.confirm(service, WISH);
    const wallet = getAddress(payment.walletAddress);
    const block = await stack.node.getBlock();
    const inBlock = { blockHash: block.hash, blockNumber: numberToHex(block.number) };
    const log = {
      address: wallet,
      topics: encodeEventTopics({
        abi: oneTimeWalletAbi,
        eventName: 'LegExecuted',
        args: { leg: 0n },
      }),
      data: encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }],
        [AMOUNT, [], AMOUNT],
      ),
      ...{ ...inBlock, removed: false, logIndex: '0x0' },
      ...{ transactionHash: NOWHERE, transactionIndex: '0x0' },
    };
    let shown = 0;
    liar.lies.set('eth_estimateGas', () =>
      Promise.resolve({ error: reverted('LegAlreadyExecuted') }),
    );
    liar.lies.set('eth_getLogs', async ({ params: [query] }, honest) => {
      const { address } = query as { address?: string };
      if (address?.toLowerCase() !== wallet.toLowerCase()) return honest();
      shown += 1;
      return { result: [log] };
    });
    liar.lies.set('eth_getTransactionReceipt', async ({ params: [hash] }, honest) =>
      hash === NOWHERE
        ? {
            result: {
              ...{ transactionHash: NOWHERE, transactionIndex: '0x0', type: '0x2', status: '0x1' },
              ...{ ...inBlock, from: OWNER, to: OWNER, logs: [log] },
              ...{ logsBloom: `0x${'0'.repeat(512)}`, contractAddress: null },
              ...{ gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' },
            },
          }
        : honest(),
    );
    expect(await findExecution(stack.chain, wallet, 0n)).toBeUndefined();
    expect(shown).toBeGreaterThan(0);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    const done = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(0n);
    // It hides nothing either.
    const found = await findExecution(stack.chain, wallet, 0n);
    expect(found?.transactionHash).toBe(done.legs[0]?.transactionHash);
  });
});

describe('legs beside one of two nodes', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let other: LyingNode;

  beforeAll(async () => {
    stack = await PaymentStack.start(async (rpcUrl) => {
      other = await startLyingNode(rpcUrl);
      return {
        RPC_URLS_ALPHANET: [other.url, rpcUrl].join(','),
        CONFIRMATIONS_ALPHANET: '2',
        EXECUTION_PATIENCE_MS: '1000',
      };
    });
    service = await stack.startProcess();
  });
  afterAll(async () => {
    await stack.stop();
    await other.stop();
  });

  const pay = async () => {
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    return stack.expectToBecome(payment, { status: 'COMPLETE' });
  };

  it.each<[string, Lie]>([
    ['reports that the executor has sent nothing', () => Promise.resolve({ result: '0x0' })],
    ['does not tell what the executor has sent', () => Promise.reject(new Error('away'))],
  ])('are sent with what the executor has while that one %s', async (_, lie) => {
    await pay();
    const [spent] = await stack.sql<{ signer: Address; cost: string }>(
      `SELECT signer, gas_limit * max_fee_per_gas + value AS cost FROM chain_transactions
       WHERE chain = 'alphanet' ORDER BY nonce DESC LIMIT 1`,
    );
    if (spent === undefined) throw new Error('expected a transaction');
    const value = (BigInt(spent.cost) * 3n) / 2n;
    await stack.node.setBalance({ address: spent.signer, value });
    other.lies.set('eth_getTransactionCount', lie);
    expect((await pay()).status).toBe('COMPLETE');
    other.lies.clear();
    await stack.node.setBalance({ address: spent.signer, value: parseEther('100') });
  });
});

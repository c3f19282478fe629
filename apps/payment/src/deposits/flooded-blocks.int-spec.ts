import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentAccounts } from '@bascule/local-stack';
import { startLyingNode } from '@bascule/testing';
import type { LyingNode, RpcAnswer, RpcCall } from '@bascule/testing';
import { numberToHex, padHex, toEventSelector } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { USDC } from '../testing/a-quote.fixture.js';
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

describe('a node that refuses logs of more than one token or one wallet', () => {
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

  it('is asked for one wallet of one token', async () => {
    const service = await stack.startProcess();
    const others = [await stack.confirm(service, WISH), await stack.confirm(service, WISH)];
    const payment = await stack.confirm(service, WISH);
    const asked: string[] = [];
    node.lies.set('eth_getLogs', async (call, honest) => {
      const { addresses, wallets } = askedFor(call);
      if (addresses === 1 && wallets.length === 1) asked.push(...wallets);
      return isOfTransfers(call) && (addresses !== 1 || wallets.length !== 1) ? TOO_MANY : honest();
    });
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    for (const { walletAddress } of [payment, ...others]) {
      expect(asked).toContain(padHex(walletAddress, { size: 32 }).toLowerCase());
    }
  });
});

function isOfTransfers({ params }: RpcCall): boolean {
  const [{ blockHash, topics }] = params as [{ blockHash?: Hex; topics: unknown }];
  return blockHash !== undefined && JSON.stringify(topics).includes(toEventSelector(TRANSFER));
}

function askedFor({ params }: RpcCall): { addresses: number; wallets: string[] } {
  const [{ address, topics }] = params as [{ address?: unknown; topics: unknown[] }];
  const addresses = [address ?? []].flat().length;
  return { addresses, wallets: [topics[2] ?? []].flat().map((it) => String(it).toLowerCase()) };
}

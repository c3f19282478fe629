import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { keccak256 } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';

const SEND = 'eth_sendRawTransaction';
/** Longer than any test. */
const LONG_MS = 600_000;
const SHORT_MS = 1_500;

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;

describe('sending through a private endpoint', () => {
  let bench: Bench;
  /** Shows each transaction to all: the chain's node. */
  let node: LyingNode;
  /** Keeps transactions to itself. */
  let relay: LyingNode;
  let kept: Hex[];

  const keep = (): void => {
    relay.lies.set(SEND, async ({ params: [bytes] }) => {
      kept.push(bytes as Hex);
      return { result: keccak256(bytes as Hex) };
    });
  };
  const refuse = (message: string): void => {
    relay.lies.set(SEND, async () => ({ error: { code: -32000, message } }));
  };
  const start = async (options: Parameters<Bench['replica']>[1] = {}): Promise<Replica> => {
    const { privateKey } = await bench.fundedKey();
    const urls = { rpcUrls: [node.url], privateRpcUrls: [relay.url] };
    return (await bench.replica(privateKey, { ...urls, ...options })).work();
  };
  const pay = async (replica: Replica, reference: string, isPrivate = true): Promise<void> => {
    const to = recipient();
    await replica.record({
      ...{ chain: 'alphanet', reference, to, data: '0x', value: 1n },
      isPrivate,
    });
    await replica.sender.broadcast(reference);
  };
  const settled = (replica: Replica, reference: string, status = 'success') =>
    eventually(() => expect(replica.of(reference)).toMatchObject([{ status }]));
  const sentTo = ({ requests }: LyingNode): number => requests.get(SEND) ?? 0;
  const purposesOf = async ({ dataSource }: Replica, reference: string): Promise<string[]> => {
    const rows: { purpose: string }[] = await dataSource.query(
      `SELECT DISTINCT a.purpose FROM chain_transaction_attempts a
       JOIN chain_transactions t ON t.id = a.transaction_id WHERE t.reference = $1`,
      [reference],
    );
    return rows.map(({ purpose }) => purpose);
  };

  beforeAll(async () => {
    bench = await Bench.start();
    node = await startLyingNode(bench.rpcUrl);
    relay = await startLyingNode(bench.rpcUrl);
  });
  beforeEach(() => {
    kept = [];
    keep();
  });
  afterEach(async () => {
    await bench.stopReplicas();
    for (const { lies, requests } of [node, relay]) {
      lies.clear();
      requests.clear();
    }
  });
  afterAll(async () => {
    await Promise.all([node.stop(), relay.stop()]);
    await bench.stop();
  });

  it('shows a private transaction and its replacement to no node before their block', async () => {
    const replica = await start({ privateForMs: LONG_MS, replaceAfterMs: 300 });
    await pay(replica, 'hidden');
    const [, replacement] = await eventually(() => {
      const bytes = [...new Set(kept)];
      expect(bytes.length).toBeGreaterThan(1);
      return bytes;
    });
    expect(sentTo(node)).toBe(0);
    const serializedTransaction = replacement ?? '0x';
    await bench.chain.anyNode.client.sendRawTransaction({ serializedTransaction });
    await settled(replica, 'hidden');
    expect(sentTo(node)).toBe(0);
  });

  it('shows a private transaction to all nodes once its time is over', async () => {
    const replica = await start({ privateForMs: SHORT_MS });
    await pay(replica, 'forgotten');
    await eventually(() => expect(kept).not.toEqual([]));
    await settled(replica, 'forgotten');
    expect(sentTo(node)).toBeGreaterThan(0);
  });

  it.each([
    'intrinsic gas too low',
    'transaction underpriced',
    'insufficient funds',
    'nonce too low',
    'rate limited',
  ])('neither replaces nor cancels what a private endpoint refuses: %s', async (message) => {
    refuse(message);
    const replica = await start({ privateForMs: SHORT_MS });
    await pay(replica, message);
    await settled(replica, message);
    expect(replica.factsOf(message).map(({ kind }) => kind)).toEqual(['broadcast']);
    expect(await purposesOf(replica, message)).toEqual(['payload']);
  });

  it('cancels nothing that a private endpoint refuses for longer than nodes may', async () => {
    const replica = await start({ privateForMs: 3_000, replaceAfterMs: 200 });
    refuse('rate limited');
    await pay(replica, 'refused for long');
    await settled(replica, 'refused for long');
    expect(await purposesOf(replica, 'refused for long')).toEqual(['payload']);
    expect(sentTo(node)).toBeGreaterThan(0);
  });

  it('shows a cancellation to all nodes: it has nothing to hide', async () => {
    const replica = await start({ privateForMs: LONG_MS, isHeld: async () => true });
    await pay(replica, 'held');
    await settled(replica, 'held', 'dropped');
    expect(kept).toEqual([]);
  });

  it('keeps transactions public that are not private, and all of a chain without an endpoint', async () => {
    const replica = await start({ privateForMs: LONG_MS });
    await pay(replica, 'open', false);
    await settled(replica, 'open');
    // Any replica may send what another one has recorded.
    await bench.stopReplicas(replica);
    const other = await start({ privateForMs: LONG_MS, privateRpcUrls: [] });
    await pay(other, 'without');
    await settled(other, 'without');
    expect(kept).toEqual([]);
  });
});

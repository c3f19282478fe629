import type { Chain } from '@bascule/chain';
import { FILL_OUTCOMES, fillAttestationTypedData, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturingServer } from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { numberToHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Address } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { collectAttestation } from './attestations.js';

const address = (digits: string) => `0x${digits.repeat(20)}` as const;
const ESCROW = address('e1');
const template: Order = {
  wallet: address('01'),
  owner: address('02'),
  originChainId: 31337n,
  destinationChainId: 31338n,
  inputToken: address('c1'),
  inputAmount: 5n,
  outputToken: address('c2'),
  minimum: 4n,
  recipient: address('03'),
  fillDeadline: 1n,
  expires: 2n,
  oracle: address('0a'),
  nonce: 1n,
};
const nothing = () => new Promise<CannedResponse>(() => undefined);

describe('a quorum of two attesters of three', () => {
  const honest = [1, 2].map(() => privateKeyToAccount(generatePrivateKey()));
  const stranger = privateKeyToAccount(generatePrivateKey());
  let order = template;
  let servers: CapturingServer[];
  /** When honest attesters answer. */
  let answering: Promise<void>;
  let misbehaves: () => CannedResponse | Promise<CannedResponse>;
  const known = new Set(honest.map(({ address: attester }) => attester.toLowerCase()));
  type Read = (signer?: string) => Promise<bigint | boolean>;
  /** The oracle's two reads. */
  const truth: Read = (signer) =>
    Promise.resolve(signer === undefined ? 2n : known.has(signer.toLowerCase()));
  const away: Read = () => Promise.reject(new Error('node is away'));
  /** Reads of each node. */
  let nodes: Read[] = [truth];
  const chainOf = (count: number) => {
    const readContract =
      (node: number) =>
      ({ args: [signer] = [] }: { args?: string[] }) =>
        (nodes[node] ?? away)(signer);
    const endpoints = Array.from({ length: count }, (_, node) => ({
      readContract: readContract(node),
    }));
    return { name: 'alphanet', client: endpoints[0], endpoints } as unknown as Chain;
  };
  let chain: Chain;

  const answerOf = async (
    attester: PrivateKeyAccount,
    filler: Address = zeroAddress,
  ): Promise<CannedResponse> => {
    const [outcome, code] =
      filler === zeroAddress
        ? ['UNFILLED', FILL_OUTCOMES.unfilled]
        : ['FILLED', FILL_OUTCOMES.filled];
    const id = orderId(order, ESCROW);
    const signature = await attester.signTypedData(
      fillAttestationTypedData(
        { orderId: id, outcome: code, filler },
        { chainId: order.originChainId, oracle: order.oracle },
      ),
    );
    return { body: JSON.stringify({ order_id: id, outcome, filler, signature }) };
  };
  beforeEach(async () => {
    // Signatures are kept: each test has an order of its own.
    order = { ...template, nonce: order.nonce + 1n };
    nodes = [truth];
    chain = chainOf(1);
    answering = Promise.resolve();
    servers = await Promise.all([
      startCapturingServer(() => misbehaves()),
      ...honest.map((attester) =>
        startCapturingServer(() => answering.then(() => answerOf(attester))),
      ),
    ]);
  });
  afterEach(() => Promise.all(servers.map((server) => server.stop())));

  const collect = (asked: readonly CapturingServer[], signal?: AbortSignal) =>
    collectAttestation({
      urls: asked.map(({ url }) => url),
      order,
      escrow: ESCROW,
      chain,
      ...(signal && { signal }),
    });

  it.each<[string, () => CannedResponse | Promise<CannedResponse>]>([
    ['never answers', nothing],
    ['answers 100 MB', () => ({ body: `"${'x'.repeat(100 * 1024 * 1024)}"` })],
    ['answers HTML', () => ({ body: '<html>' })],
    ['answers deep JSON', () => ({ body: '['.repeat(8_000) + ']'.repeat(8_000) })],
    [
      'refuses with deep JSON',
      () => ({ status: 400, body: '['.repeat(8_000) + ']'.repeat(8_000) }),
    ],
    ['answers wrong types', () => ({ body: '{"order_id":1,"signature":[]}' })],
    ['signs with a key of nobody', () => answerOf(stranger)],
    ['repeats the signature of another', () => answerOf(honest[0] ?? stranger)],
    ['answers 429', () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '{}' })],
    ['answers 500', () => ({ status: 500, body: '{}' })],
    ['redirects', () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } })],
  ])('agrees beside one that %s', async (_, answer) => {
    misbehaves = answer;
    const collected = await collect(servers);
    expect(collected?.outcome).toBe('UNFILLED');
    expect(collected?.signatures).toHaveLength(2);
  });

  it('waits for one that never answers five times only', async () => {
    misbehaves = nothing;
    const [bad, good] = servers;
    if (!bad || !good) throw new Error('no servers');
    for (let round = 0; round < 5; round += 1) {
      await expect(collect([bad, good], AbortSignal.timeout(200))).rejects.toThrow();
    }
    expect(bad.requests).toHaveLength(5);
    // Without a time limit of its own: the open circuit answers at once.
    expect(await collect([bad, good])).toBeNull();
    expect(bad.requests).toHaveLength(5);
    expect(await collect(servers)).toMatchObject({ outcome: 'UNFILLED' });
  });

  it('agrees although no two of them answer in the same round', async () => {
    misbehaves = () => ({ status: 503, body: '{"error":{"code":"busy"}}' });
    const [busy, first, second] = servers;
    if (!busy || !first || !second) throw new Error('no servers');
    expect(await collect([busy, first])).toBeNull();
    const collected = await collect([busy, second]);
    expect(collected?.outcome).toBe('UNFILLED');
    expect(collected?.signatures).toHaveLength(2);
    expect(await collect([busy])).toBeNull();
  });

  it('counts only the newest word of each attester', async () => {
    const [changing] = servers;
    const [one, other] = honest;
    if (!changing || !one || !other) throw new Error('no attesters');
    const filler = address('05');
    for (const answer of [answerOf(one, filler), answerOf(one), answerOf(other, filler)]) {
      misbehaves = () => answer;
      expect(await collect([changing])).toBeNull();
    }
    misbehaves = () => answerOf(one, filler);
    expect(await collect([changing])).toMatchObject({ outcome: 'FILLED' });
  });

  describe('on a chain with a lying first node', () => {
    const signaturesOf = (answers: readonly CannedResponse[]) =>
      answers.map(({ body }) => (JSON.parse(String(body)) as { signature: string }).signature);
    const withNodes = (...reads: Read[]): void => {
      // An oracle of its own, of which nothing is cached.
      order = { ...order, oracle: numberToHex(order.nonce, { size: 20 }) };
      nodes = reads;
      chain = chainOf(reads.length);
    };

    it.each<[string, Read]>([
      [
        'a quorum of a thousand',
        (signer) => (signer === undefined ? Promise.resolve(1_000n) : truth(signer)),
      ],
      ['no attester', (signer) => (signer === undefined ? truth() : Promise.resolve(false))],
    ])('is reached though that node, one of three, reports %s', async (_, lie) => {
      withNodes(lie, truth, truth);
      expect(await collect(servers.slice(1))).toMatchObject({ outcome: 'UNFILLED' });
      // Fixed at deployment: a node that answers alone later cannot change it.
      nodes = [lie, away, away];
      expect(await collect(servers.slice(1))).toMatchObject({ outcome: 'UNFILLED' });
    });

    it('fails where one of two denies an attester whom the quorum needs', async () => {
      withNodes((signer) => (signer === undefined ? truth() : Promise.resolve(false)), truth);
      await expect(collect(servers.slice(1))).rejects.toThrow('disagree about the attester');
    });

    it('is reached where nodes disagree only about a signer that it does not need', async () => {
      misbehaves = () => answerOf(stranger);
      const { promise, resolve } = Promise.withResolvers<void>();
      answering = promise;
      withNodes((signer) => {
        if (signer !== stranger.address) return truth(signer);
        resolve();
        return Promise.resolve(true);
      }, truth);
      expect(await collect(servers)).toMatchObject({ outcome: 'UNFILLED' });
    });

    it('counts no signature of a stranger that it alone confirmed earlier', async () => {
      misbehaves = () => answerOf(stranger);
      const [liar, first, second] = servers;
      if (!liar || !first || !second) throw new Error('no servers');
      withNodes((signer) => (signer === undefined ? truth() : Promise.resolve(true)), away);
      expect((await collect([liar, first]))?.signatures).toHaveLength(2);
      nodes = [truth, truth];
      const collected = await collect([first, second]);
      const expected = signaturesOf(await Promise.all(honest.map((one) => answerOf(one))));
      expect(collected?.signatures.toSorted()).toEqual(expected.toSorted());
    });
  });
});

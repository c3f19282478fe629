import type { Chain, EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { BlockNotFoundError, TransactionReceiptNotFoundError } from 'viem';
import type { Hash, TransactionReceipt } from 'viem';
import { readChainState } from './chain-state.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

const HEAD = 100n;
const CONFIRMATIONS = 3;
const NONCE = 7;
const GAS_USED = 21_000n;
const HASH: Hash = `0x${'11'.repeat(32)}`;
const BLOCK_HASH: Hash = `0x${'22'.repeat(32)}`;

const SIGNER = '0x01';
const transaction = { signer: SIGNER, nonce: BigInt(NONCE) } as unknown as StoredTransaction;
const attempts = [{ hash: HASH }] as unknown as StoredAttempt[];

interface NodeFacts {
  /** Next nonce of the signer in every block. */
  nonce: number;
  /** Next nonce of the signer in the final block. */
  finalNonce?: number;
  minedIn?: bigint;
  /** Hash, status and logs of the receipt. */
  blockHash?: Hash;
  status?: 'success' | 'reverted';
  logs?: object[];
  /** Fields of the receipt that no other node reports. */
  claims?: Partial<TransactionReceipt>;
  /** Hash of the block at that height, where a reorg replaced it. */
  replacedBy?: Hash;
  /** Thrown for the block of the receipt. */
  blockError?: Error;
  /** Hashes of transactions in the block of the receipt; that of the receipt by default. */
  inBlock?: Hash[];
  head?: bigint;
  isSilent?: boolean;
  /** Answers to nothing but the head. */
  isBroken?: boolean;
}

function requireAnswer({ isSilent = false, isBroken = false }: NodeFacts): void {
  if (isSilent || isBroken) throw new Error('no answer');
}

const headOf = ({ head = HEAD }: NodeFacts): bigint => head;

/** Endpoint with these facts; every other question fails. */
const endpoint = (facts: NodeFacts, finalBlock: bigint): EndpointClient => {
  const head = headOf(facts);
  return {
    getBlockNumber: async () => {
      if (facts.isSilent === true) throw new Error('no answer');
      return head;
    },
    getTransactionCount: async (asked: { address: string; blockNumber?: bigint }) => {
      expect(asked.address).toBe(SIGNER);
      requireAnswer(facts);
      if (asked.blockNumber === undefined) return facts.nonce;
      expect(asked.blockNumber).toBe(finalBlock);
      return facts.finalNonce ?? facts.nonce;
    },
    getTransactionReceipt: async ({ hash }: { hash: Hash }) => {
      expect(hash).toBe(HASH);
      requireAnswer(facts);
      if (facts.minedIn === undefined) throw new TransactionReceiptNotFoundError({ hash });
      const { minedIn: blockNumber, blockHash = BLOCK_HASH, logs = [] } = facts;
      const costs = { gasUsed: GAS_USED, effectiveGasPrice: 1n };
      const receipt = { blockNumber, blockHash, status: facts.status ?? 'success', logs };
      return { ...receipt, ...costs, ...facts.claims };
    },
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => {
      if (facts.blockError !== undefined) throw facts.blockError;
      requireAnswer(facts);
      if (blockNumber > head && facts.claims === undefined)
        throw new BlockNotFoundError({ blockNumber });
      const transactions = facts.inBlock ?? (facts.minedIn === blockNumber ? [HASH] : []);
      return { hash: facts.replacedBy ?? facts.blockHash ?? BLOCK_HASH, transactions };
    },
  } as unknown as EndpointClient;
};

function stateAt(...nodes: NodeFacts[]) {
  const heads = nodes.filter(({ isSilent }) => isSilent !== true).map(headOf);
  heads.sort((a, b) => Number(a - b));
  const agreed = heads[Math.floor((heads.length - 1) / 2)] ?? 0n;
  const finalBlock = agreed - BigInt(CONFIRMATIONS) + 1n;
  const chain = {
    name: 'alphanet',
    definition: { confirmations: CONFIRMATIONS },
    endpoints: nodes.map((facts) => endpoint(facts, finalBlock)),
  };
  return readChainState(chain as unknown as Chain, transaction, attempts);
}

const USED_BY_ANOTHER: NodeFacts = { nonce: NONCE + 1 };
/** Has a receipt in a block of its own. */
const FORKED: NodeFacts = {
  ...{ nonce: NONCE + 1, minedIn: HEAD - 2n },
  blockHash: `0x${'44'.repeat(32)}`,
};
/** Has a receipt in a block of the chain, which nobody else has in it. */
const INVENTED: NodeFacts = { nonce: NONCE + 1, minedIn: HEAD - 2n };

describe('readChainState', () => {
  it('waits while the nonce is unused', async () => {
    expect(await stateAt({ nonce: NONCE })).toEqual({ state: 'waiting', isNext: true });
    expect(await stateAt({ nonce: NONCE - 1 })).toEqual({ state: 'waiting', isNext: false });
  });

  it.each([
    [HEAD, { state: 'mined', missingConfirmations: 2n }],
    [HEAD - 1n, { state: 'mined', missingConfirmations: 1n }],
    [HEAD - 2n, { state: 'confirmed' }],
  ])('counts the confirmations of a receipt in block %d', async (minedIn, state) => {
    expect(await stateAt({ nonce: NONCE + 1, minedIn })).toMatchObject(state);
  });

  it('ignores a receipt of a block that a reorg removed', async () => {
    const replacedBy: Hash = `0x${'33'.repeat(32)}`;
    const state = await stateAt({ nonce: NONCE, minedIn: HEAD - 2n, replacedBy });
    expect(state).toEqual({ state: 'waiting', isNext: true });
  });

  it('ignores a receipt whose block the node no longer has', async () => {
    const blockError = new BlockNotFoundError({ blockNumber: HEAD });
    expect(await stateAt({ nonce: NONCE, minedIn: HEAD, blockError })).toEqual({
      state: 'waiting',
      isNext: true,
    });
  });

  it('fails when the node fails', async () => {
    const blockError = new Error('node unavailable');
    await expect(stateAt({ nonce: NONCE, minedIn: HEAD, blockError })).rejects.toBe(blockError);
  });

  it('returns dead only where the chain has a final block', async () => {
    expect(await stateAt({ ...USED_BY_ANOTHER, head: 1n })).toEqual({
      state: 'waiting',
      isNext: false,
    });
    expect(await stateAt({ ...USED_BY_ANOTHER, head: 2n })).toEqual({ state: 'dead' });
  });

  it('returns dead once both endpoints have the nonce used in a final block', async () => {
    expect(await stateAt(USED_BY_ANOTHER, USED_BY_ANOTHER)).toEqual({ state: 'dead' });
  });

  it.each<[string, NodeFacts]>([
    ['has the nonce used in a block that is not final', { nonce: NONCE + 1, finalNonce: NONCE }],
    ['has the receipt', { nonce: NONCE + 1, minedIn: HEAD - 2n }],
    ['fails', { ...USED_BY_ANOTHER, isBroken: true }],
  ])('does not return dead while one of two endpoints %s', async (_facts, other) => {
    expect(await stateAt(USED_BY_ANOTHER, other)).toEqual({ state: 'waiting', isNext: false });
  });

  it.each([
    ['ahead', USED_BY_ANOTHER],
    ['behind', { nonce: NONCE - 1 }],
  ])('waits as the next one where one of two endpoints is %s', async (_, other) => {
    for (const nodes of [
      [other, { nonce: NONCE }],
      [{ nonce: NONCE }, other],
    ]) {
      expect(await stateAt(...nodes)).toEqual({ state: 'waiting', isNext: true });
    }
  });

  it.each<[string, NodeFacts]>([
    ['has the nonce unused', { nonce: NONCE }],
    ['has the nonce used in a block that is not final', { nonce: NONCE + 1, finalNonce: NONCE }],
    ['lags', { nonce: NONCE, head: HEAD - 1n }],
    ['is far ahead', { ...USED_BY_ANOTHER, finalNonce: NONCE, head: HEAD + 1_000n }],
    ['does not answer', { ...USED_BY_ANOTHER, isSilent: true }],
    ['fails', { ...USED_BY_ANOTHER, isBroken: true }],
    ['reports a receipt in a block that the others do not have', FORKED],
    ['reports a receipt in a block that has no such transaction', INVENTED],
    ['reports a receipt above the head', { ...INVENTED, minedIn: HEAD + 9n, head: HEAD + 9n }],
  ])('returns dead though one of three endpoints %s', async (_facts, other) => {
    for (const nodes of [
      [other, USED_BY_ANOTHER, USED_BY_ANOTHER],
      [USED_BY_ANOTHER, USED_BY_ANOTHER, other],
    ]) {
      expect(await stateAt(...nodes)).toEqual({ state: 'dead' });
    }
  });

  it('returns dead by two of three where the node at the head is the one that lies', async () => {
    const behind = { ...USED_BY_ANOTHER, head: HEAD - 1n };
    expect(await stateAt(behind, USED_BY_ANOTHER, { nonce: NONCE, head: HEAD + 9n })).toEqual({
      state: 'dead',
    });
  });

  it('does not return dead while the block of a reported receipt has the transaction on another endpoint', async () => {
    const mined = { nonce: NONCE + 1, minedIn: HEAD - 2n };
    // A node may have the block before it has its receipts.
    const withoutReceipts = { ...USED_BY_ANOTHER, inBlock: [HASH] };
    expect(await stateAt(mined, withoutReceipts, USED_BY_ANOTHER)).toEqual({
      state: 'waiting',
      isNext: false,
    });
  });

  it('does not return dead while only one endpoint denies a reported receipt', async () => {
    const mined = { nonce: NONCE + 1, minedIn: HEAD - 2n };
    const withoutBlock = { ...USED_BY_ANOTHER, blockError: new Error('node unavailable') };
    expect(await stateAt(mined, withoutBlock, USED_BY_ANOTHER)).toEqual({
      state: 'waiting',
      isNext: false,
    });
  });
});

describe('readChainState with several endpoints', () => {
  const mined = { nonce: NONCE + 1, minedIn: HEAD - 2n };
  const log = { address: '0xAA', topics: ['0x01'], data: '0x' };

  it('returns confirmed once two of them have the same receipt', async () => {
    expect(await stateAt(mined, mined)).toMatchObject({ state: 'confirmed' });
    expect(await stateAt({ nonce: NONCE }, mined, mined)).toMatchObject({ state: 'confirmed' });
    const sameLog = { ...mined, logs: [{ ...log, address: '0xaa' }] };
    expect(await stateAt({ ...mined, logs: [log] }, sameLog)).toMatchObject({ state: 'confirmed' });
  });

  it.each<[string, NodeFacts]>([
    ['no receipt', { nonce: NONCE + 1, finalNonce: NONCE }],
    ['a receipt in another block', { ...mined, blockHash: `0x${'44'.repeat(32)}` }],
    ['a reverted one', { ...mined, status: 'reverted' }],
    ['other logs', { ...mined, logs: [log] }],
  ])('waits while one has the receipt and the other %s', async (_what, other) => {
    expect(await stateAt(mined, other)).toMatchObject({ state: 'waiting' });
    expect(await stateAt(other, mined)).toMatchObject({ state: 'waiting' });
  });

  it.each<[string, Partial<TransactionReceipt>]>([
    ['a block far above the head', { blockNumber: 10n ** 12n }],
    ['the first block', { blockNumber: 1n }],
    ['a huge use of gas', { gasUsed: 10n ** 78n }],
    ['a huge price of gas', { effectiveGasPrice: 10n ** 78n }],
  ])(
    'takes block and costs from two of three while the first reports %s',
    async (_what, claims) => {
      for (const minedIn of [HEAD - 2n, HEAD]) {
        const honest = { ...mined, minedIn };
        const state = await stateAt({ ...honest, claims }, honest, honest);
        expect(state).toEqual(await stateAt(honest, honest));
      }
      expect(await stateAt({ ...mined, claims }, mined)).toMatchObject({ state: 'waiting' });
    },
  );

  it('takes the place of a log from two of three', async () => {
    const at = (logIndex: number): NodeFacts => ({ ...mined, logs: [{ ...log, logIndex }] });
    const state = await stateAt(at(9), at(1), at(1));
    expect(state).toMatchObject({ state: 'confirmed', receipt: { logs: [{ logIndex: 1 }] } });
  });

  it('lets two that have no receipt go on when one reports it', async () => {
    const unused = { nonce: NONCE };
    expect(await stateAt(unused, mined, unused)).toEqual({ state: 'waiting', isNext: true });
  });

  it('returns no transaction as dead on the word of the only one that answers of two', async () => {
    const silent = { ...USED_BY_ANOTHER, isSilent: true };
    expect(await stateAt(USED_BY_ANOTHER, silent)).toEqual({ state: 'waiting', isNext: false });
  });
});

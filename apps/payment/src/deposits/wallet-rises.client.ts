import { settleWithGrace, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import type { Address } from 'viem';
import { largeRise } from './large-rise.js';
import type { Rise } from './large-rise.js';
import { nativeBalanceAt } from './native-balances.client.js';
import { explainedAt } from './native-ledger.js';
import type { NativeLedger } from './native-ledger.js';

/** Longest time for one balance. */
const BALANCE_MS = 10_000;
/** Wait for slower nodes once enough have answered. */
const STRAGGLER_MS = 3_000;
/** Longest time for the search of one node's balances, which takes about 50 reads at most. */
const RISE_MS = 30_000;
/** Deepest search, in blocks: weeks on the fastest chains. */
const DEPTH = 2n ** 23n;

/** Wallet whose balance after a final block the ledger does not explain. */
export interface UnexplainedWallet {
  paymentId: string;
  address: Address;
  height: bigint;
  balance: bigint;
  ledger: NativeLedger;
}

/** Balance of the wallet at its height as a node has it; null where the node has no state of the block. */
interface NodeBalance {
  node: EndpointClient;
  balance: bigint | null;
}

/** Money of the wallet that the ledger does not explain, as a node has it. */
export interface Claim {
  node: EndpointClient;
  unexplained: bigint;
}

/** Asks nodes for the balance at the wallet's height; those that fail, or are much slower than two others, are left out. */
export async function balancesOf(
  chain: Pick<Chain, 'endpoints'>,
  nodes: readonly EndpointClient[],
  { address, height }: UnexplainedWallet,
  failed: (node: EndpointClient) => void,
): Promise<NodeBalance[]> {
  const reads = nodes.map(async (node): Promise<NodeBalance> => {
    try {
      const read = nativeBalanceAt(node, address, height);
      return { node, balance: await withTimeout(BALANCE_MS, read) };
    } catch (error) {
      failed(node);
      throw error;
    }
  });
  const quorum = { results: witnessesNeeded(chain), waitMs: BALANCE_MS };
  return (await settleWithGrace(reads, STRAGGLER_MS, quorum)).values;
}

/**
 * Returns each node's claim, first of those that have the block's state. The others count as having the noted balance, which
 * one of them may have shown before.
 */
export function claimsOf(
  balances: readonly NodeBalance[],
  { height, balance: noted, ledger }: UnexplainedWallet,
): Claim[] {
  const ordered = balances.toSorted(
    (one, other) => Number(one.balance === null) - Number(other.balance === null),
  );
  return ordered.map(({ node, balance }) => ({
    node,
    unexplained: (balance ?? noted) - explainedAt(ledger, height),
  }));
}

/** Finds a large rise of the wallet's balance as a node has it; null where the node has none. */
export function riseOf(
  { node, unexplained }: Claim,
  wallet: UnexplainedWallet,
): Promise<Rise | null> {
  const { height, ledger } = wallet;
  const floor = ledger.since?.block ?? (height > DEPTH ? height - DEPTH : 0n);
  return withTimeout(RISE_MS, (signal) =>
    largeRise(
      (block) => {
        signal.throwIfAborted();
        return unexplainedAt(node, wallet, block);
      },
      { floor, height, unexplained },
    ),
  );
}

/**
 * Requires the needed number of nodes for a rise that others deny. Those without the block's state deny nothing.
 * @throws where too few confirm it
 */
export async function requireUndenied(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  node: EndpointClient,
  wallet: UnexplainedWallet,
  { block, amount }: Rise,
): Promise<void> {
  const others = chain.endpoints.filter((endpoint) => endpoint !== node);
  if (others.length === 0) return;
  const reads = others.map(async (other): Promise<boolean> => {
    const both = [block, block - 1n].map((number) => unexplainedAt(other, wallet, number));
    const [after, before] = await withTimeout(BALANCE_MS, Promise.all(both));
    if (after == null || before == null) throw new Error(`no state of block ${block}`);
    return after - before >= amount;
  });
  const { values } = await settleWithGrace(reads, STRAGGLER_MS);
  const confirmed = 1 + values.filter(Boolean).length;
  if (confirmed >= witnessesNeeded(chain) || !values.includes(false)) return;
  throw new Error(`no second node of ${chain.name} confirms money in block ${block}`);
}

async function unexplainedAt(
  node: EndpointClient,
  { address, ledger }: UnexplainedWallet,
  block: bigint,
): Promise<bigint | null> {
  const balance = await nativeBalanceAt(node, address, block);
  return balance === null ? null : balance - explainedAt(ledger, block);
}

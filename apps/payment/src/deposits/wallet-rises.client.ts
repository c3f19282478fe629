import { maxAmount, minAmount } from '@bascule/amounts';
import { settleUntil, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import type { Address } from 'viem';
import { largeRise } from './large-rise.js';
import type { Rise } from './large-rise.js';
import { nativeBalanceAt } from './native-balances.client.js';
import { explainedAt } from './native-ledger.js';
import type { NativeLedger } from './native-ledger.js';

/** Longest time for the search of one node's balances, which takes about 70 reads at most. */
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

/** Balance of the wallet at its height as a node has it. */
export interface NodeBalance {
  node: EndpointClient;
  balance: bigint;
  /** False where the node has no state of the height. */
  hasState: boolean;
}

/** Money of the wallet that the ledger does not explain, as a node has it. */
export interface NodeFinding extends NodeBalance {
  unexplained: bigint;
}

/** A rise as a node has it. */
export interface NodeRise {
  node: EndpointClient;
  rise: Rise;
}

/** Asks one node, and gives up after some time. */
export type Ask = <T>(node: EndpointClient, work: () => Promise<T>) => Promise<T>;

/** Asks all nodes for the balance at the wallet's height, or until enough have it explained. Those that fail are left out. */
export async function balancesOf(
  chain: Pick<Chain, 'endpoints'>,
  wallet: UnexplainedWallet,
  ask: Ask,
): Promise<NodeBalance[]> {
  const needed = witnessesNeeded(chain);
  const reads = chain.endpoints.map((node) => ask(node, () => balanceOf(node, wallet)));
  const isExplained = (it: NodeBalance) => unexplainedIn(it, wallet) <= 0n;
  const isOver = (known: readonly NodeBalance[]) => known.filter(isExplained).length >= needed;
  return (await settleUntil(reads, isOver)).values;
}

/**
 * Reads a balance. A node without the state of the height has the noted balance, which one node may have invented, or the
 * current one where that is lower.
 */
async function balanceOf(
  node: EndpointClient,
  { address, height, balance: noted }: UnexplainedWallet,
): Promise<NodeBalance> {
  const balance = await nativeBalanceAt(node, address, height);
  if (balance !== null) return { node, balance, hasState: true };
  const [head, current] = await Promise.all([
    node.getBlockNumber({ cacheTime: 0 }),
    node.getBalance({ address }),
  ]);
  if (head < height) throw new Error(`a node has not reached block ${height}`);
  return { node, balance: minAmount(noted, current), hasState: false };
}

const unexplainedIn = (
  { balance }: NodeBalance,
  { height, ledger }: Pick<UnexplainedWallet, 'height' | 'ledger'>,
): bigint => balance - explainedAt(ledger, height);

/** Compares balances with the ledger. */
export const findingsOf = (
  balances: readonly NodeBalance[],
  wallet: Pick<UnexplainedWallet, 'height' | 'ledger'>,
): NodeFinding[] => balances.map((it) => ({ ...it, unexplained: unexplainedIn(it, wallet) }));

/** Finds a large rise of the wallet's balance as a node has it; null where the node has none. */
export function riseOf(
  { node, unexplained }: NodeFinding,
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
 * Asks the other nodes for a rise: `confirmed` by as many as are needed, else `denied` by one, else `unknown`, where they
 * do not answer or have no state of the block. An inexact rise only says that the money arrived up to its block: a node
 * that has the money earlier does not deny it, and neither does one alone whose denial enough balances contradict.
 */
export async function verdictOn(
  chain: Pick<Chain, 'endpoints'>,
  { node, rise }: NodeRise,
  wallet: UnexplainedWallet,
  findings: readonly NodeFinding[],
  ask: Ask,
): Promise<'confirmed' | 'denied' | 'unknown'> {
  const others = chain.endpoints.filter((endpoint) => endpoint !== node);
  const needed = witnessesNeeded(chain);
  if (needed === 1) return 'confirmed';
  const reads = others.map((other) => ask(other, () => isRise(other, rise, wallet, findings)));
  const isConfirmed = (known: readonly (boolean | null)[]) =>
    known.filter((it) => it === true).length >= needed - 1;
  const { values } = await settleUntil(reads, isConfirmed);
  if (isConfirmed(values)) return 'confirmed';
  const holders = findings.filter(({ unexplained }) => unexplained >= rise.amount).length;
  const isHeld = !rise.isExact && holders >= needed;
  return values.includes(false) && !isHeld ? 'denied' : 'unknown';
}

/** Null where the node has no state of the block; a lower sum at the wallet's height denies the rise nevertheless. */
async function isRise(
  node: EndpointClient,
  { block, amount, isExact }: Rise,
  wallet: UnexplainedWallet,
  findings: readonly NodeFinding[],
): Promise<boolean | null> {
  const known = findings.find((finding) => finding.node === node);
  if (known !== undefined && known.unexplained < amount) return false;
  const both = [block, block - 1n].map((number) => unexplainedAt(node, wallet, number));
  const [after, before] = await Promise.all(both);
  if (after == null || before == null) return null;
  if (maxAmount(after, 0n) - maxAmount(before, 0n) === amount) return true;
  return !isExact && after >= amount ? null : false;
}

async function unexplainedAt(
  node: EndpointClient,
  { address, ledger }: UnexplainedWallet,
  block: bigint,
): Promise<bigint | null> {
  const balance = await nativeBalanceAt(node, address, block);
  return balance === null ? null : balance - explainedAt(ledger, block);
}

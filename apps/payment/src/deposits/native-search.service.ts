import { NodesUnavailableError, witnessesNeeded, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { plainTransfers } from './block-reader.client.js';
import type { Rise } from './large-rise.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { Arrival } from './payment-deposits.js';
import { RiseBlocksClient } from './rise-blocks.client.js';
import { isSameBlock } from './scanned-chain.js';
import { ScannedBlocksService } from './scanned-blocks.service.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import { PLAIN_POSITION } from './transfers.js';
import type { Transfer } from './transfers.js';
import { balancesOf, claimsOf, requireUndenied, riseOf } from './wallet-rises.client.js';
import type { Claim, UnexplainedWallet } from './wallet-rises.client.js';

/** Blocks of a wallet that one turn finds. */
const RISES_PER_TURN = 4;
/** Time of a turn after which it asks no further node. */
const TURN_MS = 40_000;
/** Longest time for a block and its transactions, besides the trace. */
const BLOCK_MS = 10_000;
/** Time for which other nodes are preferred to one that failed or was slow. */
const AVOIDED_MS = 60_000;
/** Duration of the search of a node's balances from which on it was slow. */
const SLOW_MS = 5_000;

export interface FoundMoney {
  arrivals: Arrival[];
  /** Money without a rise in the balances of two nodes; null while there may be rises. */
  residue: bigint | null;
}

/** Finds the blocks and transactions of native money that a balance has shown. */
@Injectable()
export class NativeSearchService {
  private readonly blocks: RiseBlocksClient;
  private readonly arrivalsMs: number;
  /** Time of each node's last failure or slow search, by a monotonic clock. */
  private readonly failedAt = new WeakMap<EndpointClient, number>();

  constructor(
    private readonly wallets: NativeWalletsRepository,
    private readonly scanned: ScannedBlocksService,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.blocks = new RiseBlocksClient(timing.traceMs);
    this.arrivalsMs = timing.traceMs + BLOCK_MS;
  }

  /**
   * Finds some of the money, large sums first.
   * @param nodes those to ask; only two of them, or the only one, can say that no block explains the money
   * @throws where no node's answers can be used now
   */
  async find(
    chain: Chain,
    nodes: readonly EndpointClient[],
    wallet: UnexplainedWallet,
  ): Promise<FoundMoney> {
    const ends = performance.now() + TURN_MS;
    const balances = await balancesOf(chain, this.preferred(nodes), wallet, (node) => {
      this.noteFailure(node);
    });
    const arrivals: Arrival[] = [];
    let { ledger } = wallet;
    for (let rises = 0; rises < RISES_PER_TURN; rises++) {
      try {
        const now = { ...wallet, ledger };
        const found = await this.next(chain, claimsOf(balances, now), now, ends);
        if (found.rise === null) return { arrivals, residue: found.residue };
        arrivals.push(...found.arrivals);
        ledger = { ...ledger, deposits: [...ledger.deposits, found.rise] };
      } catch (error) {
        // What was found before is recorded; the next turn meets this block first.
        if (arrivals.length === 0) throw error;
        break;
      }
    }
    return { arrivals, residue: null };
  }

  /** Has a block read again that the scanner does not have. */
  forget(chain: Chain, number: bigint): void {
    this.blocks.forget(chain, number);
  }

  /** Finds one rise with its transfers, by the first node whose answers can be used; else what has no rise. */
  private async next(
    chain: Chain,
    claims: readonly Claim[],
    wallet: UnexplainedWallet,
    ends: number,
  ): Promise<{ rise: Rise; arrivals: Arrival[] } | { rise: null; residue: bigint }> {
    const residues = claims.flatMap(({ unexplained }) => (unexplained <= 0n ? [0n] : []));
    const failures: unknown[] = [];
    for (const claim of claims) {
      if (claim.unexplained <= 0n) continue;
      if (residues.length >= witnessesNeeded(chain) || performance.now() > ends) break;
      const began = performance.now();
      try {
        const rise = await riseOf(claim, wallet);
        if (performance.now() - began > SLOW_MS) this.noteFailure(claim.node);
        if (rise === null) {
          residues.push(claim.unexplained);
          continue;
        }
        await requireUndenied(chain, claim.node, wallet, rise);
        return { rise, arrivals: await this.arrivalsIn(chain, claim.node, wallet, rise) };
      } catch (error) {
        // All nodes were asked for the trace.
        if (error instanceof TracesUnavailableError) throw error;
        this.noteFailure(claim.node);
        failures.push(error);
      }
    }
    const descending = residues.toSorted((one, other) => (one < other ? 1 : -1));
    const residue = descending[witnessesNeeded(chain) - 1];
    if (residue !== undefined) return { rise: null, residue };
    throw new NodesUnavailableError(
      `nodes of ${chain.name} disagree about native money, or too few answered`,
      failures,
    );
  }

  private preferred(nodes: readonly EndpointClient[]): EndpointClient[] {
    const since = performance.now() - AVOIDED_MS;
    const failed = (node: EndpointClient) => Math.max(since, this.failedAt.get(node) ?? since);
    return nodes.toSorted((one, other) => failed(one) - failed(other));
  }

  private noteFailure(node: EndpointClient): void {
    this.failedAt.set(node, performance.now());
  }

  /** Transfers that explain a rise, and an arrival of unknown origin for what they do not explain. */
  private async arrivalsIn(
    chain: Chain,
    node: EndpointClient,
    wallet: UnexplainedWallet,
    rise: Rise,
  ): Promise<Arrival[]> {
    try {
      return await withTimeout(this.arrivalsMs, this.readArrivals(chain, node, wallet, rise));
    } catch (error) {
      // The block may have been read before a reorg, or from a node that lies.
      this.forget(chain, rise.block);
      throw error;
    }
  }

  /** @throws where the block is not the scanned one, or beyond the retention not the one that two nodes have */
  private async readArrivals(
    chain: Chain,
    node: EndpointClient,
    { paymentId, address }: UnexplainedWallet,
    rise: Rise,
  ): Promise<Arrival[]> {
    const { block, traced } = await this.blocks.read(chain, node, rise.block);
    if (!isSameBlock(await this.scanned.block(chain, rise.block), block)) {
      throw new Error(`block ${rise.block} of ${chain.name} is not the scanned one`);
    }
    const recorded = await this.wallets.recordedIn(paymentId, chain.name, rise.block);
    const isOf = ({ to }: { to: Address }) => to.toLowerCase() === address.toLowerCase();
    const isNew = (transfer: Transfer): boolean =>
      isOf(transfer) &&
      transfer.from.toLowerCase() !== address.toLowerCase() &&
      !recorded.has(keyOf(transfer)) &&
      !(isCall(transfer) && hasUntraced(recorded));
    const plain = await plainTransfers(node, block.hash, block.payments.filter(isOf));
    const found = [...plain, ...traced].filter(isNew);
    const sum = found.reduce((total, { amount }) => total + amount, 0n);
    // A node that tells more than arrived is wrong.
    const known = sum > rise.amount ? [] : found;
    const rest = sum > rise.amount ? rise.amount : rise.amount - sum;
    const about = { chain: chain.name, block };
    const unknown = {
      token: ZERO_ADDRESS,
      from: null,
      to: address,
      amount: rest,
      transactionHash: block.hash,
      position: freePosition(recorded, block.hash, address),
    };
    return [...known, ...(rest > 0n ? [unknown] : [])].map((it) => ({ ...it, ...about }));
  }
}

const keyOf = ({
  transactionHash,
  position,
}: Pick<Transfer, 'transactionHash' | 'position'>): string => `${transactionHash}/${position}`;

/** Whether it is a call as `trace_block` shows it. */
const isCall = ({ position }: Transfer): boolean =>
  position.startsWith(PLAIN_POSITION) && position !== PLAIN_POSITION;

/** Whether calls of the block are recorded without `trace_block`: none that it shows is recorded beside these. */
const hasUntraced = (recorded: ReadonlySet<string>): boolean =>
  [...recorded].some((key) => key.includes('/call:') || key.includes('/balance:'));

/** A position that no deposit of the block has: more may be found after money that a node had hidden. */
function freePosition(recorded: ReadonlySet<string>, block: string, address: Address): string {
  const first = `balance:${address.toLowerCase()}`;
  let position = first;
  for (let next = 1; recorded.has(`${block}/${position}`); next++) position = `${first}:${next}`;
  return position;
}

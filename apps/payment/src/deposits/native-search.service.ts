import { NodesUnavailableError, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Rise } from './large-rise.js';
import type { Arrival } from './payment-deposits.js';
import { RiseArrivalsService } from './rise-arrivals.service.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import { balancesOf, findingsOf, riseOf, verdictOn } from './wallet-rises.client.js';
import type { Ask, NodeFinding, NodeRise, UnexplainedWallet } from './wallet-rises.client.js';

/** Blocks of a wallet that one turn finds. */
const RISES_PER_TURN = 4;
/** Time of a turn after which it asks no further node for a rise, or for transfers. */
const TURN_MS = 40_000;
/** Longest time for one node's balances; for those of a node that has failed lately. */
const BALANCE_MS = 10_000;
const AVOIDED_BALANCE_MS = 2_000;
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
  /** Time of each node's last failure or slow search, by a monotonic clock. */
  private readonly failedAt = new WeakMap<EndpointClient, number>();

  constructor(private readonly arrivals: RiseArrivalsService) {}

  /**
   * Finds some of the money, large sums first. Only two nodes, or the only one, can say that no block explains it.
   * @throws where no node's answers can be used now
   */
  async find(chain: Chain, wallet: UnexplainedWallet): Promise<FoundMoney> {
    const ends = performance.now() + TURN_MS;
    const balances = await balancesOf(chain, wallet, this.askerOf(chain));
    const arrivals: Arrival[] = [];
    let { ledger } = wallet;
    for (let rises = 0; rises < RISES_PER_TURN; rises++) {
      try {
        const now = { ...wallet, ledger };
        const found = await this.next(chain, findingsOf(balances, now), now, ends);
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

  /** Finds one rise with its transfers, by the first node whose answers can be used; else what has no rise. */
  private async next(
    chain: Chain,
    findings: readonly NodeFinding[],
    wallet: UnexplainedWallet,
    ends: number,
  ): Promise<{ rise: Rise; arrivals: Arrival[] } | { rise: null; residue: bigint }> {
    const residues = findings.flatMap(({ unexplained }) => (unexplained <= 0n ? [0n] : []));
    const failures: unknown[] = [];
    const denied: NodeRise[] = [];
    const unknown: NodeRise[] = [];
    const silent = new Set<EndpointClient>();
    const ask = this.askerOf(chain, silent);
    for (const finding of this.preferred(findings)) {
      if (finding.unexplained <= 0n) continue;
      if (residues.length >= witnessesNeeded(chain) || performance.now() > ends) break;
      const { node } = finding;
      // It has just not answered about another node's rise.
      if (unknown.length > 0 && silent.has(node)) continue;
      try {
        const rise = await this.riseOf(finding, wallet);
        if (rise === null) {
          residues.push(finding.unexplained);
          continue;
        }
        const verdict = await verdictOn(chain, { node, rise }, wallet, findings, ask);
        if (verdict === 'confirmed') {
          return { rise, arrivals: await this.arrivals.of(chain, { node, rise }, wallet, ends) };
        }
        (verdict === 'denied' ? denied : unknown).push({ node, rise });
      } catch (error) {
        if (isOfAllNodes(error)) throw error;
        this.noteFailure(node);
        failures.push(error);
      }
    }
    const descending = residues.toSorted((one, other) => (one < other ? 1 : -1));
    const residue = descending[witnessesNeeded(chain) - 1];
    if (residue !== undefined) return { rise: null, residue };
    const only = uncontradicted(unknown, denied);
    // After the end of the turn, nodes may not have been asked.
    if (only !== null && performance.now() <= ends) {
      return { rise: only.rise, arrivals: await this.arrivals.of(chain, only, wallet, ends) };
    }
    throw new NodesUnavailableError(
      `nodes of ${chain.name} disagree about native money, or too few answered`,
      failures,
    );
  }

  private async riseOf(finding: NodeFinding, wallet: UnexplainedWallet): Promise<Rise | null> {
    const began = performance.now();
    const rise = await riseOf(finding, wallet);
    if (performance.now() - began > SLOW_MS) this.noteFailure(finding.node);
    return rise;
  }

  /** Puts nodes last that failed lately, or have no state of the height. */
  private preferred(findings: readonly NodeFinding[]): NodeFinding[] {
    return findings.toSorted(
      (one, other) =>
        Number(other.hasState) - Number(one.hasState) ||
        this.lastFailure(one.node) - this.lastFailure(other.node),
    );
  }

  /** Zero where the node has not failed lately. */
  private lastFailure(node: EndpointClient): number {
    const failed = this.failedAt.get(node) ?? 0;
    return performance.now() - failed > AVOIDED_MS ? 0 : failed;
  }

  private noteFailure(node: EndpointClient): void {
    this.failedAt.set(node, performance.now());
  }

  /** A node that failed lately gets little time beside one that has not. */
  private askerOf({ endpoints }: Pick<Chain, 'endpoints'>, silent = new Set()): Ask {
    return async (node, work) => {
      const isAvoided =
        this.lastFailure(node) > 0 && endpoints.some((other) => this.lastFailure(other) === 0);
      try {
        return await withTimeout(isAvoided ? AVOIDED_BALANCE_MS : BALANCE_MS, work);
      } catch (error) {
        silent.add(node);
        // So a slow node has its full time once a minute.
        if (!isAvoided) this.noteFailure(node);
        throw error;
      }
    };
  }
}

const isOfAllNodes = (error: unknown): boolean =>
  error instanceof TracesUnavailableError || error instanceof NodesUnavailableError;

/** The only rise that nobody confirms or denies, unless another one contradicts it; exact ones first, then the oldest. */
function uncontradicted(
  unknown: readonly NodeRise[],
  denied: readonly NodeRise[],
): NodeRise | null {
  const [first] = unknown.toSorted(
    ({ rise: one }, { rise: other }) =>
      Number(other.isExact) - Number(one.isExact) || Number(one.block - other.block),
  );
  if (first === undefined) return null;
  const isContradicted = [...unknown, ...denied].some(
    ({ rise }) => rise.isExact && rise.block !== first.rise.block,
  );
  return isContradicted ? null : first;
}

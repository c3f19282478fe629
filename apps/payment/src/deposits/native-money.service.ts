import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { isRefusal, nativeBalances } from './native-balances.client.js';
import { explainedAt } from './native-ledger.js';
import { NativeSearchesRepository } from './native-searches.repository.js';
import type { NativeLook } from './native-searches.repository.js';
import { NodeOrderService } from './node-order.service.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { NativeWallet } from './native-wallets.repository.js';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import type { PaymentFailure } from './set-aside.repository.js';

/** Wallets whose balances a pass reads, by ten requests. */
const WALLETS_PER_PASS = 5_000;
/** Time for which a pass waits for the balances of a second node. */
const SECOND_MS = 5_000;
/** Time for which balances are compared after a block whose traces were too large: payments may be set aside meanwhile. */
const UNTRACED_MS = 3_600_000;

interface Look {
  epoch: bigint;
  /** Newest final block; its balances are compared. */
  final: BlockPointer;
  /** Newest scanned height. */
  scanned: bigint;
  /** Payments that failed in this pass. */
  failed: readonly PaymentFailure[];
}

/**
 * Sees native currency that contracts sent, where blocks are read without traces: compares balances of open wallets with
 * the recorded facts after each final block. {@link NativeSearchWorker} searches for what these do not explain.
 */
@Injectable()
export class NativeMoneyService {
  /** Last wallet of the rotation, by chain. */
  private readonly rotation = new Map<string, NativeWallet | null>();
  /** Height up to which blocks may have been scanned without traces, by chain, while this replica holds the lease. */
  private readonly untraced = new Map<string, { epoch: bigint; until: bigint }>();

  constructor(
    private readonly wallets: NativeWalletsRepository,
    private readonly searches: NativeSearchesRepository,
    private readonly order: NodeOrderService,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /**
   * Compares balances after the final block; null where there is nothing to compare.
   * @param nodes the scanned one, then others
   */
  async look(
    nodes: readonly EndpointClient[],
    chain: Chain,
    { epoch, final, scanned, failed }: Look,
  ): Promise<NativeLook | null> {
    const isNeeded = this.isNeeded(chain, epoch, final.number, scanned);
    // A search that holds a deadline is only over after another look.
    if (!isNeeded && !(await this.searches.isHolding(chain.name))) return null;
    const skipped = new Set(failed.map(({ paymentId }) => paymentId));
    const wallets = (await this.due(chain.name, final.timestamp)).filter(
      ({ paymentId }) => !skipped.has(paymentId),
    );
    if (wallets.length === 0) return null;
    const balances = await this.balances(chain, nodes, wallets, final.number);
    return balances === null ? null : this.compare(chain.name, wallets, balances, final);
  }

  /** Has balances compared for blocks whose traces were too large. */
  noteUntraced(chain: string, blocks: readonly ScannedBlock[]): void {
    const known = this.untraced.get(chain);
    const last = blocks.findLast(({ isUntraced }) => isUntraced === true);
    if (known === undefined || last === undefined) return;
    this.untraced.set(chain, { ...known, until: last.number + this.untracedBlocks(chain) });
  }

  private untracedBlocks(name: string): bigint {
    const { chains } = this.config.chains;
    const definition = chains.map((chain) => chain.definition).find((it) => it.name === name);
    if (!definition) throw new Error(`chain "${name}" is not configured`);
    return BigInt(Math.ceil(UNTRACED_MS / definition.blockTimeMs));
  }

  /** With traces only until all blocks are final that may have been scanned without, here or by another replica. */
  private isNeeded(
    { name, definition }: Chain,
    epoch: bigint,
    final: bigint,
    scanned: bigint,
  ): boolean {
    if (definition.nativeTransfers === 'blocks') return true;
    const known = this.untraced.get(name);
    const until = known?.epoch === epoch ? known.until : scanned;
    this.untraced.set(name, { epoch, until: final >= until ? -1n : until });
    return until >= 0n;
  }

  /** All wallets, or a part in turn and those whose deadline the final block has passed. */
  private async due(chain: string, by: Date): Promise<NativeWallet[]> {
    const all = await this.wallets.list(chain, null, WALLETS_PER_PASS + 1);
    if (all.length <= WALLETS_PER_PASS) return all;
    const half = WALLETS_PER_PASS / 2;
    const turn = await this.wallets.list(chain, this.rotation.get(chain) ?? null, half);
    this.rotation.set(chain, turn.length < half ? null : (turn.at(-1) ?? null));
    const ended = await this.wallets.ended(chain, by, half);
    return [...new Map([...turn, ...ended].map((it) => [it.paymentId, it])).values()];
  }

  /**
   * The larger balances of the scanned node and another one: each could hide money, and a search must find what one invents.
   * Null where no node has the block's state, while the scanner catches up.
   */
  private async balances(
    chain: Chain,
    nodes: readonly EndpointClient[],
    wallets: readonly NativeWallet[],
    height: bigint,
  ): Promise<bigint[] | null> {
    const addresses = wallets.map(({ address }) => address);
    const read: bigint[][] = [];
    for (const [index, endpoint] of nodes.entries()) {
      try {
        const ask = () => nativeBalances(endpoint, chain.definition, addresses, height);
        read.push(await (index === 0 ? ask() : withTimeout(SECOND_MS, ask)));
      } catch (error) {
        if (!isRefusal(error)) {
          if (index === 0) throw error;
          this.order.noteFailure(endpoint);
        }
        const facts = { err: error, chain: chain.name, block: height.toString() };
        this.context.logger.warn(facts, 'balances not read');
      }
      if (read.length === 2) break;
    }
    const [one, other] = read;
    if (one === undefined) return null;
    return other === undefined ? one : one.map((balance, index) => higherOf(balance, other[index]));
  }

  private async compare(
    chain: string,
    wallets: readonly NativeWallet[],
    balances: readonly bigint[],
    { number: height, timestamp }: BlockPointer,
  ): Promise<NativeLook> {
    const compared = wallets.flatMap((wallet, index) => {
      const balance = balances[index] ?? 0n;
      const isIdle = balance === 0n && !wallet.isHeld && wallet.residue === '0';
      return isIdle ? [] : [{ wallet, balance }];
    });
    if (compared.length === 0) return { height, unexplained: [], explained: [], cleared: [] };
    const ids = compared.map(({ wallet }) => wallet.paymentId);
    const ledgers = await this.wallets.ledgers(chain, ids, height);
    const known = compared.flatMap(({ wallet, balance }) => {
      const ledger = ledgers.get(wallet.paymentId);
      if (ledger === undefined) return [];
      const amount = balance - explainedAt(ledger, height);
      const isExplained = amount <= 0n || amount === BigInt(wallet.residue);
      const { paymentId, isHeld, endsAt } = wallet;
      const isCleared = amount <= 0n && wallet.residue !== '0';
      const mayFund = balance >= BigInt(wallet.required);
      const isLast = timestamp > endsAt;
      return [{ paymentId, balance, isExplained, isHeld, isCleared, mayFund, isLast }];
    });
    return {
      height,
      unexplained: known.filter(({ isExplained }) => !isExplained),
      explained: known
        .filter(({ isExplained, isHeld }) => isExplained && isHeld)
        .map(({ paymentId }) => paymentId),
      cleared: known.filter(({ isCleared }) => isCleared).map(({ paymentId }) => paymentId),
    };
  }
}

const higherOf = (one: bigint, other = 0n): bigint => (other > one ? other : one);

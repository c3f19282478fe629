import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { isRefusal, nativeBalances } from './native-balances.client.js';
import { explainedAt } from './native-ledger.js';
import { NativeSearchesRepository } from './native-searches.repository.js';
import type { NativeLook } from './native-searches.repository.js';
import { NodeOrderService } from './node-order.service.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { NativeWallet } from './native-wallets.repository.js';
import { endsBefore } from './scanned-chain.js';
import type { BlockPointer, ScannedBlock, WalletEnd } from './scanned-chain.js';

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
  /** Last wallet whose balance was compared after the end of its funding. */
  compared: WalletEnd | null;
  /** Nodes beside the scanned one whose balances count, too: those that have the head. */
  others: readonly EndpointClient[];
}

/** Balances of one wallet, in smallest units. */
interface Balances {
  /** Told by the scanned node. */
  own: bigint;
  largest: bigint;
  lowest: bigint;
}

/**
 * Sees native currency that contracts sent, where blocks are read without traces: compares balances of open wallets with
 * the recorded facts after each final block. {@link NativeSearchWorker} searches for what these do not explain.
 */
@Injectable()
export class NativeMoneyService {
  /** Second nodes by their answers about balances, which they may refuse while they tell blocks. */
  private readonly order = new NodeOrderService();
  /** Last wallet of the rotation, by chain. */
  private readonly rotation = new Map<string, WalletEnd | null>();
  /** Height up to which blocks may have been scanned without traces, by chain, while this replica holds the lease. */
  private readonly untraced = new Map<string, { epoch: bigint; until: bigint }>();

  constructor(
    private readonly wallets: NativeWalletsRepository,
    private readonly searches: NativeSearchesRepository,
    private readonly context: ServiceContext,
  ) {}

  /** Compares balances after the final block; null where no node tells them. */
  async look(
    node: EndpointClient,
    chain: Chain,
    { epoch, final, scanned, compared: place, others }: Look,
  ): Promise<NativeLook | null> {
    const isNeeded = this.isNeeded(chain, epoch, scanned);
    // A search that holds a deadline is only over after another look.
    if (!isNeeded && !(await this.searches.isHolding(chain.name))) {
      return nothingIn(final, null);
    }
    const { wallets, last } = await this.due(chain.name, final.timestamp, place);
    const balances =
      wallets.length === 0 ? [] : await this.balances(chain, node, others, wallets, final.number);
    if (balances === null) return null;
    const compared = await this.compare(chain.name, wallets, balances, final);
    return { ...nothingIn(final, last), ...compared };
  }

  /** Has balances compared for blocks whose traces were too large. */
  noteUntraced({ name, definition }: Chain, blocks: readonly ScannedBlock[]): void {
    const known = this.untraced.get(name);
    const last = blocks.findLast(({ isUntraced }) => isUntraced === true);
    if (known === undefined || last === undefined) return;
    this.untraced.set(name, { ...known, until: last.number + untracedBlocks(definition) });
  }

  /** Has no more balances compared once a look was noted that compared all, after the last block without traces. */
  noteCompared(chain: string, final: bigint): void {
    const known = this.untraced.get(chain);
    if (known !== undefined && final >= known.until)
      this.untraced.set(chain, { ...known, until: -1n });
  }

  /** With traces only until all blocks are final that may have been scanned without, here or by another replica. */
  private isNeeded({ name, definition }: Chain, epoch: bigint, scanned: bigint): boolean {
    if (definition.nativeTransfers === 'blocks') return true;
    const known = this.untraced.get(name);
    const until = known?.epoch === epoch ? known.until : scanned;
    // Where no look succeeds, deadlines wait for an hour only.
    const isNeeded = until >= 0n && scanned <= until + untracedBlocks(definition);
    this.untraced.set(name, { epoch, until: isNeeded ? until : -1n });
    return isNeeded;
  }

  /**
   * Returns all wallets; or a part in turn, and a part of those whose funding has ended since, which deadlines wait for,
   * with the last one where more have.
   */
  private async due(
    chain: string,
    before: Date,
    compared: WalletEnd | null,
  ): Promise<{ wallets: readonly NativeWallet[]; last: WalletEnd | null }> {
    const all = await this.wallets.list(chain, { after: null }, WALLETS_PER_PASS + 1);
    if (all.length <= WALLETS_PER_PASS) return { wallets: all, last: null };
    const half = WALLETS_PER_PASS / 2;
    const after = this.rotation.get(chain) ?? null;
    const turn = await this.wallets.list(chain, { after }, half);
    this.rotation.set(chain, turn.length < half ? null : (turn.at(-1) ?? null));
    const ended = await this.wallets.list(chain, { after: compared, before }, half);
    const wallets = new Map([...turn, ...ended].map((it) => [it.paymentId, it])).values();
    return { wallets: [...wallets], last: ended.length < half ? null : (ended.at(-1) ?? null) };
  }

  /**
   * Balances of the scanned node, else of another one, beside those of a second node: each could hide money, and a search
   * must find what one invents. Null where no node tells them, as while the scanner catches up with blocks whose state they
   * have forgotten.
   */
  private async balances(
    chain: Chain,
    node: EndpointClient,
    rivals: readonly EndpointClient[],
    wallets: readonly NativeWallet[],
    height: bigint,
  ): Promise<Balances[] | null> {
    const addresses = wallets.map(({ address }) => address);
    const ask = (endpoint: EndpointClient) =>
      nativeBalances(endpoint, chain.definition, addresses, height);
    const others = chain.endpoints.filter((endpoint) => endpoint !== node);
    for (const endpoint of [node, ...others]) {
      try {
        const own = await ask(endpoint);
        const asked = this.order.unpaused(rivals.filter((it) => it !== endpoint));
        const second = await this.order.firstAnswer(asked, SECOND_MS, ask, (error) =>
          this.warn(chain, height, error),
        );
        return own.map((balance, index) => {
          const other = second?.[index] ?? balance;
          const isHigher = other > balance;
          return {
            own: balance,
            largest: isHigher ? other : balance,
            lowest: isHigher ? balance : other,
          };
        });
      } catch (error) {
        // By traces, the scan needs no balances of its node.
        const isNeeded = endpoint === node && chain.definition.nativeTransfers === 'blocks';
        if (isNeeded && !isRefusal(error)) throw error;
        this.warn(chain, height, error);
      }
    }
    return null;
  }

  private warn({ name: chain }: Chain, height: bigint, error: unknown): void {
    const facts = { err: error, chain, block: height.toString() };
    this.context.logger.warn(facts, 'balances not read');
  }

  private async compare(
    chain: string,
    wallets: readonly NativeWallet[],
    balances: readonly Balances[],
    { number: height, timestamp }: BlockPointer,
  ): Promise<Partial<NativeLook>> {
    const compared = wallets.flatMap((wallet, index) => {
      const { own, largest: balance, lowest } = balances[index] ?? NO_BALANCES;
      const isIdle = balance === 0n && !wallet.isHeld && wallet.residue === '0';
      return isIdle ? [] : [{ wallet, own, balance, lowest }];
    });
    if (compared.length === 0) return {};
    const ids = compared.map(({ wallet }) => wallet.paymentId);
    const ledgers = await this.wallets.ledgers(chain, ids, height);
    const known = compared.flatMap(({ wallet, own, balance, lowest }) => {
      const ledger = ledgers.get(wallet.paymentId);
      if (ledger === undefined) return [];
      const explained = explainedAt(ledger, height);
      const isKnown = (amount: bigint) => amount <= 0n || amount === BigInt(wallet.residue);
      const isExplained = isKnown(balance - explained);
      const { paymentId, isHeld, endsAt } = wallet;
      const isCleared = balance <= explained && wallet.residue !== '0';
      // A second node alone holds no deadline.
      const mayFund = !isKnown(own - explained) && own >= BigInt(wallet.required);
      const isLast = timestamp > endsAt;
      return [{ paymentId, balance, lowest, isExplained, isHeld, isCleared, mayFund, isLast }];
    });
    return {
      unexplained: known.filter(({ isExplained }) => !isExplained),
      explained: known
        .filter(({ isExplained, isHeld }) => isExplained && isHeld)
        .map(({ paymentId }) => paymentId),
      cleared: known.filter(({ isCleared }) => isCleared).map(({ paymentId }) => paymentId),
    };
  }
}

const untracedBlocks = ({ blockTimeMs }: Chain['definition']): bigint =>
  BigInt(Math.ceil(UNTRACED_MS / blockTimeMs));

const nothingIn = (
  { number: height, timestamp }: BlockPointer,
  last: WalletEnd | null,
): NativeLook => ({
  ...{ height, comparedTo: last ?? endsBefore(timestamp), isOfAll: last === null },
  ...{ unexplained: [], explained: [], cleared: [] },
});

const NO_BALANCES: Balances = { own: 0n, largest: 0n, lowest: 0n };

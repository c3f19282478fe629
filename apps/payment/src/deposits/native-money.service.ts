import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { Address, Hash } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { plainTransfers, readPayments } from './block-reader.client.js';
import { DepositsService } from './deposits.service.js';
import { PassTracerClient } from './pass-tracer.client.js';
import { isRefusal, nativeBalanceAt, nativeBalances } from './native-balances.client.js';
import { explainedAt, isSameLedger } from './native-ledger.js';
import type { NativeLedger } from './native-ledger.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { NativeWallet } from './native-wallets.repository.js';
import { newestRise } from './newest-rise.js';
import type { Rise } from './newest-rise.js';
import type { Arrival } from './payment-deposits.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import type { PaymentFailure } from './set-aside.repository.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import type { Transfer } from './transfers.js';

/** Wallets whose balances a pass reads, by ten requests. */
const WALLETS_PER_PASS = 5_000;
/** Wallets for whose money a pass searches, those with most of it. */
const SEARCHES_PER_PASS = 20;
const RISES_PER_SEARCH = 4;
/** Deepest search, in blocks: weeks on the fastest chains. */
const DEPTH = 2n ** 23n;
/** Failures to trace a block after which its senders count as unknown. */
const TRACE_TRIES = 3;
/** Time before a payment's deadline from which no node is awaited any more. */
const DEADLINE_MS = 60_000;
const REMEMBERED = 10_000;
/** Time for which balances are compared after a block whose traces were too large: payments may be set aside meanwhile. */
const UNTRACED_MS = 3_600_000;

interface Surplus {
  wallet: NativeWallet;
  ledger: NativeLedger;
  /** Unexplained balance. */
  amount: bigint;
}

/** A block in which money arrived, with its transfers within calls. */
interface RiseBlock {
  block: Awaited<ReturnType<typeof readPayments>>;
  traced: readonly Transfer[];
}

/**
 * Reads each block of a pass once, however many wallets a transaction in it pays.
 * @throws TracesUnavailableError
 */
type ReadRise = (number: bigint, wallet: NativeWallet) => Promise<RiseBlock>;

/** Chain, node and reader that the searches of a pass share. */
interface Pass {
  chain: Chain;
  node: EndpointClient;
  readRise: ReadRise;
}

interface Look {
  /** Newest final block; its balances are compared. */
  final: BlockPointer;
  /** Newest scanned height. */
  scanned: bigint;
  /** Payments that failed in this pass. */
  failed: readonly PaymentFailure[];
}

/**
 * Finds native currency that contracts sent, where blocks are read without traces: compares balances of open wallets
 * with the recorded facts after each final block, and searches for the transactions of what these do not explain.
 */
@Injectable()
export class NativeMoneyService {
  /** Last wallet of the rotation, by chain. */
  private readonly rotation = new Map<string, NativeWallet | null>();
  /** Height up to which blocks may have been scanned without traces, by chain, while this replica holds the lease. */
  private readonly untraced = new Map<string, { epoch: bigint; until: bigint }>();
  /** Money without a rise to find, such as what a withdrawal left, by chain and payment. */
  private readonly searched = new Map<string, bigint>();
  private readonly traceFailures = new Map<Hash, number>();

  constructor(
    private readonly wallets: NativeWalletsRepository,
    private readonly deposits: DepositsService,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /**
   * Records what arrived up to the final block, and returns what failed for single payments: those whose blocks no node has
   * traced yet, too.
   */
  async record(
    guard: ScanGuardRepository,
    node: EndpointClient,
    chain: Chain,
    { final, scanned, failed }: Look,
  ): Promise<PaymentFailure[]> {
    if (!this.isNeeded(chain, guard.epoch, final.number, scanned)) return [];
    const skipped = new Set(failed.map(({ paymentId }) => paymentId));
    const wallets = (await this.due(chain.name, final.timestamp)).filter(
      ({ paymentId }) => !skipped.has(paymentId),
    );
    const read =
      wallets.length === 0 ? null : await this.balances(chain, node, wallets, final.number);
    if (read === null) return [];
    const failures: PaymentFailure[] = [];
    const pass = { chain, node: read.node, readRise: this.riseReader(chain, read.node, final) };
    for (const surplus of await this.surpluses(chain.name, wallets, read.balances, final.number)) {
      const { wallet, ledger } = surplus;
      const { paymentId } = wallet;
      const arrivals = await this.search(pass, surplus, final.number).catch((error: unknown) => {
        if (!(error instanceof TracesUnavailableError)) throw error;
        failures.push({ paymentId, blocks: [], error });
        return [];
      });
      failures.push(
        ...(await this.deposits.recordFound(
          guard,
          chain.name,
          { paymentId, arrivals },
          async (manager) =>
            isSameLedger(
              ledger,
              await this.wallets.lockedLedger(manager, chain.name, paymentId, final.number),
            ),
        )),
      );
    }
    return failures;
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

  /** Null where no node has the block's state, while the scanner catches up. */
  private async balances(
    chain: Chain,
    node: EndpointClient,
    wallets: readonly NativeWallet[],
    height: bigint,
  ): Promise<{ node: EndpointClient; balances: bigint[] } | null> {
    const addresses = wallets.map(({ address }) => address);
    const others = chain.endpoints.filter((endpoint) => endpoint !== node);
    for (const endpoint of [node, ...others]) {
      try {
        const { definition } = chain;
        const balances = await nativeBalances(endpoint, definition, addresses, height);
        return { node: endpoint, balances };
      } catch (error) {
        if (endpoint === node && !isRefusal(error)) throw error;
        const facts = { err: error, chain: chain.name, block: height.toString() };
        this.context.logger.warn(facts, 'balances not read');
      }
    }
    return null;
  }

  /** Wallets with money that is not explained, those with most first. */
  private async surpluses(
    chain: string,
    wallets: readonly NativeWallet[],
    balances: readonly bigint[],
    height: bigint,
  ): Promise<Surplus[]> {
    const filled = wallets.flatMap((wallet, index) => {
      const balance = balances[index] ?? 0n;
      return balance === 0n ? [] : [{ wallet, balance }];
    });
    if (filled.length === 0) return [];
    const ids = filled.map(({ wallet }) => wallet.paymentId);
    const ledgers = await this.wallets.ledgers(chain, ids, height);
    const found = filled.flatMap(({ wallet, balance }): Surplus[] => {
      const ledger = ledgers.get(wallet.paymentId);
      if (ledger === undefined) return [];
      const amount = balance - explainedAt(ledger, height);
      const isKnown = this.searched.get(`${chain}/${wallet.paymentId}`) === amount;
      return amount <= 0n || isKnown ? [] : [{ wallet, ledger, amount }];
    });
    return found
      .sort((one, other) => (one.amount < other.amount ? 1 : -1))
      .slice(0, SEARCHES_PER_PASS);
  }

  /** Finds the blocks and transactions of money, the newest first. */
  private async search(
    pass: Pass,
    { wallet, ledger, amount }: Surplus,
    final: bigint,
  ): Promise<Arrival[]> {
    const { chain, node } = pass;
    const unexplainedAt = async (height: bigint): Promise<bigint | null> => {
      const balance = await nativeBalanceAt(node, wallet.address, height);
      return balance === null ? null : balance - explainedAt(ledger, height);
    };
    const floor = ledger.since?.block ?? (final > DEPTH ? final - DEPTH : 0n);
    const arrivals: Arrival[] = [];
    let [height, unexplained] = [final, amount];
    for (let rises = 0; rises < RISES_PER_SEARCH && unexplained > 0n && height >= floor; rises++) {
      const rise = await newestRise(unexplainedAt, { floor, height, unexplained });
      if (rise === null) {
        remember(this.searched, `${chain.name}/${wallet.paymentId}`, unexplained);
        break;
      }
      arrivals.push(...(await this.arrivalsIn(pass, wallet, rise)));
      height = rise.block - 1n;
      unexplained -= rise.amount;
    }
    return arrivals;
  }

  /** Transfers that explain a rise, and an arrival of unknown origin for what they do not explain. */
  private async arrivalsIn(
    { chain, node, readRise }: Pass,
    wallet: NativeWallet,
    rise: Rise,
  ): Promise<Arrival[]> {
    const { paymentId, address } = wallet;
    const { block, traced } = await readRise(rise.block, wallet);
    const recorded = await this.wallets.recordedIn(paymentId, chain.name, rise.block);
    const isOf = ({ to }: { to: Address }) => to.toLowerCase() === address.toLowerCase();
    const isNew = (transfer: Transfer): boolean =>
      isOf(transfer) &&
      transfer.from.toLowerCase() !== address.toLowerCase() &&
      !recorded.has(`${transfer.transactionHash}/${transfer.position}`);
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
      position: `balance:${address.toLowerCase()}`,
    };
    return [...known, ...(rest > 0n ? [unknown] : [])].map((it) => ({ ...it, ...about }));
  }

  private riseReader(chain: Chain, node: EndpointClient, final: BlockPointer): ReadRise {
    const reads = new Map<bigint, Promise<RiseBlock>>();
    const tracer = new PassTracerClient(chain, node, this.config.timing.traceMs);
    const read = async (number: bigint): Promise<RiseBlock> => {
      const block = await readPayments(node, number);
      const failures = this.traceFailures.get(block.hash) ?? 0;
      if (failures >= TRACE_TRIES) return { block, traced: [] };
      try {
        return { block, traced: await tracer.transfersIn(block) };
      } catch (error) {
        if (error instanceof TracesUnavailableError && error.wasTried) {
          remember(this.traceFailures, block.hash, failures + 1);
        }
        throw error;
      }
    };
    return async (number, { endsAt }) => {
      const known = reads.get(number) ?? read(number);
      reads.set(number, known);
      try {
        return await known;
      } catch (error) {
        const mayWait = endsAt.getTime() > final.timestamp.getTime() + DEADLINE_MS;
        if (mayWait || !(error instanceof TracesUnavailableError)) throw error;
        return { block: await readPayments(node, number), traced: [] };
      }
    };
  }
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}

import { areLogsWitnessed } from '@bascule/chain';
import type { Chain, EndpointClient, ReportedLog } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { getAbiItem } from 'viem';
import type { Address, Hash } from 'viem';
import {
  isOwnersProof,
  MinedWithdrawalRecorderService,
} from '../withdrawals/mined-withdrawal-recorder.service.js';
import type {
  Observation,
  ObservedWithdrawal,
  WithdrawnLog,
} from '../withdrawals/mined-withdrawal-recorder.service.js';
import { SharedBalancesClient } from '../withdrawals/shared-balances.client.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { DustService } from '../costs/dust.service.js';
import { inTurns } from './in-turns.js';
import { PartReaderClient } from './part-reader.client.js';
import { RecentReceiptsClient } from './recent-receipts.client.js';
import { UnwitnessedError } from './deposit-witnesses.service.js';
import { DepositRepository } from './deposit.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { ScannedBlocksService } from './scanned-blocks.service.js';
import type { BlockPointer } from './scanned-chain.js';
import { isOfOnePayment, SetAsideRepository } from './set-aside.repository.js';
import type { PaymentFailure } from './set-aside.repository.js';
import { misplaced } from './withdrawn-logs.js';
import type { DatedLog, FoundLog } from './withdrawn-logs.js';

/** A payment's withdrawals in a range. */
interface PaymentLogs {
  paymentId: string;
  wallet: Address;
  logs: readonly DatedLog[];
}

/**
 * Payments that a pass observes itself, and transactions that withdrew from them: the reads of these, a few dozen for each
 * node, and the statements take about a second. Anyone can withdraw nothing from hundreds of wallets, or hundreds of times.
 */
const OBSERVED_AT_ONCE = 16;
/** Receipts that are asked for at once at each node: anyone can fill one with some megabytes of logs. */
const RECEIPTS_AT_ONCE = 2;

const WITHDRAWN = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

/** Finds final withdrawals, including those that third parties submitted. */
@Injectable()
export class MinedWithdrawalsService {
  private readonly receipts = new RecentReceiptsClient();

  constructor(
    private readonly deposits: DepositRepository,
    private readonly directory: AssetDirectoryRepository,
    private readonly dust: DustService,
    private readonly recorder: MinedWithdrawalRecorderService,
    private readonly aside: SetAsideRepository,
    private readonly scanned: ScannedBlocksService,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Records the withdrawals of some payments in a range of final blocks, and returns those of the others and what failed,
   * to be set aside: the scan waits for no crowd.
   * @param heights.newest the range's last block
   * @param heights.latest the newest final height: later than the range while the scanner catches up
   */
  async record(
    guard: ScanGuardRepository,
    chain: Chain,
    logs: readonly DatedLog[],
    { newest, latest }: { newest: bigint; latest: bigint },
  ): Promise<PaymentFailure[]> {
    const { observed, failed } = await this.chosen(chain, await this.unrecorded(chain, logs));
    const observations = await this.observe(chain, observed, [newest, latest]);
    for (const [index, observation] of observations.entries()) {
      const found = observed[index];
      if (found === undefined) continue;
      const { paymentId } = found;
      if (observation.status === 'rejected') {
        failed.push({ ...missedOf(found), error: observation.reason });
        continue;
      }
      const { value } = observation;
      try {
        await guard.transaction((manager) => this.recorder.record(manager, paymentId, value));
      } catch (error) {
        if (!isOfOnePayment(error)) throw error;
        failed.push({ ...missedOf(found), error });
      }
    }
    return failed;
  }

  /** Finds the withdrawals from our wallets that a node has in a range of scanned blocks. */
  async find(
    node: EndpointClient,
    chain: Chain,
    range: { from: bigint; to: bigint },
  ): Promise<DatedLog[]> {
    return this.dated(chain, await this.findLogs(node, range.from, range.to), range);
  }

  /** Chooses those that are observed now, in turns of organisations and of their visitors; the rest is set aside. */
  private async chosen(
    { name }: Chain,
    found: readonly PaymentLogs[],
  ): Promise<{ observed: readonly PaymentLogs[]; failed: PaymentFailure[] }> {
    const ids = found.map(({ paymentId }) => paymentId);
    const aside = await this.aside.among(name, ids);
    const failed = found.filter(({ paymentId }) => aside.has(paymentId)).map(missedOf);
    const others = found.filter(({ paymentId }) => !aside.has(paymentId));
    if (withinBounds(others).length === others.length) return { observed: others, failed };
    const sources = await this.deposits.sourcesOf(ids);
    const sourceOf = ({ paymentId }: PaymentLogs) => sources.get(paymentId);
    const ofVisitors = inTurns(others, (it) => JSON.stringify(sourceOf(it)));
    const ordered = inTurns(ofVisitors, (it) => sourceOf(it)?.orgId ?? '');
    const observed = withinBounds(ordered);
    const waiting = ordered.filter((it) => !observed.includes(it));
    this.context.logger.warn(
      { chain: name, payments: waiting.length },
      'withdrawals of many payments wait for their turn',
    );
    failed.push(...waiting.map((it) => ({ ...missedOf(it), isInTurn: true })));
    return { observed, failed };
  }

  /** Finds the withdrawals from a wallet that a node has in a scanned block. */
  async findIn(
    node: EndpointClient,
    chain: Chain,
    wallet: Address,
    block: bigint,
  ): Promise<DatedLog[]> {
    const range = { from: block, to: block };
    return this.dated(chain, await readWithdrawn(node, { ...range, address: [wallet] }), range);
  }

  /** Observes one payment's withdrawals in a final block. */
  async observed(
    chain: Chain,
    { paymentId, wallet, logs }: PaymentLogs,
    latest: bigint,
  ): Promise<ObservedWithdrawal[]> {
    if (logs.length === 0) return [];
    const [observation] = await this.observe(chain, [{ paymentId, wallet, logs }], [latest]);
    if (observation?.status === 'rejected') throw observation.reason;
    return observation?.value ?? [];
  }

  /**
   * Adds the times of the logs' blocks.
   * @throws where a log is not in the block of its number: the node lies, or a reorg came during the read
   */
  private async dated(
    chain: Chain,
    logs: readonly FoundLog[],
    { from, to }: { from: bigint; to: bigint },
  ): Promise<DatedLog[]> {
    const blocks = new Map<bigint, BlockPointer>();
    const dated: DatedLog[] = [];
    for (const log of logs) {
      const { blockNumber, reported } = log;
      if (blockNumber < from || blockNumber > to) throw misplaced(chain, log);
      const block = blocks.get(blockNumber) ?? (await this.scanned.block(chain, blockNumber));
      blocks.set(blockNumber, block);
      if (block.hash !== reported.blockHash) throw misplaced(chain, log);
      dated.push({ ...log, blockTimestamp: block.timestamp });
    }
    return dated;
  }

  /**
   * Finds the logs of our wallets in a range, block by block and of active wallets only where there are too many: anyone can
   * add some.
   */
  private async findLogs(node: EndpointClient, from: bigint, to: bigint): Promise<FoundLog[]> {
    const heights = Array.from(
      { length: Number(to - from) + 1 },
      (_, index) => from + BigInt(index),
    );
    const parts = new PartReaderClient(node);
    return parts.read(
      heights,
      async (part) => {
        const range = { from: part[0] ?? from, to: part.at(-1) ?? to };
        const logs = await readWithdrawn(node, range);
        const known = await this.deposits.paymentsOf(logs.map((log) => log.wallet.toLowerCase()));
        return logs.filter((log) => known.has(log.wallet.toLowerCase()));
      },
      async (height) =>
        parts.read(await this.deposits.activeWallets(), (address) =>
          readWithdrawn(node, { from: height, to: height, address }),
        ),
    );
  }

  /** Withdrawals of our payments that are not recorded. */
  async unrecorded(chain: Chain, logs: readonly DatedLog[]): Promise<PaymentLogs[]> {
    if (logs.length === 0) return [];
    const payments = await this.deposits.paymentsOf(logs.map(({ wallet }) => wallet.toLowerCase()));
    const ours = logs.flatMap((log) => {
      const paymentId = payments.get(log.wallet.toLowerCase());
      const isOurs = paymentId !== undefined && !isOwnersProof(paymentId, log);
      return isOurs ? [{ paymentId, log }] : [];
    });
    const recorded = await this.deposits.areWithdrawalsRecorded(
      chain.name,
      ours.map(({ paymentId, log }) => ({ ...log, paymentId })),
    );
    const unknown = ours.filter((_, index) => recorded[index] !== true);
    const byPayment = Object.groupBy(unknown, ({ paymentId }) => paymentId);
    return Object.entries(byPayment).flatMap(([paymentId, ofPayment = []]) => {
      const found = ofPayment.map(({ log }) => log);
      return found.slice(0, 1).map(({ wallet }) => ({ paymentId, wallet, logs: found }));
    });
  }

  /** Observes payments at once, so that they share each node's answers; one that fails stops no other. */
  private async observe(
    chain: Chain,
    found: readonly PaymentLogs[],
    later: readonly bigint[],
  ): Promise<PromiseSettledResult<ObservedWithdrawal[]>[]> {
    if (found.length === 0) return [];
    const known = [];
    for (const ofPayment of found) {
      const { paymentId, wallet } = ofPayment;
      const tokens = await this.directory.possibleOn(chain.name, paymentId);
      const otherChains = await this.deposits.otherChainsOf(paymentId, chain.name);
      known.push({ ofPayment, wallet, tokens, otherChains });
    }
    const doubts = await this.doubtsOf(chain, found);
    const balances = new SharedBalancesClient(chain.definition.contracts.multicall3, known);
    const further = known.flatMap(({ otherChains }) => otherChains);
    const policyOn = await this.dust.policyOn([chain.name, ...further]);
    return Promise.allSettled(
      known.map(async ({ ofPayment, tokens }) => {
        if (doubts.has(ofPayment.paymentId)) throw doubts.get(ofPayment.paymentId);
        return this.observePayment(chain, ofPayment, later, { tokens, policyOn, balances });
      }),
    );
  }

  /** Reads the holdings once for all withdrawals of a block. */
  private async observePayment(
    chain: Chain,
    { paymentId, logs }: PaymentLogs,
    later: readonly bigint[],
    of: Omit<Observation, 'isLastResort'>,
  ): Promise<ObservedWithdrawal[]> {
    const byBlock = new Map<bigint, ObservedWithdrawal>();
    const observed: ObservedWithdrawal[] = [];
    for (const { reported: _, ...log } of logs) {
      const { blockNumber, transactionHash } = log;
      const about = { ...log, paymentId, chain: chain.name };
      const ofBlock =
        byBlock.get(blockNumber) ?? (await this.observeBlock(about, later, chain, of));
      byBlock.set(blockNumber, ofBlock);
      observed.push({ ...ofBlock, ...log, mined: { ...ofBlock.mined, transactionHash } });
    }
    return observed;
  }

  /**
   * Reads the holdings at a later final block where nodes have pruned the state of the withdrawal's block; arrivals
   * in between then count as holdings.
   */
  private async observeBlock(
    log: WithdrawnLog,
    later: readonly bigint[],
    chain: Chain,
    of: Omit<Observation, 'isLastResort'>,
  ): Promise<ObservedWithdrawal> {
    const [next, ...others] = later.filter((height) => height > log.blockNumber);
    try {
      return await this.recorder.observe(log, chain, { ...of, isLastResort: next === undefined });
    } catch (error) {
      if (next === undefined) throw error;
      const block = await this.scanned.block(chain, next);
      this.context.logger.warn(
        { err: error, chain: log.chain, block: log.blockNumber.toString() },
        'block state pruned',
      );
      const { number: blockNumber, timestamp: blockTimestamp } = block;
      return this.observeBlock({ ...log, blockNumber, blockTimestamp }, others, chain, of);
    }
  }

  /** Why payments are not observed: no second node has a withdrawal. Each transaction is read once, for all of them. */
  private async doubtsOf(
    chain: Chain,
    found: readonly PaymentLogs[],
  ): Promise<Map<string, unknown>> {
    const doubts = new Map<string, unknown>();
    const all = found.flatMap(({ paymentId, logs }) =>
      logs.map(({ reported }) => ({ paymentId, reported })),
    );
    const byTransaction = Object.groupBy(all, ({ reported }) => reported.transactionHash);
    const transactions = Object.values(byTransaction).filter((logs) => logs !== undefined);
    const judge = async (paymentId: string, logs: readonly ReportedLog[]) => {
      try {
        if (await areLogsWitnessed(chain, logs, this.receipts.read)) return;
        const [hash] = logs.map(({ transactionHash }) => transactionHash);
        for (const { transactionHash, blockHash } of logs) {
          this.receipts.forget(chain.endpoints, transactionHash, blockHash);
        }
        throw new UnwitnessedError(chain.name, `the withdrawal ${hash}`);
      } catch (error) {
        doubts.set(paymentId, error);
      }
    };
    for (let start = 0; start < transactions.length; start += RECEIPTS_AT_ONCE) {
      const part = transactions.slice(start, start + RECEIPTS_AT_ONCE);
      const ofPayments = part.flatMap((logs) =>
        Object.entries(Object.groupBy(logs, ({ paymentId }) => paymentId)),
      );
      await Promise.all(
        ofPayments.map(([paymentId, logs = []]) =>
          judge(
            paymentId,
            logs.map(({ reported }) => reported),
          ),
        ),
      );
    }
    return doubts;
  }
}

async function readWithdrawn(
  node: EndpointClient,
  { from, to, address }: { from: bigint; to: bigint; address?: readonly Address[] },
): Promise<FoundLog[]> {
  const logs = await node.getLogs({
    event: WITHDRAWN,
    strict: true,
    fromBlock: from,
    toBlock: to,
    ...(address !== undefined && { address: [...address] }),
  });
  return logs.map((reported) => ({
    wallet: reported.address,
    nonce: reported.args.nonce,
    acceptBlame: reported.args.acceptBlame,
    transactionHash: reported.transactionHash,
    blockNumber: reported.blockNumber,
    reported,
  }));
}

/** The first payments, as many as a pass observes. */
function withinBounds(found: readonly PaymentLogs[]): PaymentLogs[] {
  const chosen: PaymentLogs[] = [];
  let transactions = new Set<Hash>();
  for (const ofPayment of found) {
    if (chosen.length === OBSERVED_AT_ONCE) break;
    const hashes = ofPayment.logs.map((log) => log.transactionHash);
    const together = new Set([...transactions, ...hashes]);
    // One with many transactions makes no other one wait.
    if (together.size > OBSERVED_AT_ONCE) continue;
    chosen.push(ofPayment);
    transactions = together;
  }
  return chosen;
}

const missedOf = ({ paymentId, logs }: PaymentLogs): PaymentFailure => ({
  paymentId,
  blocks: logs.map(({ blockNumber }) => blockNumber),
});

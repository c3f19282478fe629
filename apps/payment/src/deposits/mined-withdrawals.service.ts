import { areLogsWitnessed } from '@bascule/chain';
import type { Chain, EndpointClient, ReportedLog } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { getAbiItem } from 'viem';
import type { Address, Hash } from 'viem';
import { MinedWithdrawalRecorderService } from '../withdrawals/mined-withdrawal-recorder.service.js';
import type {
  ObservedWithdrawal,
  WithdrawnLog,
} from '../withdrawals/mined-withdrawal-recorder.service.js';
import { PartReaderClient } from './part-reader.client.js';
import { UnwitnessedError } from './deposit-witnesses.service.js';
import { DepositRepository } from './deposit.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { ScannedBlocksService } from './scanned-blocks.service.js';
import type { BlockPointer } from './scanned-chain.js';
import { isOfOnePayment, SetAsideRepository } from './set-aside.repository.js';
import type { PaymentFailure } from './set-aside.repository.js';

interface FoundLog {
  wallet: Address;
  nonce: bigint;
  acceptBlame: boolean;
  transactionHash: Hash;
  blockNumber: bigint;
  reported: ReportedLog;
}

/** Log whose block is the scanner's, with its time. */
type DatedLog = FoundLog & Pick<WithdrawnLog, 'blockTimestamp'>;

const WITHDRAWN = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

/** Finds final withdrawals, including those that third parties submitted. */
@Injectable()
export class MinedWithdrawalsService {
  constructor(
    private readonly deposits: DepositRepository,
    private readonly recorder: MinedWithdrawalRecorderService,
    private readonly aside: SetAsideRepository,
    private readonly scanned: ScannedBlocksService,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Records the withdrawals in a range of final blocks, and returns what failed for single payments.
   * @param latest the newest final height: later than the range while the scanner catches up
   */
  async record(
    guard: ScanGuardRepository,
    node: EndpointClient,
    chain: Chain,
    from: bigint,
    newest: BlockPointer,
    latest: bigint,
  ): Promise<PaymentFailure[]> {
    const logs = await this.dated(chain, await this.findLogs(node, from, newest.number), {
      from,
      to: newest.number,
    });
    const byPayment = Object.entries(await this.byPayment(logs));
    const aside = await this.aside.among(
      chain.name,
      byPayment.map(([paymentId]) => paymentId),
    );
    const failed: PaymentFailure[] = [];
    for (const [paymentId, found = []] of byPayment) {
      const missed = { paymentId, blocks: found.map(({ blockNumber }) => blockNumber) };
      if (aside.has(paymentId)) {
        failed.push(missed);
        continue;
      }
      try {
        const observed = await this.observeAll(chain, paymentId, found, [newest.number, latest]);
        await guard.transaction((manager) => this.recorder.record(manager, paymentId, observed));
      } catch (error) {
        if (!isOfOnePayment(error)) throw error;
        failed.push({ ...missed, error });
      }
    }
    return failed;
  }

  /** Observes one payment's withdrawals in a final block. */
  async observedIn(
    node: EndpointClient,
    chain: Chain,
    { paymentId, wallet }: { paymentId: string; wallet: Address },
    block: bigint,
    latest: bigint,
  ): Promise<ObservedWithdrawal[]> {
    const range = { from: block, to: block };
    const found = await readWithdrawn(node, { ...range, address: [wallet] });
    return this.observeAll(chain, paymentId, await this.dated(chain, found, range), [latest]);
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

  private async byPayment(logs: readonly DatedLog[]): Promise<Partial<Record<string, DatedLog[]>>> {
    if (logs.length === 0) return {};
    const payments = await this.deposits.paymentsOf(logs.map(({ wallet }) => wallet.toLowerCase()));
    const { '': _, ...known } = Object.groupBy(
      logs,
      ({ wallet }) => payments.get(wallet.toLowerCase()) ?? '',
    );
    return known;
  }

  /**
   * Reads the holdings once for all withdrawals of a block.
   * @throws UnwitnessedError where no second node has one of them
   */
  private async observeAll(
    chain: Chain,
    paymentId: string,
    logs: readonly DatedLog[],
    later: readonly bigint[],
  ): Promise<ObservedWithdrawal[]> {
    if (logs.length === 0) return [];
    await requireWitness(chain, logs);
    const otherChains = await this.deposits.otherChainsOf(paymentId, chain.name);
    const byBlock = new Map<bigint, ObservedWithdrawal>();
    const observed: ObservedWithdrawal[] = [];
    for (const { reported: _, ...log } of logs) {
      const { blockNumber, transactionHash } = log;
      const about = { ...log, paymentId, chain: chain.name, otherChains };
      const ofBlock = byBlock.get(blockNumber) ?? (await this.observe(about, later, chain));
      byBlock.set(blockNumber, ofBlock);
      observed.push({ ...ofBlock, ...log, mined: { ...ofBlock.mined, transactionHash } });
    }
    return observed;
  }

  /**
   * Reads the holdings at a later final block where nodes have pruned the state of the withdrawal's block; arrivals
   * in between then count as holdings.
   */
  private async observe(
    log: WithdrawnLog,
    later: readonly bigint[],
    chain: Chain,
  ): Promise<ObservedWithdrawal> {
    const [next, ...others] = later.filter((height) => height > log.blockNumber);
    try {
      return await this.recorder.observe(log, chain, next === undefined);
    } catch (error) {
      if (next === undefined) throw error;
      const block = await this.scanned.block(chain, next);
      this.context.logger.warn(
        { err: error, chain: log.chain, block: log.blockNumber.toString() },
        'block state pruned',
      );
      const { number: blockNumber, timestamp: blockTimestamp } = block;
      return this.observe({ ...log, blockNumber, blockTimestamp }, others, chain);
    }
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

async function requireWitness(chain: Chain, logs: readonly FoundLog[]): Promise<void> {
  const reported = logs.map((log) => log.reported);
  const byTransaction = Object.entries(Object.groupBy(reported, (log) => log.transactionHash));
  for (const [hash, ofTransaction = []] of byTransaction) {
    if (await areLogsWitnessed(chain, ofTransaction)) continue;
    throw new UnwitnessedError(chain.name, `the withdrawal ${hash}`);
  }
}

const misplaced = ({ name }: Chain, { blockNumber, reported, transactionHash }: FoundLog): Error =>
  new Error(
    `a node of ${name} has the withdrawal ${transactionHash} in block ${blockNumber}, ` +
      `which is not ${reported.blockHash}`,
  );

import { Chains, finalBlock } from '@bascule/chain';
import type { Chain, FinalBlock } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { multicall3Abi } from 'viem';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import { untilExpiryCheck } from '../life-cycle/next-check.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { SettlementService } from './settlement.service.js';
import { SubmissionService } from './submission.service.js';
import { witnessedExpiries } from './witnessed-expiries.client.js';
import type { ExpiryState } from './witnessed-expiries.client.js';

/** Pause of withdrawals on a chain that is not configured any more. */
const UNKNOWN_CHAIN_MS = 60_000;

/**
 * Checks withdrawals that only others can submit. They cost no request to a node before their expiry; then those of a chain
 * share one call. What is executed before that is reported by the payment service.
 */
@Injectable()
export class UnsubmittedChecksService {
  constructor(
    private readonly chains: Chains,
    private readonly withdrawals: WithdrawalRepository,
    private readonly projections: ProjectionsRepository,
    private readonly accounts: WithdrawalAccountsService,
    private readonly submissions: SubmissionService,
    private readonly settlement: SettlementService,
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {}

  /** Checks due withdrawals of one chain, which the caller has claimed. */
  async check(chainName: string, ids: readonly string[]): Promise<void> {
    const [records, now] = await Promise.all([
      this.withdrawals.findAll(ids),
      this.withdrawals.now(),
    ]);
    const chain = this.chains.find(chainName);
    if (chain === undefined) {
      for (const { id } of records) await this.withdrawals.scheduleOther(id, UNKNOWN_CHAIN_MS);
      return;
    }
    const changed = await this.withEndedOrder(records);
    const past = records.filter(({ expiresAt }) => expiresAt <= now);
    const { unused, used } = await this.expired(chain, past);
    for (const record of unused) {
      await this.settlement.expire(record);
      await this.withdrawals.scheduleOther(record.id, null);
    }
    const decided = new Set([...unused, ...used]);
    for (const record of records) {
      if (used.includes(record) || (changed.has(record) && !decided.has(record))) {
        await this.settle(record);
      } else if (!decided.has(record)) {
        await this.withdrawals.scheduleOther(record.id, this.untilExpiry(chain, record, now));
      }
    }
  }

  /** Milliseconds until the first check of a new withdrawal. */
  untilExpiry(chain: Chain, { expiresAt }: Pick<WithdrawalRecord, 'expiresAt'>, now: Date): number {
    const { confirmations, blockTimeMs } = chain.definition;
    const finalityMs = confirmations * blockTimeMs;
    return untilExpiryCheck({
      ...{ expiresAt, now, finalityMs },
      minMs: this.settings.timing.checkMs.max,
    });
  }

  private async settle(record: WithdrawalRecord): Promise<void> {
    const { id } = record;
    try {
      const isOver = await this.settlement.settle(record, await this.submissions.newest(record));
      await this.withdrawals.scheduleOther(id, isOver ? null : this.settings.timing.checkMs.max);
    } catch (error) {
      // Others of the chain go on; this one is due again when its lease ends.
      this.context.logger.warn({ err: error, withdraw_id: id }, 'could not check a withdrawal');
    }
  }

  /** Reads which expired withdrawals were used, in a final block; neither list has those not expired there. */
  private async expired(
    chain: Chain,
    records: readonly WithdrawalRecord[],
  ): Promise<{ unused: WithdrawalRecord[]; used: WithdrawalRecord[] }> {
    if (records.length === 0) return { unused: [], used: [] };
    const block = await finalBlock(chain);
    const states = await witnessedExpiries(chain, block, (node) =>
      this.statesAt(chain, { ...block, node }, records),
    );
    const inState = (state: ExpiryState) => records.filter((_, index) => states[index] === state);
    return { unused: inState('unused'), used: inState('used') };
  }

  /** Reads the states of withdrawals from one node, in one call. */
  private async statesAt(
    { definition }: Chain,
    { node, number: blockNumber }: FinalBlock,
    records: readonly WithdrawalRecord[],
  ): Promise<ExpiryState[]> {
    const { timestamp } = await node.getBlock({ blockNumber });
    const hasEnded = ({ expiresAt }: WithdrawalRecord): boolean =>
      BigInt(expiresAt.getTime()) <= timestamp * 1_000n;
    const ended = records.filter(hasEnded);
    if (ended.length === 0) return records.map(() => 'open');
    const probes = ended.map((record) => this.accounts.get(record.withdrawAccount).probe(record));
    const results = await node.readContract({
      address: definition.contracts.multicall3,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [probes.map(({ to, data }) => ({ target: to, callData: data, allowFailure: true }))],
      blockNumber,
    });
    const states = probes.map(({ isUnused }, index): ExpiryState => {
      const result = results[index];
      return result?.success === true && isUnused(result.returnData) ? 'unused' : 'used';
    });
    return records.map((record) => states[ended.indexOf(record)] ?? 'open');
  }

  /** Selects refunds of orders that have ended by the payment service's events. */
  private async withEndedOrder(
    records: readonly WithdrawalRecord[],
  ): Promise<Set<WithdrawalRecord>> {
    const refunds = records.filter(({ refund }) => refund !== null);
    if (refunds.length === 0) return new Set();
    const ended = await this.projections.endedOrders(refunds.map(({ paymentId }) => paymentId));
    return new Set(refunds.filter(({ refund }) => refund !== null && ended.has(refund.order_id)));
  }
}

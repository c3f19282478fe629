import { isZero } from '@bascule/amounts';
import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import { ScreeningAllowances } from './persistence/screening-allowances.js';
import type { SmallSum } from './persistence/screening-allowances.js';
import { ScreeningAudit } from './persistence/screening-audit.js';
import type { AuditedAnswer, ScreeningReason } from './persistence/screening-audit.js';
import { SCREENING_CONFIG } from './screening-config.js';
import type { ScreeningConfig } from './screening-config.js';
import { ScreeningMetrics } from './screening-metrics.js';
import type { GuardedSource, SourceAnswers } from './sources/guarded-source.js';

export const SCREENING_SOURCES = Symbol('SCREENING_SOURCES');

/** A source did not answer, so the work has to wait. */
export class ScreeningUnavailableError extends Error {
  override readonly name = 'ScreeningUnavailableError';

  constructor() {
    super('the addresses could not be screened');
  }
}

export interface ScreeningResult {
  /** Addresses that at least one source reports; lower case. */
  sanctioned: ReadonlySet<string>;
  /** Addresses about which a source gave no answer; lower case. */
  unanswered: ReadonlySet<string>;
}

export interface Screened {
  reason: ScreeningReason;
  /** In any letter case. */
  addresses: readonly string[];
  /** Organisation, owner and value for the allowance of small sums; null while the value is unknown. */
  smallSum: () => Promise<Omit<SmallSum, 'reference'> | null>;
  /** `check` where nothing moves yet: the allowance must have room, but is not spent. */
  allowance?: 'spend' | 'check';
  /** Runs for sanctioned addresses, in the transaction that records the answers. */
  onHit?: HitHandler;
}

/** Receives the sanctioned addresses, lower case. */
type HitHandler = (manager: EntityManager, sanctioned: ReadonlySet<string>) => Promise<void>;

/** Screens addresses with all configured sources; one that reports an address decides. */
@Injectable()
export class Screening {
  private readonly warnings: ReadonlyMap<string, RepeatedWarning>;
  private readonly listWarning: RepeatedWarning;

  constructor(
    @Inject(SCREENING_SOURCES) private readonly sources: readonly GuardedSource[],
    @Inject(SCREENING_CONFIG) private readonly config: ScreeningConfig,
    private readonly audit: ScreeningAudit,
    private readonly allowances: ScreeningAllowances,
    private readonly metrics: ScreeningMetrics,
    private readonly context: ServiceContext,
  ) {
    for (const { name } of sources) {
      metrics.available.set({ source: name }, 1);
      metrics.outdated.set({ source: name }, 0);
    }
    this.listWarning = new RepeatedWarning(context.logger, 'screening list outdated');
    this.warnings = new Map(
      sources.map(({ name }) => [
        name,
        new RepeatedWarning(context.logger, 'screening source unavailable'),
      ]),
    );
    if (sources.length === 0) context.logger.warn('no screening source: no address is screened');
  }

  /** False without sources, when every address counts as clear. */
  get isEnabled(): boolean {
    return this.sources.length > 0;
  }

  /**
   * Returns the sanctioned ones among the addresses, in lower case.
   * @throws ScreeningUnavailableError when a source did not answer, none reports an address, and no allowance covers the sum
   */
  async sanctioned({
    reason,
    addresses,
    smallSum,
    allowance = 'spend',
    onHit,
  }: Screened): Promise<ReadonlySet<string>> {
    const result = await this.screen(reason, addresses, onHit);
    if (result.sanctioned.size > 0 || result.unanswered.size === 0) return result.sanctioned;
    await this.requireAllowance(reason, smallSum, allowance);
    return result.sanctioned;
  }

  /**
   * Lets a small sum go on although a source did not answer.
   * @throws ScreeningUnavailableError beyond the allowance
   */
  async requireAllowance(
    reason: ScreeningReason,
    smallSum: Screened['smallSum'],
    use: Screened['allowance'] = 'spend',
  ): Promise<void> {
    if (await this.isAllowed(reason, smallSum, use)) return;
    this.metrics.waits.inc({ purpose: reason.purpose });
    throw new ScreeningUnavailableError();
  }

  /** Screens without an allowance. */
  async screen(
    reason: ScreeningReason,
    addresses: readonly string[],
    onHit?: HitHandler,
  ): Promise<ScreeningResult> {
    const distinct = [...new Set(addresses.map((it) => it.toLowerCase() as Address))];
    if (!this.isEnabled || distinct.length === 0)
      return { sanctioned: new Set(), unanswered: new Set() };
    const answers = await Promise.all(this.sources.map((source) => source.answersAbout(distinct)));
    for (const answer of answers) this.observe(answer);
    const sanctioned = new Set(
      distinct.filter((address) => answers.some(({ isSanctioned }) => isSanctioned.get(address))),
    );
    await this.audit.record(
      reason,
      answers.flatMap((answer) => distinct.map((address) => auditedAnswer(answer, address))),
      sanctioned.size > 0 && onHit ? (manager) => onHit(manager, sanctioned) : undefined,
    );
    const unanswered = new Set(
      distinct.filter((address) => answers.some(({ isSanctioned }) => !isSanctioned.has(address))),
    );
    if (sanctioned.size > 0) {
      this.metrics.hits.inc({ purpose: reason.purpose });
      this.context.logger.warn(
        { ...reason, addresses: sanctioned.size },
        'sanctioned address found',
      );
    }
    return { sanctioned, unanswered };
  }

  private async isAllowed(
    { purpose, reference }: ScreeningReason,
    smallSum: Screened['smallSum'],
    use: Screened['allowance'],
  ): Promise<boolean> {
    const { allowanceUsd } = this.config;
    if (isZero(allowanceUsd)) return false;
    const sum = await smallSum();
    if (sum === null) return false;
    if (use === 'check') return this.allowances.hasRoom({ ...sum, reference }, allowanceUsd);
    const outcome = await this.allowances.take({ ...sum, reference }, allowanceUsd);
    if (outcome === 'refused') return false;
    if (outcome === 'counted') {
      this.metrics.allowed.inc({ purpose });
      this.metrics.allowedUsd.inc({ purpose }, Number(sum.usd));
      this.context.logger.warn(
        { purpose, reference, usd: sum.usd },
        'small sum allowed unscreened',
      );
    }
    return true;
  }

  private observe({ source, isSanctioned, fresh, failure, outdated }: SourceAnswers): void {
    this.metrics.outdated.set({ source }, outdated === undefined ? 0 : 1);
    if (outdated !== undefined) this.listWarning.report(outdated.message, { source });
    const warning = this.warnings.get(source);
    if (failure !== undefined) {
      this.metrics.available.set({ source }, 0);
      this.metrics.answers.inc({ source, outcome: 'unanswered' });
      warning?.report(failure.message, { source, err: failure });
      return;
    }
    if (fresh === 0) return;
    this.metrics.available.set({ source }, 1);
    warning?.clear();
    this.metrics.answers.inc({ source, outcome: 'answered' }, fresh);
    if ([...isSanctioned.values()].includes(true))
      this.metrics.answers.inc({ source, outcome: 'sanctioned' });
  }
}

const auditedAnswer = (
  { source, isSanctioned }: SourceAnswers,
  address: Address,
): AuditedAnswer => {
  const answer = isSanctioned.get(address);
  const verdict = answer === undefined ? 'unanswered' : answer ? 'sanctioned' : 'clear';
  return { source, address, verdict };
};

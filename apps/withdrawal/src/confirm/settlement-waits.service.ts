import type { Caller } from '@bascule/identity';
import { visitorOf } from '@bascule/identity';
import { ConcurrentPlaces } from '@bascule/service-host';
import type { HolderLimit } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import { SettlementWatchService } from '../settlement/settlement-watch.service.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';

/** Parts of all places that one organisation, one visitor and one withdrawal take at most. */
const ORGANISATION_SHARE = 1 / 2;
const VISITOR_SHARE = 1 / 8;
const WITHDRAWAL_SHARE = 1 / 8;

/** Wait of one request, however often it waits. */
export interface Wait {
  /** On the monotonic clock, in milliseconds. */
  until: number;
  clientGone: AbortSignal;
  caller: Caller;
}

/**
 * Bounds the requests that wait for a settlement: each keeps a connection of the gateway for up to 300 s. A request beyond
 * the bound does not wait.
 */
@Injectable()
export class SettlementWaitsService {
  private readonly places = new ConcurrentPlaces();

  constructor(
    private readonly watch: SettlementWatchService,
    private readonly settings: WithdrawalSettings,
  ) {}

  /**
   * Resolves when the withdrawal is no longer pending, or on timeout.
   * @returns true where the wait was cut short: by shutdown, by the client, or since too many requests wait
   */
  async untilSettled(withdrawId: string, { until, clientGone, caller }: Wait): Promise<boolean> {
    const ms = until - performance.now();
    if (ms <= 0) return false;
    const limits = this.limitsOf(withdrawId, caller);
    if (!this.places.take(limits)) return true;
    try {
      return await this.watch.untilSettled(withdrawId, ms, clientGone);
    } finally {
      this.places.leave(limits);
    }
  }

  private limitsOf(withdrawId: string, caller: Caller): HolderLimit[] {
    const { maxWaitingConfirms: max } = this.settings;
    const { orgId } = caller;
    const visitor = visitorOf(caller);
    return [
      { holder: 'all', max },
      { holder: `organisation ${orgId}`, max: Math.ceil(max * ORGANISATION_SHARE) },
      { holder: `withdrawal ${withdrawId}`, max: Math.ceil(max * WITHDRAWAL_SHARE) },
      ...(visitor === null
        ? []
        : [{ holder: `visitor ${orgId} ${visitor}`, max: Math.ceil(max * VISITOR_SHARE) }]),
    ];
  }
}

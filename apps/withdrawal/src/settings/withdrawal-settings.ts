import type { Address } from 'viem';

interface Settings {
  readonly feeReceiver: Address;
  /** Time from the request of a withdrawal until its authorization expires. */
  readonly lifetimeSeconds: number;
  /** Deadline of every read from a chain, or from the attesters, while a client waits. */
  readonly balanceTimeoutMs: number;
  /** Maximum age of prices by which screening values withdrawals. */
  readonly priceMaxAgeMs: number;
  readonly attesterUrls: readonly string[];
  /** Withdrawals of an organisation that may wait for a signature, where an operator set no other quota. */
  readonly maxUnsignedWithdrawals: number;
  /** Requests that wait for a settlement at a time. */
  readonly maxWaitingConfirms: number;
  readonly timing: WithdrawalTiming;
}

/** Intervals that tests shorten. */
export interface WithdrawalTiming {
  /** Worker: for missed wake-ups. */
  pollMs: number;
  /** Between checks of a withdrawal: half a block, at least `min`; at least `max` where only its owner could submit it. */
  checkMs: { min: number; max: number };
}

/** Configuration values that the service's classes inject. */
export class WithdrawalSettings implements Settings {
  readonly feeReceiver: Address;
  readonly lifetimeSeconds: number;
  readonly balanceTimeoutMs: number;
  readonly priceMaxAgeMs: number;
  readonly attesterUrls: readonly string[];
  readonly maxUnsignedWithdrawals: number;
  readonly maxWaitingConfirms: number;
  readonly timing: WithdrawalTiming;

  constructor(settings: Settings) {
    this.feeReceiver = settings.feeReceiver;
    this.lifetimeSeconds = settings.lifetimeSeconds;
    this.balanceTimeoutMs = settings.balanceTimeoutMs;
    this.priceMaxAgeMs = settings.priceMaxAgeMs;
    this.attesterUrls = settings.attesterUrls;
    this.maxUnsignedWithdrawals = settings.maxUnsignedWithdrawals;
    this.maxWaitingConfirms = settings.maxWaitingConfirms;
    this.timing = settings.timing;
  }
}

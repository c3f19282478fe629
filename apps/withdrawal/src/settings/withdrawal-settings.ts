import type { Address } from 'viem';

interface Settings {
  readonly feeReceiver: Address;
  /** Time from the request of a withdrawal until its authorization expires. */
  readonly lifetimeSeconds: number;
  /** Deadline of every read from a chain, or from the attesters, while a client waits. */
  readonly balanceTimeoutMs: number;
  readonly attesterUrls: readonly string[];
}

/** Configuration values that the service's classes inject. */
export class WithdrawalSettings implements Settings {
  readonly feeReceiver: Address;
  readonly lifetimeSeconds: number;
  readonly balanceTimeoutMs: number;
  readonly attesterUrls: readonly string[];

  constructor(settings: Settings) {
    this.feeReceiver = settings.feeReceiver;
    this.lifetimeSeconds = settings.lifetimeSeconds;
    this.balanceTimeoutMs = settings.balanceTimeoutMs;
    this.attesterUrls = settings.attesterUrls;
  }
}

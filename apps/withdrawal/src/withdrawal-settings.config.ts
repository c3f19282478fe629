import type { WithdrawalConfig } from './withdrawal.config.js';

/** What the service's classes need of its configuration. */
export class WithdrawalSettings {
  readonly feeReceiver: WithdrawalConfig['feeReceiver'];
  readonly lifetimeSeconds: number;
  readonly balanceTimeoutMs: number;
  readonly attesterUrls: readonly string[];

  constructor(config: WithdrawalConfig) {
    this.feeReceiver = config.feeReceiver;
    this.lifetimeSeconds = config.lifetimeSeconds;
    this.balanceTimeoutMs = config.balanceTimeoutMs;
    this.attesterUrls = config.attesterUrls;
  }
}

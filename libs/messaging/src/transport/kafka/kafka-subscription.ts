import { WakeSignal } from '@bascule/process';
import type { PartitionProgress, Subscription, SubscriptionState } from '../transport.js';
import type { Position } from '../offset-commits.js';
import { Membership, type MembershipOptions } from './membership.js';

const MAX_BACKOFF_MS = 5_000;

/** Subscription that rejoins its group whenever the client fails. */
export class KafkaSubscription implements Subscription {
  private readonly signal = new WakeSignal();
  private readonly loop: Promise<void>;
  private membership: Membership;
  private joined = false;
  /** True when the brokers refused the last attempt to join. */
  private refused = false;
  private stopped = false;
  private closed = false;
  private backoffMs: number;

  constructor(private readonly options: MembershipOptions) {
    this.backoffMs = options.tuning.backoffMs;
    this.membership = new Membership(options);
    this.loop = this.run();
  }

  commit(position: Position): void {
    this.membership.commit(position);
  }

  progress(): Promise<PartitionProgress[]> {
    return this.options.offsets.recent();
  }

  state(): SubscriptionState {
    const { joined, fetchedAt } = this.membership;
    const assigned = !this.closed && this.membership.assigned;
    const { reachable } = this.options.status;
    this.joined ||= joined;
    const brokerReachable = reachable && (joined || !this.refused);
    return { assigned, joined: this.joined, fetchedAt, brokerReachable };
  }

  async restart(): Promise<void> {
    const { membership } = this;
    await membership.leave();
    membership.finish();
    this.signal.wake();
  }

  stop(): Promise<void> {
    this.stopped = true;
    this.membership.stopReading();
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.stopped = true;
    this.closed = true;
    await this.membership.leave();
    this.membership.finish();
    this.signal.wake();
    await this.loop;
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.runMembership();
      // Without an assignment, running work cannot be committed: other members own the partitions.
      if (this.closed || this.stopped) return;
      await this.signal.wait(this.backoffMs);
      this.backoffMs = Math.min(this.backoffMs * 2, MAX_BACKOFF_MS);
      if (this.closed || this.stopped) return;
      this.membership = new Membership(this.options);
    }
  }

  private async runMembership(): Promise<void> {
    const { membership } = this;
    const { status, logger, group, tuning } = this.options;
    try {
      await membership.run();
    } catch (error) {
      this.refused = status.failed(error) !== error;
      if (!this.refused) logger.error({ err: error, group }, 'consumer failed');
      await membership.leave();
    }
    if (!membership.joined) return;
    this.joined = true;
    this.backoffMs = tuning.backoffMs;
  }
}

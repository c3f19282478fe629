import type { Logger } from '@bascule/process';
import { TransportUnavailableError } from '../transport.js';
import { causesOf, describeTrouble } from './kafka-trouble.js';

const LOG_EVERY_MS = 30_000;

/** Reachability of the brokers, with the reason of a failure; logs each at a limited rate. */
export class BrokerStatus {
  private trouble = false;
  private readonly loggedAt = new Map<string, number>();

  constructor(
    private readonly brokers: readonly string[],
    private readonly logger: Logger,
  ) {}

  get reachable(): boolean {
    return !this.trouble;
  }

  /** Records a successful request. */
  succeeded(): void {
    if (!this.trouble) return;
    this.trouble = false;
    const text = 'Kafka answers again';
    if (this.isNews(text)) this.logger.info(text);
  }

  /** Converts errors of the client to those of the port; returns others unchanged. */
  failed(error: unknown): unknown {
    if (!causesOf(error).some(({ name }) => name.startsWith('KafkaJS'))) return error;
    this.trouble = true;
    const reason = describeTrouble(error, this.brokers);
    if (this.isNews(reason)) this.logger.warn({ err: error }, reason);
    return new TransportUnavailableError(reason, { cause: error });
  }

  private isNews(text: string): boolean {
    const now = Date.now();
    if (now - (this.loggedAt.get(text) ?? 0) < LOG_EVERY_MS) return false;
    this.loggedAt.set(text, now);
    return true;
  }
}

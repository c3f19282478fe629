import type { Logger } from '@bascule/process';
import { TransportUnavailableError } from '../transport.js';
import { causesOf, describeKafkaError } from './kafka-errors.js';

const LOG_EVERY_MS = 30_000;

/** Reachability of the brokers, with the reason of a failure; logs each at a limited rate. */
export class BrokerStatus {
  private isFailing = false;
  private readonly loggedAt = new Map<string, number>();

  constructor(
    private readonly brokers: readonly string[],
    private readonly logger: Logger,
  ) {}

  get reachable(): boolean {
    return !this.isFailing;
  }

  /** Records a successful request. */
  succeeded(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    const text = 'Kafka reachable again';
    if (this.shouldLog(text)) this.logger.info(text);
  }

  /** Converts errors of the client to those of the port; returns others unchanged. */
  failed(error: unknown): unknown {
    if (!causesOf(error).some(({ name }) => name.startsWith('KafkaJS'))) return error;
    this.isFailing = true;
    const reason = describeKafkaError(error, this.brokers);
    if (this.shouldLog(reason)) this.logger.warn({ err: error }, reason);
    return new TransportUnavailableError(reason, { cause: error });
  }

  private shouldLog(text: string): boolean {
    const now = Date.now();
    if (now - (this.loggedAt.get(text) ?? 0) < LOG_EVERY_MS) return false;
    this.loggedAt.set(text, now);
    return true;
  }
}

import type { TopicDefinition } from '@bascule/contracts';
import {
  type HealthResult,
  RepeatedWarning,
  type ServiceContext,
  WakeSignal,
} from '@bascule/process';
import type { Transport } from '../transport/transport.js';
import { errorReason } from '../errors/error-reason.js';

const POLL_MS = 1_000;

/** Ready once the broker has the declared topics; until then health names the missing ones. */
export class TopicReadiness {
  private state: HealthResult = 'broker not checked yet';
  private readonly signal = new WakeSignal();
  private readonly warning: RepeatedWarning;

  constructor(
    private readonly transport: Pick<Transport, 'missingTopics'>,
    private readonly topics: readonly TopicDefinition[],
    private readonly context: ServiceContext,
  ) {
    this.warning = new RepeatedWarning(context.logger, 'waiting for topics');
  }

  start(): void {
    const { health, shutdown } = this.context;
    health.ready('topics', () => this.state);
    shutdown.stopping.addEventListener('abort', () => {
      this.signal.wake();
    });
    void this.run();
  }

  private async run(): Promise<void> {
    while (this.state !== true && !this.context.shutdown.stopping.aborted) {
      this.state = await this.check();
      if (this.state === true) return;
      this.warning.report(this.state);
      await this.signal.wait(POLL_MS);
    }
  }

  private async check(): Promise<HealthResult> {
    try {
      const missing = await this.transport.missingTopics(this.topics);
      return missing.length === 0 || missing.join('; ');
    } catch (error) {
      return errorReason(error);
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { ServiceContext } from '@bascule/process';
import type { HttpIntake } from '../server/http-intake.js';

/**
 * Starting, ready, leaving, and the one order of leaving: not ready; grace; intake (HTTP, consumers and timers together);
 * work in flight; relay; database. Nest's own hooks would destroy modules before HTTP has drained, so they run last.
 */
export class ServiceLife {
  private state: 'starting' | 'ready' | 'leaving' = 'starting';
  private ending: Promise<void> | undefined;
  private app: INestApplication | undefined;

  constructor(
    private readonly context: ServiceContext,
    private readonly intake: HttpIntake,
  ) {
    context.health.ready('process', () => this.state === 'ready' || this.state);
    context.health.live('process', () => true);
    context.shutdown.add('intake', 'http', async () => {
      intake.stop();
    });
    context.shutdown.add('work', 'http requests in flight', () => intake.drained());
  }

  /** From now on there is an application to close. */
  closes(app: INestApplication): void {
    this.app = app;
  }

  began(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  end(options: { graceMs: number; deadlineMs: number }): Promise<void> {
    this.ending ??= this.leave(options);
    return this.ending;
  }

  private async leave({ graceMs, deadlineMs }: { graceMs: number; deadlineMs: number }) {
    this.state = 'leaving';
    this.intake.announceLeaving();
    if (graceMs > 0) await delay(Math.min(graceMs, deadlineMs));
    try {
      await this.context.shutdown.run(Math.max(deadlineMs - graceMs, 0));
    } finally {
      this.intake.cutOff();
      await this.app?.close();
    }
  }
}

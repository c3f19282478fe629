import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { ServiceContext } from '@bascule/process';
import type { HttpIntake } from '../server/http-intake.js';
import type { OperationsServer } from '../server/operations-server.js';

/**
 * Runs the lifecycle of a service: starting, ready, leaving. A shutdown goes in order: not ready; grace; intake (HTTP,
 * consumers and timers together); work in flight; relay; database. The hooks of Nest would destroy modules before HTTP
 * has drained, so they run last.
 */
export class ServiceLifecycle {
  private state: 'starting' | 'ready' | 'leaving' = 'starting';
  private shutdown: Promise<void> | undefined;
  private app: INestApplication | undefined;

  constructor(
    private readonly context: ServiceContext,
    private readonly intake: HttpIntake,
    private readonly operations: OperationsServer,
  ) {
    context.health.ready('process', () => this.state === 'ready' || this.state);
    context.health.live('process', () => true);
    context.shutdown.add('intake', 'http', async () => {
      intake.stop();
    });
    context.shutdown.add('work', 'http requests in flight', () => intake.drained());
  }

  /** Sets the application to close at the end of the shutdown. */
  attach(app: INestApplication): void {
    this.app = app;
  }

  markReady(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  shutDown(options: { graceMs: number; deadlineMs: number }): Promise<void> {
    this.shutdown ??= this.runShutdown(options);
    return this.shutdown;
  }

  private async runShutdown({ graceMs, deadlineMs }: { graceMs: number; deadlineMs: number }) {
    this.state = 'leaving';
    this.intake.announceLeaving();
    if (graceMs > 0) await delay(Math.min(graceMs, deadlineMs));
    try {
      await this.context.shutdown.run(Math.max(deadlineMs - graceMs, 0));
    } finally {
      this.intake.cutOff();
      try {
        await this.app?.close();
      } finally {
        // Last, so that probes are answered while the service drains.
        await this.operations.close();
      }
    }
  }
}

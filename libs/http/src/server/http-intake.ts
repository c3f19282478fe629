import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/** Stops taking requests without dropping one that was taken. */
export class HttpIntake {
  private isLeaving = false;
  private closed: Promise<void> | undefined;

  constructor(private readonly instance: FastifyInstance) {
    instance.addHook('onSend', (_request, reply, payload, done) => {
      if (this.isLeaving) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  /** From now on every answer tells the client to open its next connection elsewhere. */
  announceLeaving(): void {
    this.isLeaving = true;
  }

  /** No new connections; requests in flight go on. */
  stop(): void {
    this.announceLeaving();
    const { server } = this.instance;
    if (this.closed !== undefined) return;
    this.closed = new Promise((resolve) => {
      if (server.listening)
        server.close(() => {
          resolve();
        });
      else resolve();
    });
  }

  /** Resolves when the last request in flight has its answer. */
  async drained(): Promise<void> {
    // A connection whose answer began before the stop is kept alive once more when it ends.
    const sweep = setInterval(() => {
      this.instance.server.closeIdleConnections();
    }, SWEEP_MS);
    try {
      await this.closed;
    } finally {
      clearInterval(sweep);
    }
  }

  cutOff(): void {
    this.instance.server.closeAllConnections();
  }
}

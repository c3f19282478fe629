import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/** Stops accepting requests without dropping accepted ones. */
export class HttpIntake {
  private isLeaving = false;
  private closed: Promise<void> | undefined;

  constructor(private readonly server: Server) {}

  /** Closes connections with their answer once the service is leaving. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onSend', (_request, reply, payload, done) => {
      if (this.isLeaving) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  /** Adds `Connection: close` to every further answer. */
  announceLeaving(): void {
    this.isLeaving = true;
  }

  /** Refuses new connections; requests in flight continue. */
  stop(): void {
    this.announceLeaving();
    const { server } = this;
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
    // A connection whose answer started before the stop is kept alive once more.
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
    }, SWEEP_MS);
    try {
      await this.closed;
    } finally {
      clearInterval(sweep);
    }
  }

  cutOff(): void {
    this.server.closeAllConnections();
  }
}

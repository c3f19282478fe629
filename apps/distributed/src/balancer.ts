import { createServer, connect, type Server, type Socket } from 'node:net';
import { PortInUseError } from '@bascule/local-stack';

export interface Target {
  port: number;
}

export interface BalancerOptions {
  service: string;
  port: number;
  /** Names the setting of the port when it is in use. */
  variable: string;
  /** Replicas that accept new connections now. */
  targets(): readonly Target[];
}

/**
 * Replaces a Kubernetes Service: a new connection goes to the next ready replica and stays there, also when the
 * replica stops being ready.
 */
export class Balancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  constructor(private readonly options: BalancerOptions) {
    // Paused until the replica has answered, and half-open so that either side can finish sending.
    this.server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true });
    this.server.on('connection', (client) => this.forward(client));
  }

  listen(): Promise<void> {
    const { port, service, variable } = this.options;
    return new Promise((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => {
        const isBusy = error.code === 'EADDRINUSE';
        reject(isBusy ? new PortInUseError(port, service, variable) : error);
      });
      this.server.listen({ port, host: '127.0.0.1' }, resolve);
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private forward(client: Socket): void {
    this.keep(client);
    const targets = this.options.targets();
    this.turn += 1;
    const first = this.turn % Math.max(1, targets.length);
    this.connectTo([...targets.slice(first), ...targets.slice(0, first)], client);
  }

  /** Tries the next replica when one refuses: its process has just ended. */
  private connectTo([target, ...others]: Target[], client: Socket): void {
    if (target === undefined || client.destroyed) {
      client.resetAndDestroy();
      return;
    }
    const { port } = target;
    const replica = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const tryNext = () => this.connectTo(others, client);
    replica.once('error', tryNext);
    replica.once('connect', () => {
      replica.off('error', tryNext);
      this.keep(replica);
      join(client, replica);
    });
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    // A broken connection is closed on both sides.
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

function join(client: Socket, replica: Socket): void {
  if (client.destroyed) {
    replica.destroy();
    return;
  }
  client.once('close', (hadError) => endWith(replica, hadError));
  replica.once('close', (hadError) => endWith(client, hadError));
  client.pipe(replica);
  replica.pipe(client);
}

/** Delivers what the other side sent before it closed, and forwards a reset as a reset. */
function endWith(socket: Socket, hadError: boolean): void {
  if (hadError) socket.resetAndDestroy();
  else socket.destroySoon();
}

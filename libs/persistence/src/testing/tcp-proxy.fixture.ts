import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';

/** TCP proxy in front of a server, so that a test can cut the connection. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  constructor(private readonly target: { hostname: string; port: string }) {}

  async open(): Promise<void> {
    this.server = createServer((from) => {
      const to = connectTo(Number(this.target.port), this.target.hostname);
      for (const socket of [from, to]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => [from, to].forEach((end) => end.destroy()));
      }
      from.pipe(to).pipe(from);
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    const address = this.server.address();
    this.port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  /** Drops all traffic without closing the connections. */
  blackhole(): void {
    for (const socket of this.sockets) socket.pause().unpipe();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

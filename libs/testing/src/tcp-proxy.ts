import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';

/** TCP proxy in front of a server, so that a test can cut the connection. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private isVanished = false;
  port = 0;
  /** Connections accepted so far. */
  accepted = 0;

  constructor(private readonly target: { hostname: string; port: string }) {}

  async open(): Promise<void> {
    this.server = createServer((from) => {
      this.accepted += 1;
      this.add(from);
      if (this.isVanished) return;
      const to = connectTo(Number(this.target.port), this.target.hostname);
      this.add(to);
      for (const socket of [from, to]) {
        socket.on('close', () => [from, to].forEach((end) => end.destroy()));
      }
      from.pipe(to).pipe(from);
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    const address = this.server.address();
    this.port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  /** URL of the target through this proxy. */
  through(target: string): string {
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Drops all traffic without closing the connections; new ones work. */
  blackhole(): void {
    for (const socket of this.sockets) socket.pause().unpipe().removeAllListeners('close');
  }

  /** Drops all traffic, also that of new connections, as when the machine behind it lost its network. */
  vanish(): void {
    this.isVanished = true;
    this.blackhole();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private add(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
  }
}

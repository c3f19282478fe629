import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** As much of Redis as counting takes: one counter per key, by the script that rate-limiter-flexible sends. */
export class CountingRedis {
  readonly counts = new Map<string, number>();
  /** A Redis that takes commands and never answers them. */
  isHanging = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const command of commandsIn(data.toString())) {
        if (!this.isHanging) socket.write(this.answer(command));
      }
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private answer([name = '', , , key = '']: string[]): string {
    switch (name.toLowerCase()) {
      case 'info':
        return '$13\r\nredis_mode:ok\r\n';
      case 'evalsha':
        return '-NOSCRIPT No matching script.\r\n';
      case 'eval': {
        const count = (this.counts.get(key) ?? 0) + 1;
        this.counts.set(key, count);
        return `*2\r\n:${count}\r\n:30000\r\n`;
      }
      default:
        return '+OK\r\n';
    }
  }
}

/** Commands are arrays of bulk strings: `*2\r\n$4\r\nINFO\r\n…`. */
function commandsIn(text: string): string[][] {
  const commands: string[][] = [];
  const lines = text.split('\r\n');
  for (let at = 0; at < lines.length;) {
    const count = Number(lines[at]?.slice(1));
    if (!lines[at]?.startsWith('*')) break;
    const parts = Array.from({ length: count }, (_, index) => lines[at + 2 + index * 2] ?? '');
    commands.push(parts);
    at += 1 + count * 2;
  }
  return commands;
}
